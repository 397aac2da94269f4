import ArgumentParser
import Console
import Interpretability
import Models
import Tokenizers

/// Which answer a command asks about.
struct AnswerOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("token")],
        help: "The token of the answer, by its text or number; by default the one that the model says.")
    var answer: String?

    @Option(name: [.long, .customLong("against")], help: "The token that it is compared with.")
    var wrong: String?

    /// The logit of the answer after a prompt, less that of the other one where there is one.
    func metric(_ opened: OpenedCheckpoint, _ runtime: RuntimeModel, _ prompt: [TokenID]) throws -> PatchMetric {
        let token = try answer.map { try opened.token($0) } ?? runtime.said(after: prompt)
        return try wrong.map { .logitDifference(correct: token, wrong: try opened.token($0)) } ?? .logit(token)
    }

    /// The logit of what is said after a prompt less that of what is said after another.
    func metric(
        _ opened: OpenedCheckpoint, _ runtime: RuntimeModel, clean: [TokenID], corrupt: [TokenID]
    ) throws -> PatchMetric {
        let correct = try answer.map { try opened.token($0) } ?? runtime.said(after: clean)
        let other = try wrong.map { try opened.token($0) } ?? runtime.said(after: corrupt)
        guard correct != other else {
            throw Failure(
                "both answers are \"\(opened.text(other))\": name two tokens, with --answer and --wrong, that the prompts "
                    + "set apart.")
        }
        return .logitDifference(correct: correct, wrong: other)
    }
}

extension RuntimeModel {
    /// The most probable token after a prompt.
    func said(after tokens: [TokenID]) throws -> TokenID {
        try run(tokens, [], keeping: .only([.logits]))[.logits].best(inRow: tokens.count - 1)
    }
}

/// A map that is filled cell by cell while a line follows it.
enum MapRun {
    /// - Parameter body: runs the map.
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
    /// Prints the map and what it is measured in; one that somebody ended says so, and ends the program as ^C does.
    func print(_ metric: PatchMetric, _ opened: OpenedCheckpoint, json: Bool, tokens: [String] = []) throws {
        json ? Output.json(self) : Output.result(table(tokens))
        if !json {
            Output.note("metric: \(metric.sentence { "\"\(opened.text($0))\"" })")
            let corrupt = map.corrupt.map { ", corrupt \(Format.fixed($0, digits: 3))" } ?? ""
            Output.note("clean \(Format.fixed(map.clean, digits: 3))\(corrupt); \(map.formula)")
        }
        guard !map.isComplete else { return }
        Output.note("ended after \(map.scores.count { !$0.isNaN }) of \(map.scores.count) cells")
        throw ExitCode(130)
    }
}
