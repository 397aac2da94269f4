/// What a key does: the one record that help, footer, palette, `[keys]` in the settings and KEYS.md are made from.
///
/// It is a plain value. Whether its action can run now depends on the state of a panel, which says so by a function
/// from actions to reasons.
///
///     Binding("]e", .next(.error), name: "next-error", description: "to the next failed step", group: "Replay",
///         hint: "next error")
public struct Binding<Action: Sendable>: Sendable {
    /// Key sequences in the notation of `KeyNotation`, any of which does it; the first is the one that is shown.
    public var keys: [String]
    public var action: Action
    /// Its name in settings and on the command line: `next-error`.
    public var name: String
    /// What it does, beginning with a verb or a place, without a capital or a full stop.
    public var description: String
    /// The heading that it stands under in help.
    public var group: String
    /// A word or two for the footer; nil keeps it out.
    public var hint: String?
    /// Whether the action changes the workspace. Read-only workspaces disable it.
    public var isWriting = false

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

    public init(
        _ key: String, _ action: Action, name: String, description: String, group: String, hint: String? = nil
    ) {
        self.init(keys: [key], action, name: name, description: description, group: group, hint: hint)
    }

    public init(
        _ key: String, _ other: String, _ action: Action, name: String, description: String, group: String,
        hint: String? = nil
    ) {
        self.init(keys: [key, other], action, name: name, description: description, group: group, hint: hint)
    }

    /// Returns the binding marked as changing the workspace.
    public var writing: Binding {
        var binding = self
        binding.isWriting = true
        return binding
    }

    /// The same binding of another type of action.
    public func map<Other>(_ transform: (Action) -> Other) -> Binding<Other> {
        var other = Binding<Other>(
            keys: keys, transform(action), name: name, description: description, group: group, hint: hint)
        other.isWriting = isWriting
        return other
    }

    /// The keys as help shows them: `J, Down`.
    public var label: String { keys.map(KeyLabel.text).joined(separator: ", ") }
}

/// How keys are shown to a person: `Space`, `Ctrl-P`, `PgDn`; single characters stay as they are typed.
public enum KeyLabel {
    /// The face of a notation: `ctrl-p` is `Ctrl-P`. What is no notation stays as it is.
    public static func text(_ notation: String) -> String {
        (try? KeyNotation.keys(notation)).map(text) ?? notation
    }

    /// The face of keys that follow each other.
    public static func text(_ keys: [Key]) -> String {
        KeyNotation.text(of: keys).split(separator: " " as Character).map { face(String($0)) }.joined(separator: " ")
    }

    private static func face(_ word: String) -> String {
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
