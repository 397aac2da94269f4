internal import Glibc
public import Tokenizers

/// All that is known of one feature.
public struct FeatureDashboard: Hashable, Sendable {
    /// Its number in the dictionary.
    public var feature: Int
    /// Own label first, then those of others.
    public var labels: [FeatureLabel] = []
    /// What the feature fires on, derived from its strongest examples; `nil` if unknown.
    public var words: String?
    /// Tokens of the indexed texts that densities are shares of.
    public var tokens = 0
    /// Tokens on which it was active.
    public var count = 0
    /// The share of tokens on which it was active.
    public var density = 0.0
    /// Largest activation; 0 if the feature was never active.
    public var maximum: Float = 0
    /// Of its activations above 0.
    public var mean: Float = 0
    /// Its activations above 0.
    public var histogram = FeatureHistogram()
    /// The largest activations, one a sequence, largest first.
    public var top: [FeatureExample] = []
    /// Examples of ten equal parts of 0 ... maximum, from the maximum down.
    public var groups: [QuantileGroup] = []
    /// Tokens that it makes more likely, largest effect first.
    public var positive: [TokenLogit] = []
    /// Tokens that it makes less likely, strongest first.
    public var negative: [TokenLogit] = []
    /// By Pearson correlation of activations over a sample of tokens.
    public var correlated: [RelatedFeature] = []
    /// By cosine of decoder rows.
    public var neighbors: [RelatedFeature] = []
    /// It was made elsewhere: tokens are texts, and their places are not known.
    public var isImported = false

    /// The dashboard of a feature of which nothing is known yet.
    public init(feature: Int) { self.feature = feature }

    /// A person's own label, or else the first of others.
    public var label: String? { labels.first?.text }
    /// log₁₀ of the density; `nil` if the feature was never active.
    public var logDensity: Double? { density > 0 ? log10(density) : nil }
}

/// Activations above 0 in equal bins from 0 to the maximum.
public struct FeatureHistogram: Hashable, Sendable {
    /// Activations in each bin, from 0 on.
    public var counts: [Int] = []
    /// Where the last bin ends.
    public var maximum: Float = 0

    /// A histogram of as many bins as counts; empty by default.
    public init(counts: [Int] = [], maximum: Float = 0) {
        self.counts = counts
        self.maximum = maximum
    }

    /// What a bin covers.
    public func range(of bin: Int) -> Range<Float> {
        let width = maximum / Float(max(1, counts.count))
        return Float(bin) * width..<Float(bin + 1) * width
    }
}

/// A piece of text on which a feature is active.
public struct FeatureExample: Hashable, Sendable {
    /// Position of the peak in the indexed texts; `nil` for imported examples.
    public var position: Int?
    /// Tokens; empty if only texts are known.
    public var tokens: [TokenID]
    /// Texts; empty if tokens determine them.
    public var texts: [String]
    /// The feature's activation on each of them.
    public var values: [Float]
    /// Which of them the example is about.
    public var peak: Int

    /// An example, by tokens or by texts.
    public init(position: Int?, tokens: [TokenID], texts: [String] = [], values: [Float], peak: Int) {
        self.position = position
        self.tokens = tokens
        self.texts = texts
        self.values = values
        self.peak = peak
    }

    /// The activation that it is about.
    public var value: Float { values.indices.contains(peak) ? values[peak] : 0 }
}

/// A tenth of the activations' range.
public struct QuantileGroup: Hashable, Sendable {
    /// The activations that it covers.
    public var range: Range<Float>
    /// Activations in it.
    public var count: Int
    /// Its part of all activations above 0.
    public var share: Double
    /// A few of them, drawn without regard to how large they are; largest first.
    public var examples: [FeatureExample]

    /// A tenth with what was found in it.
    public init(range: Range<Float>, count: Int, share: Double, examples: [FeatureExample]) {
        self.range = range
        self.count = count
        self.share = share
        self.examples = examples
    }
}

/// Another feature and how near it is.
public struct RelatedFeature: Hashable, Sendable {
    /// Its number in the dictionary.
    public var feature: Int
    /// A correlation or a cosine.
    public var value: Float
    /// Label, preferring the user's own; `nil` if there is none.
    public var label: String?

    /// A related feature.
    public init(feature: Int, value: Float, label: String? = nil) {
        self.feature = feature
        self.value = value
        self.label = label
    }
}

/// Indexed tokens around a place.
public struct FeatureContext: Hashable, Sendable {
    /// The place of the first of them in the indexed texts.
    public var first: Int
    /// The tokens, in the order of the text.
    public var tokens: [TokenID]
    /// Which of them was asked for.
    public var peak: Int
}
