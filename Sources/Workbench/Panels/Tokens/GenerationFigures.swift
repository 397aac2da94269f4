internal import Console
internal import Formatting
internal import Foundation
internal import LanguageModels
internal import ModelLab

/// Figures of a whole generation: probabilities, speed, and sampling settings.
struct GenerationFigures {
    let entries: [KeyValue.Entry]
    /// Least probable tokens, least probable first.
    let surprises: [KeyValue.Entry]

    /// Maximum number of listed surprises, and the number that the layout reserves rows for.
    private static let mostSurprises = 24
    private static let usualSurprises = 8

    init(_ answer: Generation) {
        var entries: [KeyValue.Entry] = []
        func add(_ key: String, _ value: String?, _ role: Console.Role = .text) {
            guard let value, !value.isEmpty else { return }
            entries.append(.init(key, value, role))
        }
        add("model", answer.modelTitle)
        let logs = answer.steps.compactMap(\.logProbability)
        if !answer.prompt.isEmpty { add("prompt", Format.count(answer.prompt.count, "token")) }
        if answer.steps.contains(where: { $0.id != nil || $0.logProbability != nil }) {
            add("generation", Format.count(answer.steps.count, "token"))
        }
        if logs.isEmpty {
            add("probabilities", "not reported", .faint)
        } else {
            let surprises = answer.surprises.count
            add("surprises", "\(Format.count(surprises)), ] next", surprises > 0 ? .accent : .text)
            add("perplexity", Format.fixed(exp(-logs.reduce(0, +) / Double(logs.count)), digits: 3))
            add("log p", Format.fixed(logs.reduce(0, +), digits: 3))
        }
        add("speed", answer.tokensPerSecond.map { Format.rate($0, "tokens") })
        add("first token", answer.outcome.secondsToFirstToken.map { Format.duration(seconds: $0) })
        for (index, setting) in answer.document.settingsLine.split(separator: ", ").enumerated() {
            add(index == 0 ? "settings" : "", String(setting))
        }
        add("ended", answer.outcome.state == .running ? nil : answer.outcome.finish)
        self.entries = entries
        surprises = answer.surprises.prefix(Self.mostSurprises).map { index in
            let step = answer.steps[index]
            let text = AlternativesTable.visible(step.text).truncated(toColumns: 14)
            return .init("\(index + 1) \(text)", Format.probability(exp(step.logProbability ?? 0)))
        }
    }

    /// Number of rows requested from the layout; extra rows show more surprises.
    var rows: Int { entries.count + (surprises.isEmpty ? 0 : min(surprises.count, Self.usualSurprises) + 2) }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        _ = rest.takeTop(KeyValue(entries, spacing: 2).draw(into: &surface, in: rest, theme: theme))
        guard !surprises.isEmpty, rest.rows > 2 else { return }
        _ = rest.takeTop(1)
        surface.put(
            "least probable", at: rest.takeTop(1).origin, style: theme[.columnHeader], width: area.columns)
        KeyValue(surprises, spacing: 2).draw(into: &surface, in: rest, theme: theme)
    }
}
