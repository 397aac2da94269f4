internal import FeatureLab

/// Which features are listed, and in which order.
enum FeatureQuery: Hashable, Sendable {
    case all(FeatureOrder)
    /// Features that fire on a token in their examples.
    case token(String)
    /// Features with the words in their labels.
    case label(String)
    /// Features that are active in the open text.
    case active(PromptRank)

    /// Parses a typed query: `token: the`, `label: names`, `active`, `active: rarity`, or words of labels.
    init(typed: String) {
        let typed = typed.trimmed
        let halves = typed.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = halves.count == 2 ? String(halves[1]) : ""
        switch halves.first.map({ String($0).trimmed.lowercased() }) {
        case "token" where halves.count == 2:
            self = .token(rest.hasPrefix(" ") && rest.count > 1 ? String(rest.dropFirst()) : rest)
        case "label" where halves.count == 2: self = .label(rest.trimmed)
        case "active": self = .active(PromptRank(rawValue: rest.trimmed) ?? .activation)
        case "", nil: self = .all(.meaning)
        default: self = .label(typed)
        }
    }

    /// Title for the border of the list.
    var title: String {
        switch self {
        case .all(let order): "by \(order.rawValue)"
        case .token(let token): "firing on \(token)"
        case .label(let words): "labeled \(words)"
        case .active(let rank): "active, by \(rank.rawValue)"
        }
    }

    /// The query as the user types it.
    var typed: String {
        switch self {
        case .all: ""
        case .token(let token): "token: \(token)"
        case .label(let words): "label: \(words)"
        case .active(let rank): "active: \(rank.rawValue)"
        }
    }

    /// The next order of the same kind of list.
    var next: FeatureQuery {
        switch self {
        case .all(let order): .all(order.next)
        case .active(let rank): .active(rank.next)
        default: .all(.meaning)
        }
    }

    /// Whether the query selects some of the features.
    var isFiltered: Bool { if case .all = self { false } else { true } }
    /// Whether the query can be answered without an index.
    var isOfText: Bool { if case .active = self { true } else { false } }
    /// The order of the whole list.
    var order: FeatureOrder { if case .all(let order) = self { order } else { .meaning } }
}
