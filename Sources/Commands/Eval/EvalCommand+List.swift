import ArgumentParser
import CommandSupport
import Console
import EvalLogs
import Evals
import Workspace

extension EvalCommand {
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the runs in the workspace and its open logs, or in the given logs.",
            discussion: """
                "-" means that the count is unknown until the log has been read, for example with: \
                orrery eval show LOG --samples
                """)

        @Argument(help: "Log files or folders (default: the workspace).", completion: .file())
        var logs: [String] = []

        @OptionGroup var reading: WorkspaceTable

        func result(in options: WorkspaceTable) throws -> Listing<EvalRun> {
            Listing(
                try found(options), "runs",
                empty: "no runs yet. To create one, run: orrery eval run TASK --model MODEL", isEmptyNote: true)
        }

        private func found(_ options: WorkspaceTable) throws -> [EvalRun] {
            guard logs.isEmpty else { return try logs.flatMap { try EvalLogFormats.open($0).map { $0.countedRun() } } }
            guard let workspace = try options.workspace() else { return [] }
            return try EvalStore(workspace).runs() + OpenEvalLogs(in: workspace).logs.map { $0.countedRun() }
        }
    }
}
