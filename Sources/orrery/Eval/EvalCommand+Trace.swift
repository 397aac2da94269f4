import ArgumentParser
import Evals
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct Trace: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trace",
            abstract: "Keep what was done for a sample as a trace: every call of a model, tool and search.",
            discussion: "The panel does the same when a sample is opened. What is there already is not made again.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "The sample: its name, or its place (#), from 1.")
        var sample: String

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let target = try EvalTarget(word, in: place)
                let row = try target.row(sample)
                let workspace = try place.open()
                let trace = try SampleTraces(workspace).trace(of: row.index, in: target.log)
                guard let trace else {
                    throw Failure(
                        "\(row.id): the log tells nothing of what was done for it: there is no trace to make.")
                }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object {
                        $0.member("trace", trace.summary.externalID)
                        $0.member("failing_span", ifPresent: trace.failingSpan)
                    }
                    return Output.result(json.text)
                }
                Output.result(trace.summary.externalID)
                Output.note(
                    "orrery trace show \(trace.summary.externalID.prefix(12)), or orrery, where it is a run of the first panel"
                )
            }
        }
    }
}
