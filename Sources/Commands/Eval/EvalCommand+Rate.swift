import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import System
import Tables
import Workspace

extension EvalCommand {
    struct Rate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rate", abstract: "Rate a sample: 1 to 5, pass, fail, or skip.",
            discussion: """
                Without a verdict, the command shows the next sample that you have not rated, starting with disputed \
                samples. The review queue of the eval panel (start orrery, then press 8 and Q) does the same with \
                single keys.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "Sample name (default: show the next unrated sample).")
        var sample: String?

        @Argument(help: "Verdict: 1 to 5, pass, fail, or skip.")
        var verdict: RatingWord?

        @Option(help: "Epoch of the sample.")
        var epoch = 1

        @Option(help: "Name of the rater (default: your user name).")
        var rater: String?

        @Option(help: "Comment.")
        var note = ""

        @Flag(help: "Undo your last rating.")
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
                        taken.map { "\($0.sample): removed the rating \($0.verdict.name)" } ?? "no rating to undo")
                }
                if let sample {
                    guard let verdict else {
                        throw ValidationError("VERDICT is required: 1 to 5, pass, fail, or skip.")
                    }
                    guard rows.contains(where: { $0.id == sample && $0.epoch == epoch }) else {
                        throw Problem(
                            .missing, "", "\(target.run.name) has no sample \"\(sample)\" in epoch \(epoch)",
                            remedy: "To list samples, run: orrery eval show \(word) --samples")
                    }
                    try store.add(
                        Rating(
                            run: target.run.ratingKey, sample: sample, epoch: epoch, rater: rater,
                            verdict: verdict.verdict, note: note, time: Clock.nanoseconds(.wall)))
                }
                try showNext(target, rows, store, rater)
            }
        }

        private func showNext(_ target: EvalTarget, _ rows: [EvalRow], _ store: ReviewStore, _ rater: String) throws {
            let queue = ReviewQueue(rows, ratings: try store.ratings(of: target.run.ratingKey), rater: rater)
            guard let next = queue.next(after: nil) else {
                return Output.note("\(rater) has rated all \(queue.rated) samples")
            }
            let record = try target.log.sample(queue.entries[next].index)
            if output.json { return Output.json(record.blind) }
            Output.result(EvalSampleText(record, isBlind: true).text)
            if record.row.outcome == .error { Output.note("no answer: the sample ended in an error") }
            let skipped = queue.skipped > 0 ? "\(queue.skipped) skipped, " : ""
            Output.note(
                "\(skipped)\(queue.rated) of \(queue.entries.count) rated by \(rater), \(queue.disputed) disputed; "
                    + "next: orrery eval rate \(word) \(record.row.id) VERDICT")
        }
    }

    struct Agreement: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "agreement",
            abstract: "Report agreement among raters and with the run's own score.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<RaterAgreement.Pair> {
            let target = try EvalTarget(word, in: options.place)
            let ratings = try ReviewStore(try options.place.openForReading()).ratings(of: target.run.ratingKey)
            let found = RaterAgreement(ratings, rows: try target.rows())
            let alpha = found.alpha.map { "Krippendorff's alpha of all raters: \(Format.metric($0))" }
            var listing = Listing(
                found.pairs, "pairs", empty: "not rated yet. To rate a sample, run: orrery eval rate \(word)",
                isEmptyNote: true, notes: found.pairs.isEmpty ? [] : [alpha].compactMap(\.self)
            ) { table in
                table.text("who", \.one)
                table.text("with", \.other)
                table.text("samples", json: nil, align: .right, \.samples) { Format.count($0) }
                table.text("same", json: nil, align: .right, \.percent) { Format.share($0) }
                table.text("kappa", json: nil, align: .right, \.kappa) { $0.map(Format.metric) ?? "-" }
                table.text("") { $0.comparesGrades ? "grades, quadratic" : "pass or fail" }
            }
            listing.json = found
            return listing
        }
    }
}

/// A verdict as an argument.
struct RatingWord: ExpressibleByArgument {
    var verdict: Rating.Verdict

    init?(argument: String) {
        guard let verdict = Rating.Verdict(argument == "skip" ? "skipped" : argument) else { return nil }
        self.verdict = verdict
    }

    static var allValueStrings: [String] { ["1", "2", "3", "4", "5", "pass", "fail", "skip"] }
}
