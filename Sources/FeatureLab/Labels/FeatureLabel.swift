/// A label of a feature.
public struct FeatureLabel: Hashable, Sendable {
    /// The feature of which it is said.
    public var feature: Int
    /// A few words, at most 1,000 bytes.
    public var text: String
    /// More than fits a label; empty for none.
    public var note: String
    /// Who says it.
    public var source: Source

    /// Who says it.
    public enum Source: Hashable, Sendable {
        /// The user of this workspace.
        case own
        /// The model or place that an imported label names.
        case imported(String)
    }

    /// A label; a person's own unless a source is named.
    public init(feature: Int, text: String, note: String = "", source: Source = .own) {
        self.feature = feature
        self.text = text
        self.note = note
        self.source = source
    }
}

/// A text as searches compare it: words of letters and digits in small letters.
struct FoldedText {
    let words: [String]

    init(_ text: String) {
        words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    /// With a space before each word, so that the beginning of a word is found with one.
    var line: String { words.map { " " + $0 }.joined() }
}
