import ArgumentParser
import Commands
import Workspace

/// The command line: `orrery` alone opens the workbench; every other command is a noun and a verb.
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
            Without a noun, orrery opens the workbench with the default workspace, another workspace file, or a \
            recorded file, which it imports and shows. Press ? for a list of all keys.
            """,
        version: ProgramVersion.number,
        subcommands: [OpenCommand.self] + Commands.data
            + [
                ShowCommand.self, Commands.workspace, NotebookCommand.self, ConfigCommand.self, DoctorCommand.self,
                ReferenceCommand.self,
            ],
        defaultSubcommand: OpenCommand.self)
}
