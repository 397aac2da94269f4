import ArgumentParser
import CommandSupport
import Console
import Evals
import Formatting
import JSON
import Statistics
import Tables
import Workspace

extension EvalCommand {
    struct Fairness: ReadingCommand {
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

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> some Presentable {
            let target = try EvalTarget(word, in: options.place)
            let cancellation = Cancellation()
            let found = try Interruption.cancelling(cancellation) {
                try EvalFairness(target.log, by: by, positive: positive) { cancellation.isCancelled }
            }
            var listing = Listing(found.fairness.groups, "groups") { table in
                table.text(by, \.group)
                table.text("samples", json: nil, align: .right, \.count) { Format.count($0) }
                table.text("selected", json: nil, align: .right, \.selection) { $0.map(Format.metric) ?? "-" }
                table.text("95 %") { EvalText.interval(found.interval(of: $0)) }
                table.text("true positive", json: nil, align: .right, \.truePositive) { $0.map(Format.metric) ?? "-" }
                table.text("false positive", json: nil, align: .right, \.falsePositive) { $0.map(Format.metric) ?? "-" }
            }
            listing.heading = found.sentence + "\n"
            listing.json = found
            return listing
        }
    }
}
