import ArgumentParser
import CommandSupport
import Console
import Evals
import Formatting
import JSON
import Tables
import Workspace

extension EvalCommand {
    struct Drift: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "drift",
            abstract:
                "Test whether tokens, seconds, or scores drifted between two runs.",
            discussion: """
                orrery eval drift 3 7 --of tokens compares the tokens of two runs, even over different samples. The \
                size of A determines the test: up to 1,000 samples, Kolmogorov-Smirnov or chi-squared (drift if p is \
                below .05); above that, the Wasserstein or Jensen-Shannon distance (drift at 0.1 or more). PSI is \
                reported as well: 0.1 is moderate drift, and 0.25 is large. The exit status is 3 if the subject \
                drifted, and 2 if a run does not record the subject.
                """)

        @Argument(help: "Baseline run.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "New run.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "Subject: tokens, seconds, cost, answer-length, score, or sample property.")
        var of: String

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<EvalDrift.Figure> {
            let (one, other) = (try EvalTarget(a, in: options.place), try EvalTarget(b, in: options.place))
            let cancellation = Cancellation()
            let drift = try Interruption.cancelling(cancellation) {
                try EvalDrift(one.log, other.log, of: of) { cancellation.isCancelled }
            }
            var listing = Listing(
                drift.figures, "figures", empty: drift.sentence,
                status: drift.figures.isEmpty ? 2 : drift.isDrift ? 3 : 0
            ) { table in
                table.text("", \.name)
                table.text("value", json: nil, align: .right, \.value) { Format.metric($0) }
                table.text("p", json: nil, align: .right, \.p) { $0.map(Format.pValue) ?? "" }
                table.text("", \.rule)
                table.text("") { $0.isDrift ? "drift" : "" }
            }
            listing.heading = drift.sentence + "\n"
            listing.json = drift
            return listing
        }
    }
}
