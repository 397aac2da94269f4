/// What keys mean in one place: resolves what is typed, one key at a time, sequences included.
///
///     switch keymap.press(key) {
///     case .action(let action): perform(action)
///     case .pending: showInFooter(keymap.pendingText)
///     case .unbound: passOn(key)
///     }
public struct Keymap<Action: Sendable>: Sendable {
    /// What a key came to.
    public enum Outcome: Sendable {
        case action(Action)
        /// It begins a sequence, or goes on with one.
        case pending
        /// It means nothing here; a sequence that it broke off is forgotten.
        case unbound
    }

    /// The bindings, with the keys that are in force.
    public private(set) var bindings: [Binding<Action>]
    /// Notations that mean no key and keys that mean two things.
    public private(set) var problems: [KeymapProblem] = []
    /// The keys of a sequence that is not complete.
    public private(set) var pending: [Key] = []
    private var meanings: [[Key]: Int] = [:]
    private var beginnings: Set<[Key]> = []

    /// The keys of bindings, some of them replaced.
    ///
    /// - Parameter overrides: the key sequences of actions by name; none leaves an action without a key.
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

    /// The keys of bindings with what a person has rebound for a panel, or for all of them where that is nil.
    public init(_ bindings: [Binding<Action>], rebindings: KeyRebindings, panel: String?) {
        var overrides: [String: [[Key]]] = [:]
        for binding in bindings {
            if let entry = rebindings.entry(for: binding.name, panel: panel) { overrides[binding.name] = entry.keys }
        }
        self.init(bindings, overrides: overrides)
    }

    private mutating func add(_ keys: [Key], _ index: Int) {
        if let owner = meanings[keys] {
            guard owner != index else { return }
            problems.append(
                KeymapProblem(
                    .conflict(KeyNotation.text(of: keys)), names: [bindings[owner].name, bindings[index].name]))
            return
        }
        meanings[keys] = index
        for count in 1..<max(1, keys.count) { beginnings.insert(Array(keys.prefix(count))) }
    }

    /// A sequence that begins with another one is never reached.
    private mutating func findOverlaps() {
        for (keys, index) in meanings where beginnings.contains(keys) {
            for (longer, other) in meanings where longer.count > keys.count && longer.starts(with: keys) {
                problems.append(
                    KeymapProblem(
                        .hidden(KeyNotation.text(of: longer), by: KeyNotation.text(of: keys)),
                        names: [bindings[index].name, bindings[other].name]))
            }
        }
        problems.sort { $0.sentence < $1.sentence }
    }

    /// Takes a key.
    public mutating func press(_ key: Key) -> Outcome {
        let keys = pending + [key]
        pending = []
        if let index = meanings[keys] { return .action(bindings[index].action) }
        guard beginnings.contains(keys) else { return .unbound }
        pending = keys
        return .pending
    }

    /// Forgets a sequence that is not complete, as a change of the pane must.
    public mutating func cancelPending() { pending = [] }

    /// What has been typed of a sequence, for the footer; empty when nothing waits.
    public var pendingText: String { pending.isEmpty ? "" : KeyLabel.text(pending) }

    /// What may follow what has been typed.
    public var continuations: [Binding<Action>] {
        guard !pending.isEmpty else { return [] }
        let indices = meanings.filter { $0.key.starts(with: pending) }.values
        return Set(indices).sorted().map { bindings[$0] }
    }

    public func binding(named name: String) -> Binding<Action>? { bindings.first { $0.name == name } }

    /// The footer's hints: bindings that have one and can run now, in their order.
    public func hints(disabled: (Action) -> String? = { _ in nil }) -> [KeyHint] {
        bindings.compactMap { binding in
            guard let hint = binding.hint, let key = binding.keys.first, disabled(binding.action) == nil else {
                return nil
            }
            return KeyHint(KeyLabel.text(key), hint)
        }
    }
}

/// Something wrong with the keys of a place.
public struct KeymapProblem: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// A notation that means no key; its own sentence.
        case notation(String)
        /// A key that two actions have; the first one keeps it.
        case conflict(String)
        /// A sequence that is never reached, since a shorter one acts before.
        case hidden(String, by: String)
    }

    public var kind: Kind
    /// The actions it is about.
    public var names: [String]

    package init(_ kind: Kind, names: [String]) {
        self.kind = kind
        self.names = names
    }

    /// What is wrong and what happens instead.
    public var sentence: String {
        let first = names.first ?? ""
        let last = names.last ?? ""
        return switch kind {
        case .notation(let sentence): "The key of \(first) is not understood: \(sentence)"
        case .conflict(let key): "The key \(key) is bound to \(first) and to \(last); it does \(first)."
        case .hidden(let longer, let shorter):
            "The keys \(longer) of \(last) are never reached, since \(shorter) does \(first)."
        }
    }
}
