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
    struct Calibrate: ReadingCommand {
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

        @OptionGroup var reading: WorkspaceJSON

        func result(in options: WorkspaceJSON) throws -> Report<JudgeCalibration> {
            let target = try EvalTarget(word, in: options.place)
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
            let ratings = try ReviewStore(try options.place.openForReading()).ratings(of: target.run.ratingKey)
            let rated = JudgeCalibration.items(try target.rows(), score: index, ratings: ratings)
            guard let found = JudgeCalibration(rated) else {
                throw Problem(
                    .invalid, "", "\(target.run.name) has too few rated samples",
                    remedy: "Rate more with: orrery eval rate \(word)")
            }
            let items = found.items.prefix(10).map { item in
                "\(item.id): rated \(item.passes ? "pass" : "fail"), score \(item.judge.map(Format.metric) ?? "-")"
            }
            return Report(found, notes: found.sentences.dropFirst() + items) { found.sentences[0] }
        }
    }
}
