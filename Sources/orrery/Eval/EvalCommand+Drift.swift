import ArgumentParser
import Console
import Evals
import JSON
import Workspace

extension EvalCommand {
    struct Drift: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "drift",
            abstract:
                "Say whether something of the samples has moved from one run to another: tokens, seconds, a score.",
            discussion: """
                orrery eval drift 3 7 --of tokens compares what two runs took, whether or not they asked the same. One test \
                decides, chosen by the size of A: Kolmogorov-Smirnov or chi-squared (a drift where p is below .05) up to \
                1,000 samples, above that the distance of Wasserstein or of Jensen and Shannon (a drift from 0.1 on). PSI is \
                told beside it: 0.1 is some, 0.25 much. It ends with 3 where there is a drift and with 2 where a run does \
                not tell it.
                """)

        @Argument(help: "The run that is compared with.", completion: EvalRunNames.completionWithFiles)
        var a: String

        @Argument(help: "The run that is new.", completion: EvalRunNames.completionWithFiles)
        var b: String

        @Option(help: "tokens, seconds, cost, answer-length, a score, or a property of the samples.")
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
                    figure.name, EvalFigure.value(figure.value), figure.p.map(EvalFigure.pValue) ?? "", figure.rule,
                    figure.isDrift ? "drift" : "",
                ])
            }
            return drift.sentence + "\n\n" + table.text
        }
    }
}
