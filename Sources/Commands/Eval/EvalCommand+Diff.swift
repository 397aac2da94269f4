import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Formatting
import Glibc
import JSON
import Statistics
import System
import Traces
import Workspace

extension EvalCommand {
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compare two runs sample by sample, and test the difference.",
            discussion: """
                The exit status is 0 if B is not worse than A, 3 if B is worse, and 2 if the result is undecided. With \
                --gate "accuracy>=-0.01", B is not worse if its entire 95 % interval meets the bound, and worse if no \
                part of the interval does. Without a gate, the bound is 0, and an interval that contains 0 and reaches \
                at most one point below 0 also passes. An unfinished run never passes. --junit writes the verdict for \
                a CI server. If no score is named accuracy, accuracy is the share of samples that pass by the first \
                score. Runs over different samples have no pairs; compare their means with: orrery eval diff A B \
                --unpaired
                """)

        @Argument(help: "Baseline run.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "New run.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "Score to compare, or seconds, tokens, cost (default: first score).")
        var score: String?

        @Option(help: "Conditions, separated by commas; accuracy>=-0.01 allows one point less.")
        var gate: String?

        @Option(help: "Write the verdict to a JUnit XML file.", completion: .file())
        var junit: String?

        @Option(help: "Count errors as failed samples: yes or no.")
        var errorsFail: YesNo = .no

        @Flag(help: "Compare means of runs over unrelated samples.")
        var unpaired = false

        @Option(help: "Extra tests, separated by commas: bootstrap, bca, permutation, wilcoxon.")
        var test: RetestWords?

        @Flag(help: "Add an interval that stays valid under repeated looks.")
        var peek = false

        @Option(help: "Maximum number of samples to list.")
        var limit = 20

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be at least 0.") }
            guard !unpaired || (gate == nil && junit == nil && test == nil && !peek) else {
                throw ValidationError(
                    "--unpaired works only with --score and --json, because gates and tests need pairs. Remove the "
                        + "other options."
                )
            }
        }

        func run() throws {
            try answering {
                let join = try EvalJoin(EvalTarget(a, in: place).log, EvalTarget(b, in: place).log)
                let options = EvalDiffOptions(countsErrorsAsFailures: errorsFail == .yes)
                if unpaired { return try showUnpaired(join, options) }
                guard !join.samples.isEmpty || join.rowsA.isEmpty || join.rowsB.isEmpty else {
                    let titles = EvalRunTitles.titles(of: [join.a, join.b])
                    throw Problem(
                        .missing, "", "\(titles[0]) and \(titles[1]) share no sample, so there are no pairs",
                        remedy: "To compare their means, add --unpaired.")
                }
                let diff = EvalDiff(join, measure: try join.measure(named: score), options: options)
                if score == nil, diff.total == nil { try refuse(diff, join) }
                let verdict = try gate.map { try EvalGate($0).check(join, options: options) } ?? EvalVerdict(diff)
                let retests = try retest(diff)
                var watch = EvalWatch()
                if peek { try watch.look(join, diff) }
                if let junit { try ExportFile.write(junit) { try $0(verdict.junit) } }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("diff", diff)
                        $0.member("verdict", verdict)
                        if !retests.isEmpty { $0.member("tests", retests) }
                        if peek { $0.member("peek", WatchReport(watch)) }
                    }
                    Output.result(json.text)
                } else {
                    // The verdict comes first; the figures explain it.
                    var lines = [verdict.words, "", text(diff, join)]
                    lines += retests.map(\.sentence)
                    if peek { lines.append(WatchReport(watch).sentence) }
                    if gate != nil { lines += ["", verdict.sentence] }
                    Output.result(lines.joined(separator: "\n"))
                }
                if verdict.exitCode != 0 { throw ExitCode(verdict.exitCode) }
            }
        }

        private func showUnpaired(_ join: EvalJoin, _ options: EvalDiffOptions) throws {
            let found = EvalUnpaired(join, measure: try join.measure(named: score), options: options)
            if output.json {
                Output.json(found)
            } else {
                let end =
                    switch found.outcome {
                    case .allowed: "B is not worse."
                    case .worse: "B is worse."
                    case .cannotTell:
                        "Inconclusive" + (Self.unfinished(join).map { ": \($0) is incomplete." } ?? ".")
                    }
                Output.result(found.sentence + "\n\n" + end)
            }
            if found.outcome.exitCode != 0 { throw ExitCode(found.outcome.exitCode) }
        }

        /// Returns the unfinished run; `nil` if both runs are done.
        private static func unfinished(_ join: EvalJoin) -> String? {
            join.a.state != .done ? "A" : join.b.state != .done ? "B" : nil
        }

        /// Runs the extra tests. Resampling may take seconds, so progress is shown and ^C cancels it.
        private func retest(_ diff: EvalDiff) throws -> [EvalRetest] {
            guard let kinds = test?.kinds else { return [] }
            let cancellation = Cancellation()
            let line = StatusLine()
            defer { line.end() }
            let start = ContinuousClock.now
            return try Interruption.cancelling(cancellation) {
                let found = kinds.map { kind in
                    EvalRetest(
                        kind, of: diff, isCancelled: { cancellation.isCancelled },
                        progress: { share in
                            guard ContinuousClock.now - start > .milliseconds(500) else { return }
                            line.show("\(kind.rawValue): \(Format.percent(share, digits: 0)) resampled")
                        })
                }
                if cancellation.isCancelled { throw CancellationError() }
                return found
            }
        }

        /// Throws if no sample has the score in both runs, and suggests another score.
        private func refuse(_ diff: EvalDiff, _ join: EvalJoin) throws {
            let others = join.measures.filter { measure in
                measure.name != diff.measure.name && measure.passesAt != nil
                    && EvalDiff(join, measure: measure, options: EvalDiffOptions(slices: [])).total != nil
            }
            guard let first = others.first else { return }
            throw Problem(
                .missing, "", "no sample has a value for \(diff.measure.title) in both runs",
                remedy: "Try --score \(first.name).")
        }

        private func text(_ diff: EvalDiff, _ join: EvalJoin) -> String {
            var lines = [diff.sentence]
            if let means = diff.means() { lines.append(means) }
            if let first = join.a.start, let second = join.b.start, second < first {
                lines.append("B is the older run; orrery eval diff expects the older run first")
            }
            if let flips = diff.total?.flips {
                let measure = diff.measure
                lines.append(
                    measure.hasThreshold
                        ? "broken \(flips.broken), fixed \(flips.fixed), both pass \(flips.bothPass), both fail "
                            + "\(flips.bothFail)"
                        : "\(measure.word(false)) \(flips.worse), \(measure.word(true)) \(flips.better), the same "
                            + "\(flips.same)"
                )
            }
            let missing = [(join.onlyA.count, "A"), (join.onlyB.count, "B")].filter { $0.0 > 0 }
            for (count, side) in missing { lines.append("\(Format.count(count)) samples are only in \(side)") }
            // Losses come first, then gains.
            let changed = diff.pairs.filter { $0.isRegression || $0.change == .fixed || $0.gain > 0 }.prefix(limit)
            if !changed.isEmpty {
                var table = TextTable(["change", "id", "A", "B", "input"], rightAligned: [2, 3])
                for pair in changed {
                    table.add([
                        pair.word(diff.measure), pair.id, Format.score(pair.valueA), Format.score(pair.valueB),
                        pair.input,
                    ])
                }
                lines += ["", table.text]
            }
            if !diff.slices.isEmpty { lines += ["", slices(diff)] }
            return lines.joined(separator: "\n")
        }

        private func slices(_ diff: EvalDiff) -> String {
            var table = TextTable(
                ["slice", "value", "samples", "difference", "95 % (Holm)", "p (Holm)", "test"], rightAligned: [2, 3, 5])
            for slice in diff.slices {
                table.add([
                    slice.name, slice.value, Format.count(slice.estimate.samples),
                    Format.metric(slice.estimate.difference),
                    EvalText.interval(slice.estimate.adjusted?.interval),
                    slice.estimate.adjusted.map { Format.pValue($0.p) } ?? "", slice.estimate.test.name,
                ])
            }
            return table.text
        }
    }
}

/// Tests as an option, separated by commas.
struct RetestWords: ExpressibleByArgument {
    var kinds: [EvalRetest.Kind]

    init?(argument: String) {
        let words = argument.split(separator: ",")
        kinds = words.compactMap { EvalRetest.Kind(rawValue: String($0)) }
        guard !kinds.isEmpty, kinds.count == words.count else { return nil }
    }

    static var allValueStrings: [String] { EvalRetest.Kind.allCases.map(\.rawValue) }
}

/// The values `yes` and `no` of an option.
enum YesNo: String, ExpressibleByArgument, CaseIterable {
    case yes, no
}
