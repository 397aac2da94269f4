/// A form that edits several values, each with its name, its allowed range, and its error.
///
/// The form reads no files: Tab in a path returns the text to complete, and `complete` receives the candidates, so a
/// slow file system never delays a key.
///
/// ```swift
/// var form = Form("Settings", [
///     .init("temperature", value: "0.7", allowed: "0 to 2", help: "0 always takes the most probable token") { ... },
///     .init("stream", value: "on", choices: ["on", "off"]),
/// ])
/// if case .accepted(let values) = form.press(key) { apply(values) }
/// ```
public struct Form: Sendable {
    /// One line of the form.
    public struct Field: Sendable {
        /// Name, which is also the key of the value.
        public var name: String
        /// Current text.
        public var value: String
        /// Default that applies if the value is empty, in a few words; empty if there is none.
        public var defaultValue: String
        /// Allowed values; empty if the user can type any text.
        public var choices: [String]
        /// Range or format of a typed value, in a few words: `0 to 2`.
        public var allowed: String
        /// A sentence about the field, shown while the cursor is on it.
        public var help: String
        /// Returns an error message for an invalid value, or `nil`.
        public var check: @Sendable (String) -> String?
        /// Whether the value is a path that Tab completes; in other fields, Tab moves to the next field.
        public var isPath: Bool

        /// Creates a field.
        public init(
            _ name: String, value: String, defaultValue: String = "", choices: [String] = [], allowed: String = "",
            help: String = "", isPath: Bool = false, check: @escaping @Sendable (String) -> String? = { _ in nil }
        ) {
            self.name = name
            self.value = value
            self.defaultValue = defaultValue
            self.choices = choices
            self.allowed = allowed
            self.help = help
            self.isPath = isPath
            self.check = check
        }

        /// Value as displayed while the user is editing another field.
        var shown: String { value.isEmpty ? defaultNote : value }
        /// Default in effect, labeled as such; empty if there is none.
        var defaultNote: String { defaultValue.isEmpty ? "" : "\(defaultValue) (default)" }
    }

    /// Title in the border.
    public let title: String
    /// Fields from top to bottom, with their current values.
    public private(set) var fields: [Field]
    /// Verb for Enter in the key hints: `apply`.
    public var verb: String
    private(set) var list: ListView
    private(set) var input = TextField()
    private let initial: [String]

    /// Creates a form.
    public init(_ title: String, verb: String = "apply", _ fields: [Field]) {
        self.title = title
        self.verb = verb
        self.fields = fields
        initial = fields.map(\.value)
        list = ListView(count: fields.count, height: Self.maxRows, context: 1)
        edit()
    }

    static var maxRows: Int { 16 }

    /// Field under the cursor; `nil` if the form has no fields.
    public var selected: Field? { fields.indices.contains(list.selection) ? fields[list.selection] : nil }

    /// Current values by name.
    public var values: [String: String] {
        Dictionary(fields.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Values that the user changed, by name.
    public var changes: [String: String] {
        values.filter { name, value in
            fields.firstIndex { $0.name == name }.map { initial[$0] != value } ?? false
        }
    }

    func isChanged(_ row: Int) -> Bool { fields[row].value != initial[row] }

    /// Returns an error message for the value of a row, or `nil`.
    func problem(_ row: Int) -> String? {
        let field = fields[row]
        if !field.choices.isEmpty, !field.choices.contains(field.value) {
            return "one of \(field.choices.joined(separator: ", "))"
        }
        return field.check(field.value)
    }

    /// Results of pressing a key.
    public enum Outcome: Sendable {
        /// The form stays open.
        case stays
        /// The caller must find the paths that start with this text and pass them to `complete`.
        case completing(String)
        /// The user accepted the form with these values, by name.
        case accepted([String: String])
        /// The user closed the form without changes.
        case closed
    }

    /// Handles a key: arrows move, Tab completes or moves, text edits, Left and Right change a choice, Enter accepts,
    /// and Esc closes.
    public mutating func press(_ key: Key) -> Outcome {
        switch (key.code, key.modifiers) {
        case (.escape, _), (.character("c"), .control): return .closed
        case (.enter, _): return accept()
        case (.up, _), (.tab, .shift): move(by: -1)
        case (.tab, []) where selected?.isPath == true:
            input.deselect()
            return .completing(input.beforeCursor)
        case (.down, _), (.tab, []): move(by: 1)
        case (.pageUp, _): move(by: -Self.maxRows)
        case (.pageDown, _): move(by: Self.maxRows)
        default: change(key)
        }
        return .stays
    }

    /// Adds pasted text to the value under the cursor.
    public mutating func paste(_ text: String) {
        guard let selected, selected.choices.isEmpty else { return }
        input.insert(text)
        fields[list.selection].value = input.text
    }

    /// Completes the path under the cursor. Candidates for text that has changed since are ignored.
    public mutating func complete(_ text: String, with candidates: [String]) {
        guard selected?.isPath == true, input.beforeCursor == text else { return }
        input.complete(with: candidates)
        fields[list.selection].value = input.text
    }

    private mutating func move(by rows: Int) {
        list.move(by: rows)
        edit()
    }

    /// Starts editing the value under the cursor: typed text replaces it, and arrow keys keep it.
    private mutating func edit() {
        input = TextField(selected?.value ?? "", isSelected: true)
    }

    private mutating func change(_ key: Key) {
        guard let field = selected else { return }
        guard !field.choices.isEmpty else {
            input.press(key)
            return fields[list.selection].value = input.text
        }
        let count = field.choices.count
        let place = field.choices.firstIndex(of: field.value)
        switch key.code {
        case .left: take(choice: ((place ?? 0) + count - 1) % count)
        case .right, .character(" "): take(choice: place.map { ($0 + 1) % count } ?? 0)
        case .character(let character):
            // Start after the current choice, so that repeating a letter cycles through all choices that start with it.
            let start = (place ?? -1) + 1
            let wanted = (0..<count).map { (start + $0) % count }.first {
                field.choices[$0].lowercased().hasPrefix(character.lowercased())
            }
            if let wanted { take(choice: wanted) }
        default: break
        }
    }

    private mutating func take(choice: Int) {
        fields[list.selection].value = fields[list.selection].choices[choice]
    }

    private mutating func accept() -> Outcome {
        guard let wrong = fields.indices.first(where: { problem($0) != nil }) else { return .accepted(values) }
        list.select(wrong)
        edit()
        return .stays
    }

    /// Moves to the field drawn at a point on the screen.
    public mutating func click(at point: Point, in screen: Rect) {
        guard let row = list.row(at: point, in: listArea(in: screen)) else { return }
        list.select(row)
        edit()
    }
}
