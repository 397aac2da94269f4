package import Console

/// What the kernel panel can be made to do.
package enum KernelAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case run, ceilings, size, nextSize, previousSize, threads
    case search, nextMatch, previousMatch, view, toggleWrap, sort
    case importProfile, addKernel, edit, compare, delete, copy, export
}

extension KernelPanel {
    package static var bindings: [Binding<KernelAction>] { moving + measuring + reading + keeping }

    private static var moving: [Binding<KernelAction>] {
        let group = Binding<KernelAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "scroll the text to the left", group: group),
            Binding("l", "right", .right, name: "right", description: "scroll the text to the right", group: group),
            Binding(
                "enter", .open, name: "open", description: "open the kernel and go to its rungs", group: group,
                hint: "open"),
        ] + Binding.panes
    }

    private static var measuring: [Binding<KernelAction>] {
        let group = "Measuring"
        return [
            Binding(
                "r", .run, name: "run", description: "measure every rung against the machine's limit", group: group,
                hint: "run"
            ).writing,
            Binding(
                "c", .ceilings, name: "ceilings", description: "measure the ceilings of this machine", group: group,
                hint: "ceilings"
            ).writing,
            Binding(
                "s", .size, name: "size", description: "choose the sizes: 1024, or m=32,k=4096", group: group,
                hint: "size"),
            Binding("]", .nextSize, name: "next-size", description: "use the next preset size", group: group),
            Binding(
                "[", .previousSize, name: "previous-size", description: "use the previous preset size", group: group),
            Binding(
                "t", .threads, name: "threads", description: "switch between one thread and all threads", group: group,
                hint: "threads"
            ),
        ]
    }

    private static var reading: [Binding<KernelAction>] {
        let group = "Reading"
        return [
            Binding(
                "v", .view, name: "view", description: "show the source, the figures, or the history", group: group,
                hint: "view"),
            Binding(
                "/", .search, name: "find", description: "find text, or filter launches", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
            Binding("w", .toggleWrap, name: "wrap", description: "wrap or truncate long lines", group: group),
            Binding(
                "S", .sort, name: "sort", description: "sort launches by time, order, or share of the roof",
                group: group,
                hint: "sort"),
            Binding(
                "d", .compare, name: "compare", description: "compare two profiles; the older is the base",
                group: group,
                hint: "compare"),
        ]
    }

    private static var keeping: [Binding<KernelAction>] {
        let group = "Managing"
        return [
            Binding("i", .importProfile, name: "import", description: "import a profile", group: group, hint: "import")
                .writing,
            Binding(
                "a", .addKernel, name: "add",
                description: "add your own kernel: a C file with a TOML file next to it",
                group: group
            ).writing,
            Binding(
                "E", .edit, name: "edit", description: "edit your kernel and measure it again on save", group: group,
                hint: "edit"),
            Binding("y", .copy, name: "copy", description: "copy the figures as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write the figures to a file (.md or .json)", group: group),
            Binding(
                "D", .delete, name: "delete", description: "delete the profile, or remove your kernel", group: group
            ).writing,
        ]
    }

    package func disabledReason(_ action: KernelAction) -> String? {
        switch action {
        case .run:
            guard let target else { return "select a kernel first" }
            if case .profile = target { return "profiles cannot be measured again: select a kernel" }
            return measuring[target] == nil ? nil : "already being measured: x cancels"
        case .ceilings:
            return measuringCeilings == nil ? nil : "the ceilings are already being measured: x cancels"
        case .open:
            switch pane {
            case .subjects: return subjects.rows.isEmpty ? "there is nothing to open yet" : nil
            case .ladder, .roof: return shown == nil ? "open a kernel first" : nil
            case .detail: return "the text is already open: Esc goes back"
            }
        case .threads, .view:
            if case .profile = shown { return "open a kernel first: a profile has neither threads nor source" }
            return nil
        case .size, .nextSize, .previousSize:
            if case .operation = shown { return nil }
            return "open one of the built-in kernels first"
        case .edit:
            if case .own = target { return nil }
            return "select one of your own kernels first, or press a to add one"
        case .delete:
            switch target {
            case .profile, .own: return nil
            default: return "only profiles and your own kernels can be deleted"
            }
        case .compare, .sort:
            if case .profile = shown { return nil }
            return "open a profile first"
        case .left, .right: return pane == .detail ? nil : "only the text pane scrolls sideways: Tab goes there"
        case .search, .toggleWrap: return shown == nil ? "open a kernel or a profile first" : nil
        case .nextMatch, .previousMatch: return text.search == nil ? "search first: press /" : nil
        case .copy, .export: return shown == nil ? "open a kernel or a profile first" : nil
        default: return nil
        }
    }
}
