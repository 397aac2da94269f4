import ArgumentParser
import Console
import Workbench
import Workspace

/// `orrery reference`: documents made from the program's own definitions.
struct ReferenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reference", abstract: "Print KEYS.md or the man page.",
        shouldDisplay: false, subcommands: [Keys.self, Man.self])

    struct Keys: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keys", abstract: "Every key of every panel, as Markdown.")
        func run() throws { Output.result(Workbench.keyReference) }
    }

    struct Man: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "man", abstract: "The man page.")
        func run() throws { Output.result(ManPage.text(of: Orrery.self)) }
    }
}

/// A man page from the commands' own help.
enum ManPage {
    static func text(of root: any ParsableCommand.Type) -> String {
        var lines = [
            ".TH ORRERY 1 \"\" \"orrery \(ProgramVersion.number)\" \"User Commands\"",
            ".SH NAME", "orrery \\- \(escaped(root.configuration.abstract))",
        ]
        describe(root, path: "", into: &lines, root: root)
        lines += [
            ".SH FILES", ".TP", "$XDG_DATA_HOME/orrery/default.orrery", "the workspace where no other is named",
            ".TP", "$XDG_CONFIG_HOME/orrery/config.toml", "settings and keys; orrery config show lists them",
            ".TP", "$XDG_STATE_HOME/orrery/orrery.log", "what was printed while the screen was up",
            ".SH EXIT STATUS", ".TP", "0", "done", ".TP", "1", "failed: one sentence on standard error says why",
            ".TP", "2", "a gate cannot tell", ".TP", "3", "a gate says worse", ".TP", "64", "wrong usage",
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
