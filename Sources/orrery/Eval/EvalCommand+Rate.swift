import ArgumentParser
import Console
import Evals
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct Rate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rate", abstract: "Say what a person thinks of a sample: 1 to 5, pass, fail, or skip.",
            discussion: """
                Without a verdict it shows the next sample that you have not rated, disputed ones first. The panel's \
                queue (orrery, 8, Q) does the same with a key each.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "The sample's name; without it the next one is shown.")
        var sample: String?

        @Argument(help: "1 to 5, pass, fail, or skip.")
        var verdict: RatingWord?

        @Option(help: "The sample's epoch.")
        var epoch = 1

        @Option(help: "Who rates; the user's name unless given.")
        var rater: String?

        @Option(help: "A remark.")
        var note = ""

        @Flag(help: "Take back what this person said last.")
        var undo = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let store = ReviewStore(try place.open())
                let rater = rater ?? EvalRater.name
                let rows = try target.rows()
                if undo {
                    let taken = try store.undo(rater: rater, run: target.run.ratingKey)
                    return Output.note(
                        taken.map { "\($0.sample): \($0.verdict.name) is taken back." } ?? "nothing to take back.")
                }
                if let sample {
                    guard let verdict else { throw ValidationError("name a verdict: 1 to 5, pass, fail, or skip.") }
                    guard rows.contains(where: { $0.id == sample && $0.epoch == epoch }) else {
                        throw Failure("\(sample): \(target.run.name) has no such sample in epoch \(epoch).")
                    }
                    try store.add(
                        Rating(
                            run: target.run.ratingKey, sample: sample, epoch: epoch, rater: rater,
                            verdict: verdict.verdict, note: note, time: Clock.now))
                }
                try showNext(target, rows, store, rater)
            }
        }

        private func showNext(_ target: EvalTarget, _ rows: [EvalRow], _ store: ReviewStore, _ rater: String) throws {
            let queue = ReviewQueue(rows, ratings: try store.ratings(of: target.run.ratingKey), rater: rater)
            guard let next = queue.next(after: nil) else {
                return Output.note("\(rater) has rated all \(queue.rated).")
            }
            let record = try target.log.sample(queue.entries[next].index)
            if output.json { return Output.json(record.blind) }
            Output.result(EvalSampleText(record, isBlind: true).text)
            if record.row.outcome == .error { Output.note("It has no answer: it ended in an error.") }
            let skipped = queue.skipped > 0 ? "\(queue.skipped) skipped, " : ""
            Output.note(
                "\(skipped)\(queue.rated) of \(queue.entries.count) rated by \(rater), \(queue.disputed) disputed; next: orrery eval "
                    + "rate \(word) \(record.row.id) VERDICT")
        }
    }

    struct Agreement: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "agreement",
            abstract: "How far those who rated a run agree with each other, and with its own score.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let ratings = try ReviewStore(try place.openForReading()).ratings(of: target.run.ratingKey)
                let found = RaterAgreement(ratings, rows: try target.rows())
                if output.json { return Output.json(found) }
                guard !found.pairs.isEmpty else {
                    return Output.note("not rated yet: orrery eval rate \(word).")
                }
                var table = TextTable(["who", "with", "samples", "same", "kappa", ""], rightAligned: [2, 3, 4])
                for pair in found.pairs {
                    table.add([
                        pair.one, pair.other, Format.count(pair.samples), EvalFigure.percent(pair.percent),
                        pair.kappa.map(EvalFigure.value) ?? "-",
                        pair.comparesGrades ? "grades, quadratic" : "pass or fail",
                    ])
                }
                Output.result(table.text)
                if let alpha = found.alpha {
                    Output.note("Krippendorff's alpha of all people: \(EvalFigure.value(alpha))")
                }
            }
        }
    }
}

/// A verdict as an option.
struct RatingWord: ExpressibleByArgument {
    var verdict: Rating.Verdict

    init?(argument: String) {
        guard let verdict = Rating.Verdict(argument == "skip" ? "skipped" : argument) else { return nil }
        self.verdict = verdict
    }

    static var allValueStrings: [String] { ["1", "2", "3", "4", "5", "pass", "fail", "skip"] }
}
