internal import Console
internal import Formatting
internal import Foundation
internal import LanguageModels

/// Alternatives of a token, with their probabilities before and after every logit processor.
struct AlternativesTable {
    var step: TokenStep

    /// A row: an alternative, or the chosen token, whatever its rank.
    struct Row {
        var alternative: Alternative
        var isChosen: Bool
    }

    static func rows(of step: TokenStep) -> [Row] {
        guard let alternatives = step.alternatives else { return [] }
        var rows = alternatives.map { Row(alternative: $0, isChosen: $0.isSame(as: step)) }
        if !rows.contains(where: \.isChosen), let log = step.logProbability {
            rows.append(
                Row(alternative: Alternative(id: step.id, text: step.text, logProbability: log), isChosen: true))
        }
        return rows
    }

    /// Table of alternatives; bars get the remaining width.
    var table: Table {
        let widest = Self.rows(of: step).reduce(7) { max($0, DisplayWidth.of(Self.visible($1.alternative.text))) }
        var columns: [Table.Column] = [
            .init("", minimum: 1), .init("token", minimum: min(24, widest)),
            .init("p", alignment: .right, minimum: 7), .init("", minimum: 6, weight: 1, priority: 2),
        ]
        for stage in step.stages ?? [] {
            columns.append(.init(Self.heading(of: stage), alignment: .right, minimum: 7, priority: 3))
        }
        return Table(columns)
    }

    /// Returns `top-k` for `top-k 40`: the line above the table shows the value.
    static func heading(of stage: ProcessorStage) -> String {
        let name = String(stage.name.prefix { $0 != " " })
        let short = ["temperature": "temp", "repetition": "repeat", "presence": "pres", "frequency": "freq"]
        return short[name] ?? String(name.prefix(7))
    }

    /// Returns a line such as `temperature 0.8: 32k → top-k 40: 40 left`.
    static func stagesLine(of step: TokenStep) -> StyledLine {
        guard let stages = step.stages else { return StyledLine("processors: not reported", .faint) }
        guard !stages.isEmpty else { return StyledLine("no processors", .dim) }
        var line = StyledLine()
        for (index, stage) in stages.enumerated() {
            if index > 0 { line.append(" → ", .faint) }
            line.append(stage.name, .text)
            line.append(": \(Format.compact(stage.remaining))", .dim)
        }
        line.append(" left", .dim)
        return line
    }

    /// Returns a text with visible spaces and breaks, to distinguish " the" from "the".
    static func visible(_ text: String) -> String {
        var shown = ""
        for character in text {
            switch character {
            case " ": shown.append("·")
            case "\n", "\r\n": shown.append("↵")
            case "\t": shown.append("→")
            default: shown.append(character)
            }
        }
        return shown.isEmpty ? "(empty)" : shown
    }

    /// Returns a bar of whole columns, at least one for a positive share.
    private static func bar(_ share: Double, columns: Int, _ theme: Theme) -> String {
        let length = Int((share * Double(columns)).rounded())
        guard length == 0 else { return String(repeating: String(Character(theme.glyphs.lowBar)), count: length) }
        return share > 0 ? String(Character(theme.glyphs.bars[0])) : ""
    }

    func draw(_ list: ListView, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let rows = Self.rows(of: step)
        let content = max(0, area.columns - ListView.gutter - 1)
        let bar = table.layout(width: content).first { $0.column == 3 }?.width ?? 0
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            guard rows.indices.contains(index) else { return .init("") }
            let row = rows[index]
            let probability = exp(row.alternative.logProbability)
            switch column {
            case 0: return .init(row.isChosen ? "▸" : " ", .accent)
            case 1: return .init(Self.visible(row.alternative.text), row.isChosen ? .strong : .text)
            case 2: return .init(Format.probability(probability), row.isChosen ? .strong : .text)
            case 3:
                // A full bar is a probability of 1, so bars of different tokens compare.
                return .init(Self.bar(probability, columns: bar, theme), .gauge)
            default:
                let place = column - 4
                guard row.alternative.afterStages.indices.contains(place) else { return .init("", .faint) }
                let after = row.alternative.afterStages[place]
                // Removed tokens cannot be drawn: show a dot instead of a small number.
                return after <= 0 ? .init("·", .faint) : .init(Format.probability(after), .text)
            }
        }
    }
}
