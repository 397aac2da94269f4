/// What the analysis made of one word of a text.
public struct AnalyzedWord: Hashable, Sendable {
    /// Where it is: bytes of the text's UTF-8.
    public var bytes: Range<Int>
    /// As the splitter gave it, lower-cased.
    public var word: String
    /// Which word of the text it is, from 0; words that are lost count.
    public var position: Int
    public var outcome: Outcome

    public init(bytes: Range<Int>, word: String, position: Int, outcome: Outcome) {
        self.bytes = bytes
        self.word = word
        self.position = position
        self.outcome = outcome
    }

    public enum Outcome: Hashable, Sendable {
        /// What is looked up in an index.
        case term(String)
        case lost(Loss)
    }

    /// Why a word is in no index.
    public enum Loss: Int, Hashable, Sendable, CaseIterable {
        case stopWord = 1
        case tooShort
        case tooLong

        /// In a sentence, after the word.
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
    /// What each word of a text becomes, and which are lost and why.
    public func analyze(_ text: String) -> [AnalyzedWord] { TextAnalysis(self).analyze(text) }

    /// The terms of a text, in order, repeated where they repeat.
    public func terms(of text: String) -> [String] { analyze(text).compactMap(\.term) }
}
