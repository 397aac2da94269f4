import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import JSON
import Workspace

extension EvalCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the runs in the workspace and its open logs, or in the given logs.",
            discussion: """
                "-" means that the count is unknown until the log has been read, for example with: \
                orrery eval show LOG --samples
                """)

        @Argument(help: "Log files or folders (default: the workspace).", completion: .file())
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
                if runs.isEmpty {
                    return Output.note("no runs yet. To create one, run: orrery eval run TASK --model MODEL")
                }
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
