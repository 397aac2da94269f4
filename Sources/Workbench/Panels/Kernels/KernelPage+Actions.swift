internal import Console
internal import KernelLab
internal import Kernels
internal import Presentation

extension KernelPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "scroll the text to the left", unless: \.whyNoText) {
            $0.text.move(.columns(-1))
        }
        actions.add("l", "right", name: "right", "scroll the text to the right", unless: \.whyNoText) {
            $0.text.move(.columns(1))
        }
        actions.add(
            "enter", name: "open", "open the kernel and go to its rungs", hint: "open", unless: \.whyNotOpened
        ) { $0.openSelected() }
        addMeasuring(to: &actions)
        addReading(to: &actions)
        addManaging(to: &actions)
    }

    private static func addMeasuring(to actions: inout Actions<Self>) {
        actions.group("Measuring")
        actions.add(
            "r", name: "run", "measure every rung against the machine's limit", hint: "run", writes: true,
            unless: \.whyNotMeasured
        ) { page in page.target.map { page.measure($0) } ?? [] }
        actions.add(
            "c", name: "ceilings", "measure the ceilings of this machine", hint: "ceilings", writes: true,
            unless: {
                $0.measuringCeilings == nil ? nil : "the ceilings are already being measured: x cancels"
            }
        ) { $0.measureCeilings() }
        actions.add(
            "s", name: "size", "choose the sizes: 1024, or m=32,k=4096", hint: "size", unless: \.whyNoSizes
        ) { $0.chooseSize() }
        actions.add("]", name: "next-size", "use the next preset size", unless: \.whyNoSizes) {
            $0.changePreset(by: 1)
        }
        actions.add("[", name: "previous-size", "use the previous preset size", unless: \.whyNoSizes) {
            $0.changePreset(by: -1)
        }
        actions.add(
            "t", name: "threads", "switch between one thread and all threads", hint: "threads",
            unless: \.whyNoKernel
        ) { $0.changeThreads() }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "v", name: "view", "show the source, the figures, or the history", hint: "view", unless: \.whyNoKernel
        ) { $0.nextView() }
        actions.addText(find: "find text, or filter launches", missing: nothingShown)
        actions.add(
            "S", name: "sort", "sort launches by time, order, or share of the roof", hint: "sort",
            unless: \.whyNoProfile
        ) { page in
            page.profile?.nextSort()
            return page.profile.map { .notify($0.sortTitle) } ?? []
        }
        actions.add(
            "d", name: "compare", "compare two profiles; the older is the base", hint: "compare",
            unless: \.whyNoProfile
        ) { $0.compare() }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add("i", name: "import", "import a profile", hint: "import", writes: true) { _ in
            .browse(
                "Import a profile",
                isExpected: { name in [".csv", ".json", ".sqlite"].contains { name.hasSuffix($0) } }
            ) { $0.importProfile(PathCompletion.expanded($1.trimmed)) }
        }
        actions.add(
            "a", name: "add", "add your own kernel: a C file with a TOML file next to it", writes: true
        ) { _ in
            .browse("Add a kernel", isExpected: { $0.hasSuffix(".c") || $0.hasSuffix(".toml") }) {
                $0.add(PathCompletion.expanded($1.trimmed))
            }
        }
        actions.add(
            "E", name: "edit", "edit your kernel and measure it again on save", hint: "edit", unless: \.whyNotEdited
        ) { $0.edit() }
        actions.add("y", name: "copy", "copy the figures as Markdown", unless: \.whyNothing) { page in
            page.shown.map { .copy(KernelExport($0).markdown, what: "the figures") } ?? []
        }
        actions.add("e", name: "export", "write the figures to a file (.md or .json)", unless: \.whyNothing) {
            $0.export()
        }
        actions.add(
            "D", name: "delete", "delete the profile, or remove your kernel", writes: true, unless: \.whyNotDeleted
        ) { $0.deleteTarget() }
    }

    // MARK: Why an action is unavailable

    private static let nothingShown = "open a kernel or a profile first"

    private var whyNothing: String? { shown == nil ? Self.nothingShown : nil }
    private var whyNoProfile: String? { profile == nil ? "open a profile first" : nil }
    private var whyNoText: String? {
        screen.focus == .detail ? nil : "only the text pane scrolls sideways: Tab goes there"
    }
    private var whyNoKernel: String? {
        profile == nil ? nil : "open a kernel first: a profile has neither threads nor source"
    }
    private var whyNoSizes: String? {
        if case .operation = kernel?.subject { nil } else { "open one of the built-in kernels first" }
    }
    private var whyNotOpened: String? {
        switch screen.focus {
        case .subjects: subjects.isEmpty ? "there is nothing to open yet" : nil
        case .ladder, .roof: shown == nil ? "open a kernel first" : nil
        case .detail: "the text is already open: Esc goes back"
        }
    }
    private var whyNotMeasured: String? {
        guard let target else { return "select a kernel first" }
        if case .profile = target { return "profiles cannot be measured again: select a kernel" }
        return measuring[target] == nil ? nil : "already being measured: x cancels"
    }
    private var whyNotEdited: String? {
        if case .own = target { return nil }
        return "select one of your own kernels first, or press a to add one"
    }
    private var whyNotDeleted: String? {
        switch target {
        case .profile, .own: nil
        case .operation, nil: "only profiles and your own kernels can be deleted"
        }
    }
}
