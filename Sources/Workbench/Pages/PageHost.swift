package import Console
internal import Workspace

/// Runs one page in the shell: resolves its keys, places and draws its panes, and passes replies to continuations.
package final class PageHost<P: Page>: PanelHosting {
    package private(set) var page: P
    package private(set) var isStarted = false
    private let actions = Actions<P>.all
    private let panes = P.panes
    private let isReadOnly: Bool
    private var keymap: Keymap<Int>
    private var continuations = Continuations<P>()
    private var area = Rect(Size(0, 0))
    /// The last move of the focus off a pane that was absent.
    private var moved: (from: P.PaneName, to: P.PaneName)?
    private let reads: [Reads<P>.Read]
    /// The questions of the reads that were last asked, by key.
    private var asked: [String: Any] = [:]
    /// The panes that wait for open reads, by key.
    private var open: [String: P.PaneName] = [:]
    /// Whether the busy marks are due in a moment.
    private var isMarking = false
    /// Whether the mouse was pressed in a text and not yet released.
    private var isSelecting = false

    package init(_ context: PanelContext, page: P? = nil) {
        self.page = page ?? P(context)
        var reads = Reads<P>()
        P.reads(&reads)
        self.reads = reads.all
        isReadOnly = context.workspace.access == .readOnly
        keymap = Keymap(Self.bindings, rebindings: context.settings.keys, panel: P.about.identifier)
    }

    package static var bindings: [Binding<Int>] { Actions<P>.all.enumerated().map { $1.binding($0) } }

    // MARK: Changes

    /// Changes the page, places its panes, and asks the reads whose questions changed.
    package func update(_ change: (inout P) -> Work<P>) -> [ShellEffect] {
        let effects = change(&page).effects(&continuations)
        return effects + settle()
    }

    package func settle() -> [ShellEffect] {
        placePanes()
        let work = askReads()
        return work.effects(&continuations) + busyEffects() + advanceTexts()
    }

    /// Moves the focus off a pane that the page does not have now, and back once it has it again, unless the user moved
    /// the focus meanwhile: a restored pane may have no rows yet.
    private func moveFocusToPresentPane() {
        let present = panes.filter { $0.takesFocus && $0.isPresent(page) }.map(\.name)
        if let moved, moved.to != page.screen.focus || present.contains(moved.from) {
            if moved.to == page.screen.focus { page.screen.focus = moved.from }
            self.moved = nil
        }
        guard !present.contains(page.screen.focus) else { return }
        let index = panes.firstIndex { $0.name == page.screen.focus } ?? 0
        guard let other = panes[..<index].last(where: { present.contains($0.name) })?.name ?? present.first else {
            return
        }
        moved = (from: moved?.from ?? page.screen.focus, to: other)
        page.screen.focus = other
    }

    private func placePanes() {
        page.screen.size = area.size
        moveFocusToPresentPane()
        let tree = page.layout(in: area.size)
        place(tree)
        // A text wraps differently in a new width, so it may need more or fewer rows.
        let wrapped = page.layout(in: area.size)
        if wrapped != tree { place(wrapped) }
    }

    private func place(_ tree: PaneTree<P.PaneName>) {
        page.screen.placed = tree.areas(in: area, zoomed: page.screen.isZoomed ? page.screen.focus : nil)
        page.screen.contents = [:]
        for placed in page.screen.placed {
            guard let pane = pane(placed.pane) else { continue }
            let content = pane.contentArea(in: placed.area)
            page.screen.contents[placed.pane] = content
            pane.layOut(&page, in: content)
        }
    }

    /// Asks the reads whose questions changed.
    private func askReads() -> Work<P> {
        guard isStarted else { return [] }
        let repeated = continuations.repeated
        continuations.repeated = []
        var work: Work<P> = []
        for read in reads {
            let (question, isNew) = read.question(page, asked[read.key])
            guard isNew || (repeated.contains(read.key) && question != nil) else { continue }
            asked[read.key] = question
            // A pane that is only refreshed keeps its contents and needs no mark.
            open[read.key] = question == nil || repeated.contains(read.key) ? nil : read.pane
            work = work + read.work(&page, question)
            // Room and questions may depend on what a text shows now.
            placePanes()
        }
        return work
    }

    private struct MarkBusy: Sendable {}

    /// Marks panes whose reads take longer than a moment.
    private func busyEffects() -> [ShellEffect] {
        page.screen.busy.formIntersection(open.values)
        defer { isMarking = !open.isEmpty }
        if open.isEmpty { return isMarking ? [.cancel(key: "busy")] : [] }
        return isMarking ? [] : [.wait(key: "busy", for: .milliseconds(200), then: MarkBusy())]
    }

    private struct AdvanceText: Sendable {}

    /// Continues searches and coloring of long texts, a slice per frame.
    private func advanceTexts() -> [ShellEffect] {
        var isUnfinished = false
        for pane in panes {
            guard case .text(let path) = pane.content, page[keyPath: path].needsAdvance else { continue }
            if page[keyPath: path].advance() { isUnfinished = true }
        }
        return isUnfinished ? [.wait(key: "text", for: .zero, then: AdvanceText())] : []
    }

    private func pane(_ name: P.PaneName) -> Pane<P>? { panes.first { $0.name == name && $0.isPresent(page) } }

    // MARK: Actions

    /// Returns the reason why an action is unavailable, or `nil`.
    private func reason(_ index: Int) -> String? {
        isReadOnly && actions[index].writes ? P.readOnlyReason : actions[index].unless(page)
    }

    private func perform(_ index: Int) -> KeyOutcome {
        if let reason = reason(index) { return .refused(reason) }
        return .done(update(actions[index].perform))
    }

    package func press(_ key: Key) -> KeyOutcome {
        switch keymap.press(key) {
        case .action(let index): perform(index)
        case .pending: .waits
        case .unbound: .unbound
        }
    }

    package func run(command: String) -> KeyOutcome {
        guard let index = actions.firstIndex(where: { $0.name == command }) else { return .unbound }
        return perform(index)
    }

    package func run(command: String, words: [String]) -> [ShellEffect]? {
        ifAny { $0.run(command: command, words: words) }
    }

    /// Performs a change that may not apply.
    private func ifAny(_ change: (inout P) -> Work<P>?) -> [ShellEffect]? {
        var applies = false
        let effects = update { page in
            guard let work = change(&page) else { return [] }
            applies = true
            return work
        }
        return applies ? effects : nil
    }

    package func click(_ mouse: Mouse) -> [ShellEffect] {
        if mouse.action == .drag || mouse.action == .release { return select(mouse) }
        guard let placed = page.screen.placed.first(where: { $0.area.contains(mouse.point) }),
            let pane = pane(placed.pane)
        else { return [] }
        switch mouse.action {
        case .scrollUp, .scrollDown:
            return update { page in
                pane.scroll(&page, by: mouse.action == .scrollUp ? -3 : 3)
                return []
            }
        case .press, .doubleClick:
            if let action = pane.action { return mouse.action == .press ? ifAvailable(action) : [] }
            var opens = false
            let effects = update { page in
                page.clearSelection()
                isSelecting = pane.text != nil && mouse.button == .left
                if pane.takesFocus { page.screen.focus = pane.name }
                opens = pane.press(&page, at: mouse.point, in: pane.contentArea(in: placed.area))
                return []
            }
            return effects + (mouse.action == .doubleClick && opens ? ifAvailable("open") : [])
        case .release, .drag: return []
        }
    }

    /// Selects text from the pressed cell of the focused pane, and copies it on release.
    private func select(_ mouse: Mouse) -> [ShellEffect] {
        guard isSelecting, let pane = pane(page.screen.focus), let path = pane.text,
            let area = page.screen.area(of: pane.name).map({ pane.part(page, $0) })
        else { return [] }
        isSelecting = mouse.action == .drag
        return update { page in
            if isSelecting { page[keyPath: path].extendSelection(to: mouse.point, in: area) }
            guard !isSelecting, let text = page[keyPath: path].selectedText else { return [] }
            return .copy(text, what: "the selected text")
        }
    }

    /// Performs an action by its name, silently if it is unavailable.
    private func ifAvailable(_ name: String) -> [ShellEffect] {
        if case .done(let effects) = run(command: name) { effects } else { [] }
    }

    // MARK: The shell

    package var identifier: String { P.about.identifier }
    package var title: String { P.about.title }
    package var opens: Set<Reference.Kind> { P.about.opens }
    package var homeOf: Set<Reference.Kind> { P.about.homeOf }
    package var selection: Reference? { page.selection }
    package var pendingKeys: String { keymap.pendingText }
    package func cancelPendingKeys() { keymap.cancelPending() }
    package var commandNames: [String] { P.commands + actions.map(\.name) }
    package var keyActions: [BoundAction] { keymap.bindings.map { BoundAction($0) } }
    package var help: [HelpView.Group] { HelpView.groups(of: worded.map(\.binding), disabled: reason) }

    package var hints: [KeyHint] {
        let all = worded
        return (all.filter(\.isFirst) + all.filter { !$0.isFirst }).compactMap { binding, _ in
            guard let hint = binding.hint, let key = binding.keys.first, reason(binding.action) == nil else {
                return nil
            }
            return KeyHint(KeyLabel.text(key), hint)
        }
    }

    /// The bindings in the words of the current state.
    private var worded: [(binding: Binding<Int>, isFirst: Bool)] {
        keymap.bindings.map { binding in
            guard let wording = actions[binding.action].wording(page) else { return (binding, false) }
            var worded = binding
            worded.hint = wording.hint
            worded.description = wording.description ?? binding.description
            return (worded, wording.isFirst)
        }
    }

    package var paletteItems: [Choice<PaletteEntry>] {
        keymap.bindings.map { binding in
            Choice(
                binding.description, group: binding.name, facts: [binding.label],
                disabledReason: reason(binding.action),
                value: .panel(binding.name))
        }
    }

    package func rebind(_ rebindings: KeyRebindings) {
        keymap = Keymap(Self.bindings, rebindings: rebindings, panel: identifier)
    }

    package func start(saved: String?) -> [ShellEffect] {
        isStarted = true
        return update { page in
            if var archive = saved.flatMap(Archive.init(text:)) { Self.archive(&page, &archive) }
            return []
        }
    }

    package func save() -> String {
        var (copy, archive) = (page, Archive())
        // A restored pane that waits for a read keeps its place.
        if let moved, moved.to == page.screen.focus, !open.isEmpty { copy.screen.focus = moved.from }
        Self.archive(&copy, &archive)
        return archive.text
    }

    private static func archive(_ page: inout P, _ archive: inout Archive) {
        archive("pane", &page.screen.focus)
        archive("zoomed", &page.screen.isZoomed)
        page.archive(&archive)
    }

    package func place(_ area: Rect) -> [ShellEffect] {
        self.area = area
        return update { _ in [] }
    }

    package func answer(_ value: any Sendable) -> [ShellEffect] { collect(value) + settle() }

    package func collect(_ value: any Sendable) -> [ShellEffect] {
        if value is MarkBusy {
            isMarking = false
            page.screen.busy = Set(open.values)
        }
        guard let reply = value as? Reply, let run = continuations.take(reply) else { return [] }
        open[reply.key] = nil
        return run(&page).effects(&continuations)
    }

    package func fail(key: String, sentence: String) -> [ShellEffect] {
        continuations.takeFailure(key, sentence).map { update($0) } ?? []
    }

    package func workspaceChanged() -> [ShellEffect] {
        continuations.repeated.formUnion(reads.lazy.filter(\.followsWorkspace).map(\.key))
        return update { _ in [] }
    }

    package func open(_ reference: Reference) -> [ShellEffect]? { ifAny { $0.open(reference) } }
    package func preview(of reference: Reference) -> Preview.Work { page.preview(of: reference) }

    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        let placed = page.screen.placed
        let hidden = page.screen.isZoomed ? [] : hiddenTitles
        for (index, part) in placed.enumerated() {
            pane(part.pane)?.draw(
                page, into: &surface, in: part.area, theme: theme,
                isFocused: part.pane == page.screen.focus || placed.count == 1,
                hidden: index == placed.count - 1 ? hidden : [])
        }
    }

    /// Titles of the panes that have no room and that Tab reaches.
    private var hiddenTitles: [String] {
        panes.filter { $0.isPresent(page) && page.screen.contents[$0.name] == nil }.map {
            P.word(of: $0.name) ?? $0.frame(page).title.text
        }.filter { !$0.isEmpty }
    }
}
