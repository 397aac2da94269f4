import ArgumentParser
import CommandSupport
import Console
import Evals
import Formatting
import JSON
import Workspace

extension EvalCommand {
    struct Drift: ParsableCommand {
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

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let (one, other) = (try EvalTarget(a, in: place), try EvalTarget(b, in: place))
                let cancellation = Cancellation()
                let drift = try Interruption.cancelling(cancellation) {
                    try EvalDrift(one.log, other.log, of: of) { cancellation.isCancelled }
                }
                if output.json {
                    Output.json(drift)
                } else {
                    Output.result(text(drift))
                }
                if drift.figures.isEmpty { throw ExitCode(2) }
                if drift.isDrift { throw ExitCode(3) }
            }
        }

        private func text(_ drift: EvalDrift) -> String {
            guard !drift.figures.isEmpty else { return drift.sentence }
            var table = TextTable(["", "value", "p", "", ""], rightAligned: [1, 2])
            for figure in drift.figures {
                table.add([
                    figure.name, Format.metric(figure.value), figure.p.map(Format.pValue) ?? "", figure.rule,
                    figure.isDrift ? "drift" : "",
                ])
            }
            return drift.sentence + "\n\n" + table.text
        }
    }
}
