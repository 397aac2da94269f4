/// One row of a `Chooser`.
public struct Choice<Value: Sendable>: Sendable {
    /// Main text of the row.
    public var title: String
    /// Dimmed text before the title, such as the name of an action.
    public var group: String
    /// Short facts at the right, each in its own column: size, date, keys.
    public var facts: [String]
    /// A sentence about the choice, shown while the cursor is on it.
    public var detail: String
    /// Whether this is the current value; it is marked, and the cursor starts on it.
    public var isCurrent: Bool
    /// Reason why the choice is disabled; `nil` if it is enabled.
    public var disabledReason: String?
    /// Value that the chooser returns.
    public var value: Value

    /// Creates a choice.
    public init(
        _ title: String, group: String = "", facts: [String] = [], detail: String = "", isCurrent: Bool = false,
        disabledReason: String? = nil, value: Value
    ) {
        self.title = title
        self.group = group
        self.facts = facts
        self.detail = detail
        self.isCurrent = isCurrent
        self.disabledReason = disabledReason
        self.value = value
    }

    /// Returns the same choice with another value.
    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Choice<Other> {
        Choice<Other>(
            title, group: group, facts: facts, detail: detail, isCurrent: isCurrent, disabledReason: disabledReason,
            value: transform(value))
    }

    /// Text that the filter is matched against.
    var searched: String { group.isEmpty ? title : "\(group) \(title)" }
}

extension Choice where Value == String {
    /// Creates a choice whose value is its title.
    public init(_ title: String, facts: [String] = [], detail: String = "", isCurrent: Bool = false) {
        self.init(title, facts: facts, detail: detail, isCurrent: isCurrent, value: title)
    }
}
