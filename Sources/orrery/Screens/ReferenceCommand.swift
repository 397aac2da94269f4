import ArgumentParser
import CommandSupport
import Console
import Workbench
import Workspace

/// The `orrery reference` command: documents generated from the program's own definitions.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print KEYS.md or the man page.",
        shouldDisplay: false, subcommands: [Keys.self, Man.self])

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", abstract: "Print every key of every panel as Markdown.")
        func run() throws { Output.result(Workbench.keyReference) }
    }

    struct Man: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "man", abstract: "Print the man page.")
        func run() throws { Output.result(ManPage.text(of: Orrery.self)) }
    }
}

/// A man page generated from the help of the commands.
enum ManPage {
    static func text(of root: any ParsableCommand.Type) -> String {
        var lines = [
            ".TH ORRERY 1 \"\" \"orrery \(ProgramVersion.number)\" \"User Commands\"",
            ".SH NAME", "orrery \\- \(escaped(root.configuration.abstract))",
        ]
        describe(root, path: "", into: &lines, root: root)
        lines += [
            ".SH FILES", ".TP", "$XDG_DATA_HOME/orrery/default.orrery", "default workspace",
            ".TP", "$XDG_CONFIG_HOME/orrery/config.toml", "settings and keys, listed by orrery config show",
            ".TP", "$XDG_STATE_HOME/orrery/orrery.log", "messages printed while the workbench was open",
            ".SH EXIT STATUS", ".TP", "0", "success", ".TP", "1", "failure; standard error explains the cause",
            ".TP", "2", "a gate is undecided", ".TP", "3", "a gate reports a regression", ".TP", "64", "invalid usage",
        ]
        return lines.joined(separator: "\n")
    }

    private static func describe(
        _ command: any ParsableCommand.Type, path: String, into lines: inout [String], root: any ParsableCommand.Type
    ) {
        let name = command._commandName
        let path = path.isEmpty ? name : "\(path) \(name)"
        lines.append(".SH \(path.uppercased())")
        lines.append(".nf")
        let help = command == root ? root.helpMessage() : root.helpMessage(for: command, columns: 78)
        lines += help.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
        lines.append(".fi")
        for subcommand in command.configuration.subcommands where subcommand.configuration.shouldDisplay {
            describe(subcommand, path: path, into: &lines, root: root)
        }
    }

    private static func escaped(_ text: String) -> String {
        let escaped = text.replacing("\\", with: "\\\\").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
