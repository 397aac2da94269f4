/// The answer normalization of the SQuAD evaluation script: lowercase, no ASCII punctuation, no articles (`a`, `an`,
/// `the` as whole words), single spaces; in this order.
///
/// Source: Rajpurkar et al., EMNLP 2016, the published evaluation script.
public struct AnswerNormalization: Hashable, Sendable {
    /// Whether to remove `a`, `an`, and `the` as whole words.
    public var removesArticles: Bool
    /// Whether to remove ASCII punctuation; other characters stay.
    public var removesPunctuation: Bool
    /// Whether to remove the digits 0 to 9.
    public var removesDigits: Bool

    public init(removesArticles: Bool = true, removesPunctuation: Bool = true, removesDigits: Bool = false) {
        self.removesArticles = removesArticles
        self.removesPunctuation = removesPunctuation
        self.removesDigits = removesDigits
    }

    /// Returns the remaining words. O(length).
    public func words(_ text: String) -> [Substring] {
        var kept = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            if removesPunctuation, Self.isPunctuation(scalar) { continue }
            if removesDigits, scalar >= "0", scalar <= "9" { continue }
            kept.append(scalar)
        }
        var words = String(kept).split(whereSeparator: \.isWhitespace)
        if removesArticles { words.removeAll { $0 == "a" || $0 == "an" || $0 == "the" } }
        return words
    }

    /// Returns the remaining words, with single spaces between them. O(length).
    public func callAsFunction(_ text: String) -> String { words(text).joined(separator: " ") }

    /// Returns whether a character is one of the 32 ASCII characters that are not letters, digits, whitespace, or
    /// controls.
    static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
