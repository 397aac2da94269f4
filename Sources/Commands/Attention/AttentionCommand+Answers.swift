import ArgumentParser
import CommandSupport
import Console
import Formatting
import Interpretability
import Models
import System
import Tokenizers

/// Options that select the answer token.
struct AnswerOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("token")],
        help: "Answer token, as text or number (default: the model's choice).")
    var answer: String?

    @Option(name: [.long, .customLong("against")], help: "Token to compare with the answer.")
    var wrong: String?

    /// Returns the logit of the answer after a prompt, minus the logit of the other token if there is one.
    func metric(_ opened: OpenedCheckpoint, _ runtime: RuntimeModel, _ prompt: [TokenID]) throws -> PatchMetric {
        let token = try answer.map { try opened.token($0) } ?? runtime.said(after: prompt)
        return try wrong.map { .logitDifference(correct: token, wrong: try opened.token($0)) } ?? .logit(token)
    }

    /// Returns the logit of the first prompt's answer minus the logit of the second prompt's answer.
    func metric(
        _ opened: OpenedCheckpoint, _ runtime: RuntimeModel, clean: [TokenID], corrupt: [TokenID]
    ) throws -> PatchMetric {
        let correct = try answer.map { try opened.token($0) } ?? runtime.said(after: clean)
        let other = try wrong.map { try opened.token($0) } ?? runtime.said(after: corrupt)
        guard correct != other else {
            throw Problem(
                .invalid, "", "both answers are \"\(opened.text(other))\"",
                remedy: "Choose two tokens that differ between the prompts, with --answer and --against.")
        }
        return .logitDifference(correct: correct, wrong: other)
    }
}

extension RuntimeModel {
    /// Returns the most probable token after a prompt.
    func said(after tokens: [TokenID]) throws -> TokenID {
        try run(tokens, [], keeping: .only([.logits]))[.logits].best(inRow: tokens.count - 1)
    }
}

/// Computes a map cell by cell and shows the progress.
enum MapRun {
    /// - Parameter body: Computes the map.
    static func follow(
        _ title: String,
        _ body: (_ progress: (PatchProgress) -> Void, _ isCancelled: () -> Bool) throws -> PatchMap
    ) throws -> PatchMap {
        let line = FractionLine(title)
        let cancelling = Cancelling()
        defer { line.end() }
        return try cancelling.run {
            try body(
                { line.show(Double($0.done) / Double(max(1, $0.total)), Format.rate($0.rate, "runs")) },
                { cancelling.isCancelled })
        }
    }
}

extension PatchReport {
    /// Returns the map and its metric. If the user canceled the map, prints a note, and the command exits like ^C.
    func result(_ metric: PatchMetric, _ opened: OpenedCheckpoint, tokens: [String] = []) -> Report<PatchReport> {
        let corrupt = map.corrupt.map { ", corrupt \(Format.fixed($0, digits: 3))" } ?? ""
        let notes = [
            "metric: \(metric.sentence { "\"\(opened.text($0))\"" })",
            "clean \(Format.fixed(map.clean, digits: 3))\(corrupt); \(map.formula)",
        ]
        if !map.isComplete {
            Output.note("canceled after \(map.scores.count { !$0.isNaN }) of \(map.scores.count) cells")
        }
        return Report(self, notes: notes, status: map.isComplete ? 0 : 130) { table(tokens) }
    }
}
