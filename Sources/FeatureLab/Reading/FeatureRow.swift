/// A feature in a list.
public struct FeatureRow: Hashable, Sendable {
    /// Its number in the dictionary.
    public var feature: Int
    /// Number of tokens on which the feature was active; `nil` if it was never indexed here.
    public var count: Int?
    /// Share of tokens on which the feature was active; `nil` if unknown.
    public var density: Double?
    /// Largest activation; `nil` if unknown.
    public var maximum: Double?
    /// A person's own label, or else the first of others.
    public var label: String?
    /// What the feature fires on, derived from its strongest examples: `fires on planets, moons`; `nil` if unknown.
    public var words: String?
    /// By what it was found: its strength on a token, its activation on a prompt; `nil` in plain lists, and by share
    /// for a feature that never fired on the indexed texts.
    public var score: Double?
    /// The token of the prompt on which it is most active.
    public var position: Int?

    /// A row; what is not known is left out.
    public init(
        feature: Int, count: Int? = nil, density: Double? = nil, maximum: Double? = nil, label: String? = nil,
        words: String? = nil, score: Double? = nil, position: Int? = nil
    ) {
        self.feature = feature
        self.count = count
        self.density = density
        self.maximum = maximum
        self.label = label
        self.words = words
        self.score = score
        self.position = position
    }
}

/// By what a list of features is ordered.
public enum FeatureOrder: String, CaseIterable, Sendable {
    /// Labeled features first, then rare features that few words describe, then the rest. Features that never fire come
    /// last.
    case meaning
    case density, maximum, label, feature

    /// It follows from what features fire on.
    public var needsFirings: Bool { self == .density || self == .maximum || self == .meaning }

    /// Numbers are read from the greatest on, names and labels from the first.
    public var isBestFirst: Bool { self == .density || self == .maximum }
}

/// By what features that are active on a prompt are ordered.
public enum PromptRank: String, CaseIterable, Sendable {
    /// The largest activation on the prompt.
    case activation
    /// The activation as a share of the feature's maximum over the indexed texts; above 1 if it exceeds all of them.
    case share
    /// That activation times −log₂ of the feature's density: bits that its firing tells.
    case rarity

    /// It follows from what features fire on.
    public var needsFirings: Bool { self != .activation }
}
