import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import LanguageModels
import ModelLab
import Providers
import System
import Traces
import Workspace

extension EvalCommand {
    struct Judge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "judge", abstract: "Let a model compare two runs, or calibrate a judge against ratings.",
            subcommands: [Prefer.self, Verdict.self, Calibrate.self])
    }
}

extension EvalCommand.Judge {
    struct Calibrate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "calibrate",
            abstract: "Compare a run's score with human ratings, and find a threshold.",
            discussion: """
                The threshold is chosen on one half of the rated samples; the agreement is reported on the other half.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Option(help: "Score to compare (default: first).")
        var score: String?

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let index =
                    try score.map { name in
                        guard let index = target.run.scores.firstIndex(where: { $0.name == name }) else {
                            let known = target.run.scores.map(\.name).joined(separator: ", ")
                            throw Problem(
                                .missing, "", "\(target.run.name) has no score named \"\(name)\"",
                                remedy: "Use one of: \(known).")
                        }
                        return index
                    } ?? 0
                let ratings = try ReviewStore(try place.openForReading()).ratings(of: target.run.ratingKey)
                let items = JudgeCalibration.items(try target.rows(), score: index, ratings: ratings)
                guard let found = JudgeCalibration(items) else {
                    throw Problem(
                        .invalid, "", "\(target.run.name) has too few rated samples",
                        remedy: "Rate more with: orrery eval rate \(word)")
                }
                if output.json { return Output.json(found) }
                Output.result(found.sentences[0])
                for line in found.sentences.dropFirst() { Output.note(line) }
                for item in found.items.prefix(10) {
                    Output.note(
                        "\(item.id): rated \(item.passes ? "pass" : "fail"), score "
                            + "\(item.judge.map(Format.metric) ?? "-")"
                    )
                }
            }
        }
    }
}
