/// A list that the user narrows by typing, used for every choice in the workbench, from actions to models and files.
///
/// ```swift
/// var chooser = Chooser("Model", models.map { Choice($0.name, facts: [$0.size], isCurrent: $0.id == id, value: $0.id) })
/// switch chooser.press(key) {
/// case .chosen(let ids): use(ids[0])
/// case .typed(let name): add(name)
/// case .refused(let reason): notify(reason)
/// case .stays, .closed: break
/// }
/// ```
public struct Chooser<Value: Sendable>: Sendable {
    /// Title in the border.
    public let title: String
    /// All choices, in their original order.
    public let choices: [Choice<Value>]
    /// Effect of choosing the typed text itself, as a phrase to put before that text: `Add the model at`.
    ///
    /// If `nil`, only listed choices can be chosen.
    public var typedAction: String?
    /// Whether Tab marks rows, so that Enter returns several values.
    public var allowsMultiple = false
    /// Style of the facts at the right; keys stand out more than sizes and dates.
    public var factRole = Role.dim
    /// Text shown if nothing matches.
    public var emptyText = "Nothing matches."
    /// Text shown while the query is empty.
    public var placeholder = "type to filter"
    /// Indices of the choices that match, best first.
    public private(set) var matches: [Int]
    /// Indices of the marked choices, in the order in which they were marked.
    public private(set) var marked: [Int] = []
    /// Rows, with the cursor.
    public private(set) var list: ListView
    private(set) var input = TextField()
    let searched: [String]

    /// Creates a chooser.
    public init(_ title: String, _ choices: [Choice<Value>]) {
        self.title = title
        self.choices = choices
        searched = choices.map(\.searched)
        matches = Array(choices.indices)
        list = ListView(count: choices.count, height: Self.maxRows, context: 1)
        if let current = choices.firstIndex(where: \.isCurrent) { list.select(current) }
    }

    static var maxRows: Int { 14 }

    /// Typed text.
    public var query: String { input.text }

    /// Whether the list ends with a row for the typed text. It does not if a choice has exactly that title.
    var offersTyped: Bool {
        typedAction != nil && !query.isEmpty && !matches.contains { choices[$0].title == query }
    }

    /// Choice under the cursor, even if it is disabled; `nil` on the row for typed text and in an empty list.
    public var selected: Choice<Value>? {
        matches.indices.contains(list.selection) ? choices[matches[list.selection]] : nil
    }

    /// Replaces the filter text.
    public mutating func setQuery(_ query: String) {
        input = TextField(query)
        filter()
    }

    /// Results of pressing a key.
    public enum Outcome: Sendable {
        /// The chooser stays open.
        case stays
        /// The user chose the marked values, or the value under the cursor.
        case chosen([Value])
        /// The user chose the typed text itself instead of a listed choice.
        case typed(String)
        /// The choice is disabled for the given reason.
        case refused(String)
        /// The user closed the chooser without a choice.
        case closed
    }

    /// Handles a key: text edits the filter, arrows move, Tab marks or moves, Enter chooses, and Esc, or Backspace
    /// without text, closes.
    public mutating func press(_ key: Key) -> Outcome {
        switch (key.code, key.modifiers) {
        case (.escape, _), (.character("c"), .control), (.character("p"), .control): return .closed
        case (.enter, _): return choose()
        case (.tab, []) where allowsMultiple: toggleMark()
        case (.up, _), (.character("k"), .control), (.tab, .shift): list.move(by: -1)
        case (.down, _), (.character("j"), .control), (.character("n"), .control), (.tab, []): list.move(by: 1)
        case (.pageUp, _): list.movePages(-1)
        case (.pageDown, _): list.movePages(1)
        case (.home, _) where query.isEmpty: list.moveToStart()
        case (.end, _) where query.isEmpty: list.moveToEnd()
        case (.backspace, _) where query.isEmpty: return .closed
        default:
            let before = query
            input.press(key)
            if query != before { filter() }
        }
        return .stays
    }

    /// Adds pasted text to the filter.
    public mutating func paste(_ text: String) {
        input.insert(text)
        filter()
    }

    private mutating func choose() -> Outcome {
        if !marked.isEmpty { return .chosen(marked.map { choices[$0].value }) }
        if let selected { return selected.disabledReason.map { .refused($0) } ?? .chosen([selected.value]) }
        return offersTyped ? .typed(query) : .stays
    }

    private mutating func toggleMark() {
        guard matches.indices.contains(list.selection), choices[matches[list.selection]].disabledReason == nil else {
            return
        }
        let choice = matches[list.selection]
        if let place = marked.firstIndex(of: choice) { marked.remove(at: place) } else { marked.append(choice) }
        list.move(by: 1)
    }

    private mutating func filter() {
        matches = FuzzyMatcher(query).rank(searched)
        // A choice whose title equals the query comes first, or else one whose action name equals the query.
        let exact =
            matches.firstIndex { choices[$0].title == query } ?? matches.firstIndex { choices[$0].group == query }
        if let exact, !query.isEmpty {
            matches.insert(matches.remove(at: exact), at: 0)
        }
        list = ListView(count: matches.count + (offersTyped ? 1 : 0), height: Self.maxRows, context: 1)
        if query.isEmpty, let current = matches.firstIndex(where: { choices[$0].isCurrent }) { list.select(current) }
    }

    /// Moves to the row drawn at a point on the screen; returns false if there is no row.
    public mutating func click(at point: Point, in screen: Rect) -> Bool {
        let areas = areas(in: screen)
        guard let row = list.row(at: point, in: areas.list) else { return false }
        list.select(row)
        return true
    }
}
