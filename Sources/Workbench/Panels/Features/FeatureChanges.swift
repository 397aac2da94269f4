internal import Console
internal import Formatting
internal import Interpretability

/// Changes of features, in the order in which the user made them.
struct FeatureChanges: Sendable, Hashable {
    typealias Change = LiveIntervention.FeatureChange

    private(set) var features: [Int] = []
    private var changes: [Int: Change] = [:]
    /// First token at which the changes apply.
    var start = 0

    /// Largest factor.
    private static let most: Float = 64
    /// Smallest factor; below it, the feature is off.
    private static let least: Float = 0.25

    var isEmpty: Bool { features.isEmpty }

    subscript(feature: Int) -> Change? { changes[feature] }

    mutating func set(_ change: Change?, of feature: Int) {
        features.removeAll { $0 == feature }
        changes[feature] = change
        if change != nil { features.append(feature) }
    }

    mutating func removeAll() { self = FeatureChanges() }

    mutating func takeLastBack() {
        if let last = features.last { set(nil, of: last) }
    }

    mutating func toggle(_ feature: Int) { set(changes[feature] == .off ? nil : .off, of: feature) }

    /// Doubles or halves the activation of a feature; below a quarter it is off, and a factor of 1 removes the change.
    mutating func turn(_ feature: Int, up isUp: Bool) {
        let next: Float
        switch changes[feature] {
        case .off: next = isUp ? Self.least : 0
        case .scale(let factor): next = isUp ? min(Self.most, factor * 2) : factor / 2
        case .set(let value): return set(.set(isUp ? value * 2 : value / 2), of: feature)
        case nil: next = isUp ? 2 : 0.5
        }
        set(next == 1 ? nil : next < Self.least ? .off : .scale(next), of: feature)
    }

    // MARK: In words

    func sign(of feature: Int, _ glyphs: Glyphs) -> String {
        switch changes[feature] {
        case nil: ""
        case .off: String(Character(glyphs.failed))
        case .scale(let factor): String(Character(factor > 1 ? glyphs.up : glyphs.down))
        case .set: "="
        }
    }

    /// `417 off, 23 × 4, 8 = 6`.
    var sentence: String {
        features.compactMap { feature in changes[feature].map { "\(feature) \($0.words)" } }.joined(separator: ", ")
            + (start > 0 ? ", from token \(start)" : "")
    }

    /// The changes for the first attached dictionary.
    var interventions: [LiveIntervention] {
        features.compactMap { feature -> LiveIntervention? in
            guard let change = changes[feature] else { return nil }
            return LiveIntervention(.feature(dictionary: 0, feature: feature, change), at: .from(start))
        }
    }
}

extension FeatureChanges.Change {
    var words: String {
        switch self {
        case .off: "off"
        case .scale(let factor): "× \(Format.compact(Double(factor)))"
        case .set(let value): "= \(Format.compact(Double(value)))"
        }
    }
}
