internal import Console

/// One action of a page: its keys, its words, when it is available, and what it does.
package struct Action<P> {
    /// Key sequences in the notation of `KeyNotation`; the first is shown.
    package var keys: [String]
    /// The name in settings, tests, and the `:` line: `next-error`.
    package var name: String
    package var description: String
    /// The heading in help.
    package var group: String
    /// A word or two for the footer.
    package var hint: String?
    /// Whether it changes the workspace; read-only workspaces disable it.
    package var writes: Bool
    /// Returns words that depend on the state of the page; `nil` keeps the ones above.
    package var wording: (P) -> ActionWording?
    /// Returns the reason why the action is unavailable, or `nil`.
    package var unless: (P) -> String?
    package var perform: (inout P) -> Work<P>

    /// Returns the binding of the action at an index, for the keymap, help, and KEYS.md.
    func binding(_ index: Int) -> Binding<Int> {
        var binding = Binding(keys: keys, index, name: name, description: description, group: group, hint: hint)
        binding.isWriting = writes
        return binding
    }
}

/// The actions of a page, declared one statement each.
///
/// ```swift
/// actions.group("The chart")
/// actions.add("]", name: "next-curve", "the next curve", hint: "curve", unless: \.whyNoCurve) { $0.nextCurve() }
/// ```
package struct Actions<P: Page> {
    private var declared: [Action<P>] = []
    private var group = Actions.moving
    private var hasText = false

    /// Starts a group of help; actions before the first one belong to "Moving".
    package mutating func group(_ title: String) { group = title }

    /// Adds an action.
    ///
    /// - Parameters:
    ///   - writes: Whether the action changes the workspace; a read-only workspace refuses it.
    ///   - pane: The pane that shows the effect, which gets the focus if it is hidden.
    ///   - unless: Returns the reason why the action is unavailable, or `nil`.
    package mutating func add(
        _ keys: String..., name: String, _ description: String, hint: String? = nil, writes: Bool = false,
        shows pane: P.PaneName? = nil, wording: @escaping (P) -> ActionWording? = { _ in nil },
        unless: @escaping (P) -> String? = { _ in nil }, perform: @escaping (inout P) -> Work<P>
    ) {
        declare(keys, name, description, hint, writes, pane, wording, unless, perform)
    }

    /// Adds an action that only changes the page, in one expression.
    @_disfavoredOverload
    package mutating func add(
        _ keys: String..., name: String, _ description: String, hint: String? = nil, writes: Bool = false,
        shows pane: P.PaneName? = nil, wording: @escaping (P) -> ActionWording? = { _ in nil },
        unless: @escaping (P) -> String? = { _ in nil }, change: @escaping (inout P) -> Void
    ) {
        declare(keys, name, description, hint, writes, pane, wording, unless) { page in
            change(&page)
            return []
        }
    }

    private mutating func declare(
        _ keys: [String], _ name: String, _ description: String, _ hint: String?, _ writes: Bool, _ pane: P.PaneName?,
        _ wording: @escaping (P) -> ActionWording?, _ unless: @escaping (P) -> String?,
        _ perform: @escaping (inout P) -> Work<P>
    ) {
        // A page with matches of its own has its own actions on texts.
        if name == "next-match" { hasText = true }
        declared.append(
            Action(
                keys: keys, name: name, description: description, group: group, hint: hint, writes: writes,
                wording: wording, unless: unless
            ) { page in
                defer { if let pane { page.screen.reveal(pane) } }
                return perform(&page)
            })
    }
}

// MARK: Actions of all pages

extension Actions {
    static var moving: String { "Moving" }
    static var reading: String { "Reading" }

    /// The actions of a page with those that all pages share.
    static var all: [Action<P>] {
        var own = Actions()
        P.actions(&own)
        if !own.hasText, P.panes.contains(where: { $0.text != nil || $0.filter != nil }) {
            own.group(reading)
            own.addText()
        }
        let isMoving = { (action: Action<P>) in action.group == moving }
        return rows + own.declared.filter(isMoving) + panes + own.declared.filter { !isMoving($0) }
    }

    private static var rows: [Action<P>] {
        var actions = Actions()
        actions.add("j", "down", name: "down", "go to the next row or line") { $0.move(.rows(1)) }
        actions.add("k", "up", name: "up", "go to the previous row or line") { $0.move(.rows(-1)) }
        actions.add("pgdn", "ctrl-d", name: "page-down", "go one page down") { $0.move(.pages(1)) }
        actions.add("pgup", "ctrl-u", name: "page-up", "go one page up") { $0.move(.pages(-1)) }
        actions.add("gg", "home", name: "top", "go to the first row") { $0.move(.start) }
        actions.add("G", "end", name: "end", "go to the last row") { $0.move(.end) }
        return actions.declared
    }

    private static var panes: [Action<P>] {
        var actions = Actions()
        actions.add("esc", name: "back", "go back one level") { $0.leave() }
        actions.add("tab", name: "next-pane", "go to the next pane", hint: "pane") { $0.moveFocus(by: 1) }
        actions.add("shift-tab", name: "previous-pane", "go to the previous pane") { $0.moveFocus(by: -1) }
        actions.add("z", name: "zoom", "show only this pane, or all", hint: "zoom") { $0.screen.isZoomed.toggle() }
        return actions.declared
    }

    /// Adds the actions of texts and filters. Pages that do not call it have them last, in "Reading".
    ///
    /// - Parameter missing: Why they are unavailable while there is no text.
    package mutating func addText(
        find: String = "find text in this pane", missing: String = "open a run first"
    ) {
        hasText = true
        add("/", name: "find", find, unless: { $0.canFind ? nil : missing }) { $0.find() }
        add("n", name: "next-match", "go to the next match", unless: { $0.whyNoSearch }) { page in
            page.changeText { $0.findNext() }
        }
        add("N", name: "previous-match", "go to the previous match", unless: { $0.whyNoSearch }) { page in
            page.changeText { $0.findPrevious() }
        }
        add("w", name: "wrap", "wrap or truncate long lines", unless: { $0.hasText ? nil : missing }) { page in
            page.changeText { $0.setWraps(!$0.wraps) }
        }
    }
}

extension Page {
    /// The pane that has the keys.
    private var focused: Pane<Self>? { Self.panes.first { $0.name == screen.focus && $0.isPresent(self) } }

    mutating func move(_ motion: Motion) { focused?.move(&self, motion) }

    mutating func moveFocus(by step: Int) {
        let names = Self.panes.filter { $0.isPresent(self) }.map(\.name)
        guard let index = names.firstIndex(of: screen.focus) else { return }
        screen.focus = names[(index + step + names.count) % names.count]
    }

    /// Discards text selected with the mouse.
    ///
    /// - Returns: Whether there was any.
    @discardableResult
    mutating func clearSelection() -> Bool {
        let selected = Self.panes.compactMap(\.text).filter { self[keyPath: $0].selectedText != nil }
        for path in selected { self[keyPath: path].clearSelection() }
        return !selected.isEmpty
    }

    /// Leaves the selection of text, then zoom, then what the page can leave, then the pane, then the page.
    mutating func leave() -> Work<Self> {
        if clearSelection() { return [] }
        if screen.isZoomed {
            screen.isZoomed = false
            return []
        }
        if let work = back() { return work }
        guard let first = Self.panes.first(where: { $0.isPresent(self) })?.name, screen.focus != first else {
            return .back
        }
        screen.focus = first
        return []
    }

    // MARK: Find

    /// The text that find searches: the focused pane's, or else the first text pane's.
    private var textPane: (name: PaneName, path: WritableKeyPath<Self, TextView>)? {
        let texts = Self.panes.compactMap { pane in
            pane.text.flatMap { pane.isPresent(self) ? (name: pane.name, path: $0) : nil }
        }
        return texts.first { $0.name == screen.focus } ?? texts.first
    }

    fileprivate var canFind: Bool { focused?.filter != nil || hasText }

    /// Filters the focused list or tree while the user types, or finds text.
    fileprivate func find() -> Work<Self> {
        guard let filter = focused?.filter else {
            return .prompt("find ", history: "find") { page, typed in
                page.changeText { $0.find(typed.trimmed) }
                return []
            }
        }
        func set(_ page: inout Self, _ text: String) -> Work<Self> {
            page[keyPath: filter] = text
            return []
        }
        let before = self[keyPath: filter]
        return .prompt("filter ", text: before, live: set, cancelled: { set(&$0, before) }, then: set)
    }

    fileprivate var hasText: Bool { textPane.map { !self[keyPath: $0.path].sections.isEmpty } ?? false }

    fileprivate var whyNoSearch: String? {
        guard let textPane, self[keyPath: textPane.path].search != nil else { return "search first: press /" }
        return nil
    }

    fileprivate mutating func changeText(_ change: (inout TextView) -> Void) {
        guard let textPane else { return }
        change(&self[keyPath: textPane.path])
        screen.reveal(textPane.name)
    }
}
