internal import System

/// The key bindings of a panel; resolves keys one at a time, including sequences.
///
///     switch keymap.press(key) {
///     case .action(let action): perform(action)
///     case .pending: showInFooter(keymap.pendingText)
///     case .unbound: passOn(key)
///     }
public struct Keymap<Action: Sendable>: Sendable {
    /// Results of pressing a key.
    public enum Outcome: Sendable {
        /// The key completes the binding of an action.
        case action(Action)
        /// The key starts or continues a sequence.
        case pending
        /// The key has no binding. A sequence that it interrupts is discarded.
        case unbound
    }

    /// Bindings with their current keys.
    public private(set) var bindings: [Binding<Action>]
    /// Invalid notations and conflicting keys.
    public private(set) var problems: [KeymapProblem] = []
    /// Keys of an incomplete sequence.
    public private(set) var pending: [Key] = []
    private var owners: [[Key]: Int] = [:]
    private var prefixes: Set<[Key]> = []

    /// Creates a keymap from bindings, with the keys of some actions replaced.
    ///
    /// - Parameter overrides: Key sequences by action name; an empty list leaves the action without keys.
    public init(_ bindings: [Binding<Action>], overrides: [String: [[Key]]] = [:]) {
        self.bindings = bindings
        for index in bindings.indices {
            let name = bindings[index].name
            guard let sequences = overrides[name] else {
                for notation in bindings[index].keys {
                    do {
                        add(try KeyNotation.keys(notation), index)
                    } catch {
                        problems.append(KeymapProblem(.notation(error.sentence), names: [name]))
                    }
                }
                continue
            }
            self.bindings[index].keys = sequences.map { KeyNotation.text(of: $0) }
            for keys in sequences where !keys.isEmpty { add(keys, index) }
        }
        findOverlaps()
    }

    /// Creates a keymap from bindings and the user's rebindings.
    ///
    /// - Parameter panel: Panel of the bindings; `nil` for bindings that all panels share.
    public init(_ bindings: [Binding<Action>], rebindings: KeyRebindings, panel: String?) {
        var overrides: [String: [[Key]]] = [:]
        for binding in bindings {
            if let entry = rebindings.entry(for: binding.name, panel: panel) { overrides[binding.name] = entry.keys }
        }
        self.init(bindings, overrides: overrides)
    }

    private mutating func add(_ keys: [Key], _ index: Int) {
        if let owner = owners[keys] {
            guard owner != index else { return }
            problems.append(
                KeymapProblem(
                    .conflict(KeyNotation.text(of: keys)), names: [bindings[owner].name, bindings[index].name]))
            return
        }
        owners[keys] = index
        for count in 1..<max(1, keys.count) { prefixes.insert(Array(keys.prefix(count))) }
    }

    /// Finds sequences that are never reached because a shorter sequence comes first.
    private mutating func findOverlaps() {
        for (keys, index) in owners where prefixes.contains(keys) {
            for (longer, other) in owners where longer.count > keys.count && longer.starts(with: keys) {
                problems.append(
                    KeymapProblem(
                        .hidden(KeyNotation.text(of: longer), by: KeyNotation.text(of: keys)),
                        names: [bindings[index].name, bindings[other].name]))
            }
        }
        problems.sort { $0.sentence < $1.sentence }
    }

    /// Handles a key and returns the result.
    public mutating func press(_ key: Key) -> Outcome {
        let keys = pending + [key]
        pending = []
        if let index = owners[keys] { return .action(bindings[index].action) }
        guard prefixes.contains(keys) else { return .unbound }
        pending = keys
        return .pending
    }

    /// Discards an incomplete sequence; call it when another pane gets the keyboard focus.
    public mutating func cancelPending() { pending = [] }

    /// Keys typed so far of a sequence, for the footer; empty if no sequence is pending.
    public var pendingText: String { pending.isEmpty ? "" : KeyLabel.text(pending) }

    /// Bindings that can complete the pending sequence.
    public var continuations: [Binding<Action>] {
        guard !pending.isEmpty else { return [] }
        let indices = owners.filter { $0.key.starts(with: pending) }.values
        return Set(indices).sorted().map { bindings[$0] }
    }

    /// Returns the binding of an action; `nil` for an unknown name.
    public func binding(named name: String) -> Binding<Action>? { bindings.first { $0.name == name } }

    /// Returns the hints for the footer: bindings with a hint that can run now, in order.
    public func hints(disabled: (Action) -> String? = { _ in nil }) -> [KeyHint] {
        bindings.compactMap { binding in
            guard let hint = binding.hint, let key = binding.keys.first, disabled(binding.action) == nil else {
                return nil
            }
            return KeyHint(KeyLabel.text(key), hint)
        }
    }
}

/// A problem with the bindings of a keymap.
public struct KeymapProblem: Hashable, Sendable {
    /// Kinds of problems.
    public enum Kind: Hashable, Sendable {
        /// An invalid notation, with its error message.
        case notation(String)
        /// A key with two actions; the first action keeps it.
        case conflict(String)
        /// A sequence that is never reached because a shorter one comes first.
        case hidden(String, by: String)
    }

    /// Kind of the problem.
    public var kind: Kind
    /// Names of the actions involved.
    public var names: [String]

    package init(_ kind: Kind, names: [String]) {
        self.kind = kind
        self.names = names
    }

    /// Message with the problem, its effect, and a remedy.
    public var sentence: String {
        let first = names.first ?? ""
        let last = names.last ?? ""
        return switch kind {
        case .notation(let sentence): "The key for \(first) is invalid: \(sentence)"
        case .conflict(let key):
            "The key \(key) is bound to both \(first) and \(last); it runs \(first). Change one of them."
        case .hidden(let longer, let shorter):
            "The sequence \(longer) for \(last) is never reached because \(shorter) runs \(first). Change one of them."
        }
    }
}
