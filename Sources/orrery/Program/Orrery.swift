import ArgumentParser
import Workspace

/// The command line: `orrery` alone opens the workbench, everything else is a noun and a verb.
@main
struct Orrery: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orrery",
        abstract: "A terminal workbench for AI engineers.",
        usage: """
            orrery [FILE | WORKSPACE.orrery]
            orrery <noun> <verb> ...
            """,
        discussion: """
            Without a noun it opens the workbench: on the workspace where things are kept by default, on another \
            workspace file, or on a recorded file, which is imported and shown. Every key is listed under ?.
            """,
        version: ProgramVersion.number,
        subcommands: [
            OpenCommand.self, TraceCommand.self, CorpusCommand.self, ModelCommand.self, TrainCommand.self,
            AttentionCommand.self, FeatureCommand.self, AgentCommand.self, EvalCommand.self, KernelCommand.self,
            ShowCommand.self,
            WorkspaceCommand.self, NotebookCommand.self,
            ConfigCommand.self, DoctorCommand.self, ReferenceCommand.self, SurfacesCommand.self,
        ],
        defaultSubcommand: OpenCommand.self)
}
