/// The analysis of one word of a text.
public struct AnalyzedWord: Hashable, Sendable {
    /// Range of the word in the UTF-8 bytes of the text.
    public var bytes: Range<Int>
    /// As the splitter gave it, lower-cased.
    public var word: String
    /// Index of the word in the text, starting at 0; dropped words count.
    public var position: Int
    public var outcome: Outcome

    public init(bytes: Range<Int>, word: String, position: Int, outcome: Outcome) {
        self.bytes = bytes
        self.word = word
        self.position = position
        self.outcome = outcome
    }

    public enum Outcome: Hashable, Sendable {
        /// A term for the index.
        case term(String)
        case lost(Loss)
    }

    /// Reasons why a word is not indexed.
    public enum Loss: Int, Hashable, Sendable, CaseIterable {
        case stopWord = 1
        case tooShort
        case tooLong

        /// Reason as the end of a sentence that starts with the word.
        public var reason: String {
            switch self {
            case .stopWord: "is a stop word"
            case .tooShort: "is too short: words need at least two characters"
            case .tooLong: "is too long: words can have at most \(TextAnalysis.longestWord) bytes"
            }
        }
    }

    /// The term it became, if any.
    public var term: String? {
        if case .term(let term) = outcome { term } else { nil }
    }
}

extension Analyzer {
    /// Returns the analysis of each word of a text, including dropped words.
    public func analyze(_ text: String) -> [AnalyzedWord] { TextAnalysis(self).analyze(text) }

    /// Returns the terms of a text, in order, repeated where they repeat.
    public func terms(of text: String) -> [String] { analyze(text).compactMap(\.term) }
}
