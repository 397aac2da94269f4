internal import FeatureLab

/// Which features are listed, and in which order.
enum FeatureQuery: Hashable, Sendable {
    case all(FeatureOrder)
    /// Those whose examples fire on a token.
    case token(String)
    /// Those whose labels have the words.
    case label(String)
    /// Those that are active on the text that is shown.
    case active(PromptRank)

    /// As a person types it: `token: the`, `label: names`, `active`, `active: rarity`; other words are of labels.
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

    /// What the border of the list says.
    var title: String {
        switch self {
        case .all(let order): "by \(order.rawValue)"
        case .token(let token): "firing on \(token)"
        case .label(let words): "labeled \(words)"
        case .active(let rank): "active, by \(rank.rawValue)"
        }
    }

    /// What a person would type for it.
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
        case .all(let order):
            let all = FeatureOrder.allCases
            return .all(all[((all.firstIndex(of: order) ?? 0) + 1) % all.count])
        case .active(let rank):
            let all = PromptRank.allCases
            return .active(all[((all.firstIndex(of: rank) ?? 0) + 1) % all.count])
        default: return .all(.meaning)
        }
    }

    /// The order of the whole list.
    var order: FeatureOrder { if case .all(let order) = self { order } else { .meaning } }
}
