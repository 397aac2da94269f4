internal import Configuration

/// The keys that a person has bound anew, by panel and action.
public struct KeyRebindings: Hashable, Sendable {
    /// One line of `[keys]`.
    public struct Entry: Hashable, Sendable {
        /// The panel of the entry; nil in `[keys]`, which applies to every panel with an action of that name.
        public let panel: String?
        public let action: String
        /// Each a key or several that follow each other; empty leaves the action without a key.
        public let keys: [[Key]]
        let path: String
        let line: Int?
    }

    public private(set) var entries: [Entry] = []

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// The keys of an action: those that were chosen, or those that are built in.
    ///
    /// - Parameter panel: nil for the keys that all panels share.
    public func keys(for action: String, panel: String?, standard: [[Key]]) -> [[Key]] {
        entry(for: action, panel: panel)?.keys ?? standard
    }

    /// The entry that sets the keys of an action: the panel's own, or else the one for all panels.
    func entry(for action: String, panel: String?) -> Entry? {
        let own = entries.last { $0.panel == panel && $0.action == action }
        return own ?? entries.last { $0.panel == nil && $0.action == action }
    }

    /// Problems with the keys of a panel: unknown actions, keys with two meanings, and keys that are the beginning of
    /// another key sequence.
    ///
    /// - Parameters:
    ///   - actions: the panel's actions with their built-in keys.
    ///   - others: actions of other panels, which an entry without a panel may also name.
    public func problems(
        panel: String?, actions: [(action: String, standard: [[Key]])], others: Set<String> = []
    ) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        let names = actions.map(\.action)
        let mine = names.compactMap { entry(for: $0, panel: panel) }
        for entry in entries where entry.panel == panel && !names.contains(entry.action) {
            guard !others.contains(entry.action) else { continue }
            let hint = NearestName.question(about: entry.action, among: names + others.sorted())
            let table = panel.map { "[keys.\($0)]" } ?? "[keys]"
            problems.append(problem(entry, "unknown action \"\(Quotation.of(entry.action))\" in \(table).\(hint)"))
        }
        var owners: [(keys: [Key], action: String)] = []
        for (action, standard) in actions {
            for keys in keys(for: action, panel: panel, standard: standard) {
                for owner in owners where owner.action != action {
                    guard let text = Self.conflict(keys, of: action, with: owner.keys, of: owner.action),
                        let entry = mine.last(where: { $0.action == action || $0.action == owner.action })
                    else { continue }
                    problems.append(problem(entry, text))
                }
                owners.append((keys, action))
            }
        }
        return problems
    }

    private static func conflict(_ keys: [Key], of action: String, with others: [Key], of owner: String) -> String? {
        let (name, otherName) = (KeyNotation.text(of: keys), KeyNotation.text(of: others))
        if keys == others { return "the key \(name) means both \(owner) and \(action); the first one gets it." }
        if keys.starts(with: others) {
            return "the key \(otherName) of \(owner) begins \(name) of \(action), which is never reached."
        }
        if others.starts(with: keys) {
            return "the key \(name) of \(action) begins \(otherName) of \(owner), which is never reached."
        }
        return nil
    }

    private func problem(_ entry: Entry, _ text: String) -> SettingProblem {
        SettingProblem(place: entry.path, line: entry.line, text)
    }

    /// The panels that were named, to be told apart from those that there are.
    public func problems(panels: [String]) -> [SettingProblem] {
        var seen: Set<String> = []
        return entries.compactMap { entry in
            guard let panel = entry.panel, !panels.contains(panel), seen.insert(panel).inserted else { return nil }
            let hint = NearestName.question(about: panel, among: panels)
            return problem(entry, "unknown panel \"\(Quotation.of(panel))\" in [keys].\(hint)")
        }
    }
}
