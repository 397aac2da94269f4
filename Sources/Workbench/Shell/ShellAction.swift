package import Console

/// Actions of the shell's keys, the same in every panel.
package enum ShellAction: Hashable, Sendable {
    case place(Int), panel(Int)
    case help, commandLine, palette, openElsewhere, back
    case cancelJob, redraw, suspend, quit

    package static let bindings = bindings(of: Panels.all)

    package static func bindings(of panels: [PanelEntry]) -> [Binding<ShellAction>] {
        let places = PlacePages.of(panels).prefix(9).enumerated().map { index, place in
            let next = place.pages.count > 1 ? ", or go to its next page" : ""
            return Binding<ShellAction>(
                "\(index + 1)", .place(index), name: "place-\(place.info.identifier)",
                description: "open \(place.info.title)\(next)", group: "Workbench")
        }
        let pages = panels.enumerated().map { index, entry in
            Binding<ShellAction>(
                keys: entry.letter.map { ["g \($0)"] } ?? [], .panel(index), name: "panel-\(entry.identifier)",
                description: "show the \(entry.title) page", group: "Workbench")
        }
        return places + pages + shared
    }

    private static var shared: [Binding<ShellAction>] {
        [
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
