import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import JSON
import Statistics
import System
import Traces
import Workspace

extension EvalCommand {
    struct Compare: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "compare",
            abstract: "Compare runs of one task, corrected for multiple comparisons.",
            discussion: """
                --ratings treats the runs as players: each sample that two runs share is a game, and the better value \
                wins. The strengths follow Bradley and Terry on the Elo scale, with bootstrap intervals. --elo updates \
                the ratings game by game, in the order in which the runs were recorded: orrery eval compare 3 5 8 \
                --elo. A table cell is the row's run minus the column's run. In --json, "differences" \
                has the opposite sign: each entry is b - a, with row a, column b, and both means.
                """)

        @Argument(help: "Runs or logs.", completion: EvalRunNames.completionWithFiles)
        var runs: [String]

        @Option(help: "Score to compare (default: first).")
        var score: String?

        @Flag(help: "Rate runs as Bradley-Terry players instead of comparing means.")
        var ratings = false

        @Flag(help: "Rate runs as Elo players, in recording order.")
        var elo = false

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard runs.count >= 2 else { throw ValidationError("eval compare requires at least two runs.") }
            guard !(ratings && elo) else {
                throw ValidationError("--ratings and --elo are mutually exclusive. Use only one.")
            }
        }

        func run() throws {
            try answering {
                let targets = try runs.map { try EvalTarget($0, in: place) }
                let entries = try targets.map { EvalMatrix.Entry($0.run, try $0.log.allRows()) }
                if ratings { return try rate(entries) }
                if elo { return try play(entries) }
                let matrix = EvalMatrix(entries, measure: score, adjustment: .holm)
                if output.json { return Output.json(matrix) }
                var table = TextTable(
                    ["", matrix.title ?? "mean", "95 %", "samples", "errors"]
                        + targets.indices.map { "minus \($0 + 1)" }, rightAligned: [1, 3, 4])
                let titles = EvalRunTitles.titles(of: targets.map(\.run))
                for (place, target) in targets.enumerated() {
                    let mean = matrix.means[place]
                    table.add(
                        [
                            "\(place + 1) \(titles[place])", mean.map { Format.metric($0.mean) } ?? "-",
                            EvalText.interval(matrix.intervals[place]), Format.count(mean?.count ?? 0),
                            target.run.errors.map(Format.count) ?? "-",
                        ] + matrix.differences(of: place).map(Self.cell))
                }
                Output.result(table.text)
                Output.note("* p < .05 after Holm's correction for all pairs")
                if matrix.isPartial {
                    Output.note(
                        "a difference covers only samples with a value in both runs, so it can differ from the "
                            + "difference of the means"
                    )
                }
            }
        }

        private func play(_ entries: [EvalMatrix.Entry]) throws {
            let found = EvalElo(entries, measure: score)
            guard found.games > 0 else {
                throw Problem(
                    .invalid, "", "the runs share no sample with a score", remedy: "Compare runs over the same samples."
                )
            }
            if output.json { return Output.json(found) }
            let titles = EvalRunTitles.titles(of: found.runs)
            var table = TextTable(["run", "Elo"], rightAligned: [1])
            for place in found.runs.indices.sorted(by: { found.ratings[$0] > found.ratings[$1] }) {
                table.add([titles[place], Format.fixed(found.ratings[place], digits: 1)])
            }
            Output.result(table.text)
            Output.note(
                "\(Format.count(found.games)) games in recording order, with initial rating 1,000 and k = "
                    + "\(Format.fixed(found.k, digits: 0)); recent games count most. For ratings that do not depend "
                    + "on the order, use --ratings.")
        }

        private func rate(_ entries: [EvalMatrix.Entry]) throws {
            let found: EvalRatings
            do throws(BradleyTerryError) { found = try EvalRatings(entries, measure: score) } catch {
                let titles = EvalRunTitles.titles(of: entries.map(\.run))
                throw Problem(.invalid, "", error.sentence { $0 < titles.count ? titles[$0] : "\($0 + 1)" })
            }
            if output.json { return Output.json(found) }
            let titles = EvalRunTitles.titles(of: found.runs)
            var table = TextTable(["run", "Elo", "95 %"], rightAligned: [1])
            for place in found.runs.indices.sorted(by: { found.elo[$0] > found.elo[$1] }) {
                table.add([
                    titles[place], Format.fixed(found.elo[place], digits: 0),
                    found.intervals[place].map {
                        "\(Format.fixed($0.lower, digits: 0)) to \(Format.fixed($0.upper, digits: 0))"
                    } ?? "",
                ])
            }
            Output.result(table.text)
            Output.note("\(Format.count(found.games)) games; a tie counts as half a win for each run")
        }

        /// Returns a difference as a table cell.
        private static func cell(_ estimate: EvalDiffEstimate?) -> String {
            guard let estimate else { return "." }
            let isClear = (estimate.adjusted?.p ?? estimate.p ?? 1) < 0.05
            return Format.metric(estimate.difference) + (isClear ? "*" : "")
        }
    }
}
