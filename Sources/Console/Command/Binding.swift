/// A key binding: the source of help, the footer, the palette, `[keys]` in the settings, and KEYS.md.
///
/// A binding is a plain value. Whether its action can run now depends on the panel, which provides a function that
/// returns why an action is disabled.
///
///     Binding("]e", .next(.error), name: "next-error", description: "go to the next failed step", group: "Replay",
///         hint: "next error")
public struct Binding<Action: Sendable>: Sendable {
    /// Key sequences in the notation of `KeyNotation`, any of which runs the action; the footer shows the first one.
    public var keys: [String]
    /// Action that the keys run.
    public var action: Action
    /// Name in settings and on the command line: `next-error`.
    public var name: String
    /// Effect of the action, starting with a verb, without a capital letter or a period.
    public var description: String
    /// Heading in the help.
    public var group: String
    /// One or two words for the footer; `nil` omits the binding from the footer.
    public var hint: String?
    /// Whether the action changes the workspace. Read-only workspaces disable it.
    public var isWriting = false

    /// Creates a binding with any number of keys.
    public init(
        keys: [String], _ action: Action, name: String, description: String, group: String, hint: String? = nil
    ) {
        self.keys = keys
        self.action = action
        self.name = name
        self.description = description
        self.group = group
        self.hint = hint
    }

    /// Creates a binding with one key sequence.
    public init(
        _ key: String, _ action: Action, name: String, description: String, group: String, hint: String? = nil
    ) {
        self.init(keys: [key], action, name: name, description: description, group: group, hint: hint)
    }

    /// Creates a binding with two key sequences.
    public init(
        _ key: String, _ other: String, _ action: Action, name: String, description: String, group: String,
        hint: String? = nil
    ) {
        self.init(keys: [key, other], action, name: name, description: description, group: group, hint: hint)
    }

    /// Copy of the binding, marked as changing the workspace.
    public var writing: Binding {
        var binding = self
        binding.isWriting = true
        return binding
    }

    /// Returns the binding with its action transformed.
    public func map<Other>(_ transform: (Action) -> Other) -> Binding<Other> {
        var other = Binding<Other>(
            keys: keys, transform(action), name: name, description: description, group: group, hint: hint)
        other.isWriting = isWriting
        return other
    }

    /// Keys as displayed in help: `j, Down`.
    public var label: String { keys.map(KeyLabel.text).joined(separator: ", ") }
}

/// A key formatter for display: `Space`, `Ctrl-P`, `PgDn`; single characters stay as typed.
public enum KeyLabel {
    /// Returns the displayed form of a notation: `ctrl-p` becomes `Ctrl-P`. Invalid notations are returned unchanged.
    public static func text(_ notation: String) -> String {
        (try? KeyNotation.keys(notation)).map(text) ?? notation
    }

    /// Returns the displayed form of a key sequence.
    public static func text(_ keys: [Key]) -> String {
        KeyNotation.text(of: keys).split(separator: " " as Character).map { shown(String($0)) }.joined(separator: " ")
    }

    private static func shown(_ word: String) -> String {
        var rest = Substring(word)
        var parts: [String] = []
        for prefix in ["ctrl-", "alt-", "shift-"] where rest.hasPrefix(prefix) && rest.count > prefix.count {
            parts.append(prefix.prefix(1).uppercased() + prefix.dropFirst())
            rest = rest.dropFirst(prefix.count)
        }
        switch rest {
        case "pgup": parts.append("PgUp")
        case "pgdn": parts.append("PgDn")
        default:
            let isName = KeyNotation.names.contains { $0.name == rest }
            parts.append(isName || !parts.isEmpty ? rest.prefix(1).uppercased() + rest.dropFirst() : String(rest))
        }
        return parts.joined()
    }
}
