import ArgumentParser
import CommandSupport
import Console
import Evals
import Formatting
import JSON
import Statistics
import Workspace

extension EvalCommand {
    struct Fairness: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "fairness",
            abstract: "Compare a classifier across groups: selection rates and error rates.",
            discussion: """
                orrery eval fairness latest --by language --positive approve reports, for each language, how often the \
                model answers approve and how often that is correct. The predicted class is the label of the first \
                scorer that records a label, or else the answer. The correct class is the target.
                """)

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Option(help: "Property whose groups are compared.", completion: EvalRunNames.slices)
        var by: String

        @Option(help: "Class that counts as positive.")
        var positive: String

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let cancellation = Cancellation()
                let found = try Interruption.cancelling(cancellation) {
                    try EvalFairness(target.log, by: by, positive: positive) { cancellation.isCancelled }
                }
                if output.json { return Output.json(found) }
                var table = TextTable(
                    [by, "samples", "selected", "95 %", "true positive", "false positive"], rightAligned: [1, 2, 4, 5])
                for group in found.fairness.groups {
                    table.add([
                        group.group, Format.count(group.count), group.selection.map(Format.metric) ?? "-",
                        EvalText.interval(found.interval(of: group)),
                        group.truePositive.map(Format.metric) ?? "-",
                        group.falsePositive.map(Format.metric) ?? "-",
                    ])
                }
                Output.result(found.sentence + "\n\n" + table.text)
            }
        }
    }
}
