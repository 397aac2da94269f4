import ArgumentParser
import CommandSupport
import EvalLogs
import Evals
import JSON
import System
import Traces
import Workspace

extension EvalCommand {
    struct Trace: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trace",
            abstract: "Save a sample's model calls, tool calls, and searches as a trace.",
            discussion: "The eval panel does the same when you open a sample. An existing trace is reused.")

        @Argument(help: EvalRunNames.help, completion: EvalRunNames.completionWithFiles)
        var word: String

        @Argument(help: "Sample name or number (#).")
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
                    throw Problem(
                        .invalid, row.id, "the log records no steps for this sample, so no trace can be created",
                        remedy: "Choose another sample.")
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
                    "orrery trace show \(trace.summary.externalID.prefix(12)), or open the run in the traces panel "
                        + "of orrery"
                )
            }
        }
    }
}
