import ArgumentParser
import Console
import Evals
import JSON
import Traces
import Workspace

extension EvalCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the runs of the workspace and of logs opened in it, or those of other logs.",
            discussion: """
                A count of - is not known: a large log tells it only once it has been read, as orrery eval show LOG \
                --samples does.
                """)

        @Argument(help: "Logs of other programs, or folders of them; without any, the workspace.", completion: .file())
        var logs: [String] = []

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let runs = try found()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("runs", runs) }
                    return Output.result(json.text)
                }
                if runs.isEmpty { return Output.note("no runs yet: orrery eval run TASK --model MODEL makes one.") }
                Output.result(EvalText.table(of: runs))
            }
        }

        private func found() throws -> [EvalRun] {
            guard logs.isEmpty else { return try logs.flatMap { try EvalLogFormats.open($0).map { $0.countedRun() } } }
            guard !place.isUnused else { return [] }
            let workspace = try place.openForReading()
            return try EvalStore(workspace).runs() + OpenEvalLogs(in: workspace).logs.map { $0.countedRun() }
        }
    }
}
