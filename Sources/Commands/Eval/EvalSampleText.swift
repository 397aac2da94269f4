import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import LanguageModels

/// One complete sample as text.
struct EvalSampleText {
    private let record: EvalSampleRecord
    private let isBlind: Bool

    /// - Parameter isBlind: Whether to hide the run's verdict.
    init(_ record: EvalSampleRecord, isBlind: Bool = false) {
        self.record = isBlind ? record.blind : record
        self.isBlind = isBlind
    }

    var text: String {
        let row = record.row
        let place = "\(row.id), #\(row.index + 1), epoch \(row.epoch)"
        var lines = [isBlind ? place : "\(place): \(row.outcome.rawValue)\(row.wasCached ? ", from the cache" : "")"]
        if let problem = row.problem { lines.append(problem) }
        lines += section("input", record.input)
        if !record.choices.isEmpty { lines += section("choices", record.choices.joined(separator: "\n")) }
        if let answer = record.answer { lines += section("answer", answer) }
        if !record.targets.isEmpty { lines += section("target", record.targets.joined(separator: "\n")) }
        if !isBlind { lines += section("scores", record.scores.map(Self.score).joined(separator: "\n")) }
        if !record.steps.isEmpty { lines += section("steps", steps) }
        if let errors = record.standardError, !errors.isEmpty { lines += section("stderr", errors) }
        if let trace = record.trace { lines += ["", "trace \(trace.prefix(12))"] }
        return lines.map(Printable.text).joined(separator: "\n")
    }

    private func section(_ title: String, _ text: String) -> [String] {
        ["", "-- \(title)", text]
    }

    private static func score(_ score: EvalScore) -> String {
        let value = score.value.map(Format.metric) ?? "-"
        let words = [score.label, score.answer.map { "answer \($0)" }, score.problem ?? score.explanation]
        return ([score.name, value] + words.compactMap(\.self)).joined(separator: "  ")
    }

    private var steps: String {
        record.steps.enumerated().map { place, step in
            let mark = place == record.failingStep ? ">" : " "
            let time = step.seconds.map { Format.duration(seconds: $0) } ?? ""
            return "\(mark) \(step.kind.name)  \(step.name)  \(time)  \(step.problem ?? "")"
        }.joined(separator: "\n")
    }
}
