internal import Configuration

/// The user's key bindings, by panel and action.
public struct KeyRebindings: Hashable, Sendable {
    /// One line of `[keys]`.
    public struct Entry: Hashable, Sendable {
        /// Panel of the entry; `nil` for an entry in `[keys]`, which applies to every panel that has an action with
        /// that name.
        public let panel: String?
        /// Name of the action.
        public let action: String
        /// Key sequences of the action; an empty list leaves the action without keys.
        public let keys: [[Key]]
        let path: String
        let line: Int?
    }

    /// Entries in the order of the file.
    public private(set) var entries: [Entry] = []

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Returns the keys of an action: the user's, or else the built-in keys.
    ///
    /// - Parameter panel: Panel of the action; `nil` for actions that all panels share.
    public func keys(for action: String, panel: String?, standard: [[Key]]) -> [[Key]] {
        entry(for: action, panel: panel)?.keys ?? standard
    }

    /// Returns the entry that sets the keys of an action: the panel's entry, or else the entry for all panels.
    func entry(for action: String, panel: String?) -> Entry? {
        let own = entries.last { $0.panel == panel && $0.action == action }
        return own ?? entries.last { $0.panel == nil && $0.action == action }
    }

    /// Returns problems with the keys of a panel: unknown actions, keys with two actions, and keys that hide a longer
    /// sequence.
    ///
    /// - Parameters:
    ///   - actions: Actions of the panel with their built-in keys.
    ///   - others: Names of actions in other panels, which are also valid in an entry without a panel.
    public func problems(
        panel: String?, actions: [(action: String, standard: [[Key]])], others: Set<String> = []
    ) -> [SettingProblem] {
        var problems: [SettingProblem] = []
        let names = actions.map(\.action)
        let used = names.compactMap { entry(for: $0, panel: panel) }
        for entry in entries where entry.panel == panel && !names.contains(entry.action) {
            guard !others.contains(entry.action) else { continue }
            let hint = NearestName.question(about: entry.action, among: names + others.sorted())
            let table = panel.map { "[keys.\($0)]" } ?? "[keys]"
            let remedy = hint.isEmpty ? " Type :keys to list the actions of a panel." : hint
            problems.append(problem(entry, "unknown action \"\(Quotation.of(entry.action))\" in \(table).\(remedy)"))
        }
        var owners: [(keys: [Key], action: String)] = []
        for (action, standard) in actions {
            for keys in keys(for: action, panel: panel, standard: standard) {
                for owner in owners where owner.action != action {
                    guard let text = Self.conflict(keys, of: action, with: owner.keys, of: owner.action),
                        let entry = used.last(where: { $0.action == action || $0.action == owner.action })
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
        if keys == others {
            return "the key \(name) is bound to both \(owner) and \(action); it runs \(owner). Change one of them."
        }
        if keys.starts(with: others) {
            return "the key \(otherName) for \(owner) hides the sequence \(name) for \(action). Change one of them."
        }
        if others.starts(with: keys) {
            return "the key \(name) for \(action) hides the sequence \(otherName) for \(owner). Change one of them."
        }
        return nil
    }

    private func problem(_ entry: Entry, _ text: String) -> SettingProblem {
        SettingProblem(place: entry.path, line: entry.line, text)
    }

    /// Returns a problem for each unknown panel in the entries.
    ///
    /// - Parameter panels: Names of all panels.
    public func problems(panels: [String]) -> [SettingProblem] {
        var seen: Set<String> = []
        return entries.compactMap { entry in
            guard let panel = entry.panel, !panels.contains(panel), seen.insert(panel).inserted else { return nil }
            let hint = NearestName.question(about: panel, among: panels)
            let remedy = hint.isEmpty ? " Panels are \(panels.joined(separator: ", "))." : hint
            return problem(entry, "unknown panel \"\(Quotation.of(panel))\" in [keys].\(remedy)")
        }
    }
}
