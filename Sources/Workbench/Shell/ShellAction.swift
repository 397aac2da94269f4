package import Console

/// Actions of the shell's keys, the same in every panel.
package enum ShellAction: Hashable, Sendable {
    case panel(Int)
    case help, commandLine, palette, openElsewhere, back
    case cancelJob, redraw, suspend, quit

    package static let bindings = bindings(of: Panels.all)

    package static func bindings(of panels: [PanelEntry]) -> [Binding<ShellAction>] {
        panels.prefix(9).enumerated().map { index, entry in
            Binding(
                "\(index + 1)", .panel(index), name: "panel-\(entry.identifier)",
                description: "show the \(entry.title) panel", group: "Workbench")
        } + [
            Binding(
                "?", .help, name: "help", description: "show the keys of this panel", group: "Workbench", hint: "help"),
            Binding(":", .commandLine, name: "command-line", description: "type a command", group: "Workbench"),
            Binding("ctrl-p", .palette, name: "palette", description: "find any action by name", group: "Workbench"),
            Binding(
                "o", .openElsewhere, name: "open-elsewhere", description: "open the selection in another panel",
                group: "Workbench"),
            Binding(
                "esc", .back, name: "back", description: "return to the panel that opened this one", group: "Workbench"),
            Binding(
                "x", .cancelJob, name: "cancel-job", description: "cancel the newest job of this panel",
                group: "Workbench"),
            Binding("ctrl-l", .redraw, name: "redraw", description: "redraw the screen", group: "Workbench"),
            Binding(
                "ctrl-z", .suspend, name: "suspend", description: "suspend Orrery; fg resumes it",
                group: "Workbench"),
            Binding("q", "ctrl-c", .quit, name: "quit", description: "quit Orrery", group: "Workbench", hint: "quit"),
        ]
    }
}
