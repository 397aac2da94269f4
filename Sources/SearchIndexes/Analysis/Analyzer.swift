/// An analyzer, which turns text into terms: a word splitter, lower-casing, stop words, and a stemmer.
///
/// ```swift
/// Analyzer.english.terms(of: "The planets were turning")      // ["planet", "were", "turn"]
/// ```
///
/// The same analyzer has to be used for the documents and for the questions; an index keeps its ``name``.
public struct Analyzer: Hashable, Sendable {
    /// Definitions of a word.
    public enum Splitting: String, Hashable, Sendable {
        /// Runs of two or more letters, digits and underscores: `\b\w\w+\b` of Python on the lower-cased text.
        case words
        /// Runs of letters and digits, one suffices; apostrophes and points inside stay; a trailing `'s` goes.
        case standard
    }

    public var splitting: Splitting
    /// The list whose words are lost, by the name of its language; `nil` keeps all.
    public var stopWords: StopWords?
    /// Nil leaves words as they are.
    public var stemmer: Stemmer?
    /// Whether Latin letters lose their accents.
    public var foldsAccents = false
    /// Whether runs of Chinese, Japanese and Korean letters, which have no spaces, become pairs of neighbors.
    public var bigramsOfCJK = false
    /// Lengths of the character n-grams that replace each word; `nil` for whole words.
    public var grams: ClosedRange<Int>?

    public init(_ splitting: Splitting, stopWords: StopWords? = nil, stemmer: Stemmer? = nil) {
        self.splitting = splitting
        self.stopWords = stopWords
        self.stemmer = stemmer
    }

    /// Words as they are, lower-cased.
    public static let words = Analyzer(.words)
    /// Words without Lucene's 33 stop words, stemmed by Snowball English (Porter 2).
    public static let english = Analyzer(.words, stopWords: .lucene, stemmer: Stemmer("english"))
    /// Nearly what Lucene's analyzer of English text does: ``Splitting/standard``, 33 stop words, Porter's first
    /// stemmer.
    public static let standard = Analyzer(.standard, stopWords: .lucene, stemmer: Stemmer("porter"))
    /// Words as they are, and pairs of neighbors in Chinese, Japanese and Korean.
    public static let cjk: Analyzer = {
        var analyzer = Analyzer.words
        analyzer.bigramsOfCJK = true
        return analyzer
    }()

    /// Returns the analyzer of a language that has a Snowball stemmer, with stop words where there is a list.
    ///
    /// `english` is the analyzer ``english``, with Lucene's short list.
    public static func language(_ name: String) -> Analyzer? {
        if name == "english" { return .english }
        guard let stemmer = Stemmer(name) else { return nil }
        return Analyzer(.words, stopWords: StopWords(language: name), stemmer: stemmer)
    }

    /// Everything that ``named(_:)`` knows without its options.
    public static var names: [String] {
        ["words", "english", "standard", "cjk"] + Stemmer.names.filter { $0 != "english" && $0 != "porter" }
    }

    /// Returns an analyzer by its name, such as `english`, `german+cjk` or `words+grams3-4`.
    ///
    /// Options: `+cjk`, `+folded`, `+gramsN-M`, `+stop` (a language's longer list instead of Lucene's).
    public static func named(_ name: String) -> Analyzer? {
        let parts = name.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, var analyzer = base(first) else { return nil }
        for option in parts.dropFirst() {
            switch option {
            case "cjk": analyzer.bigramsOfCJK = true
            case "folded": analyzer.foldsAccents = true
            case "stop":
                guard let list = StopWords(language: first) else { return nil }
                analyzer.stopWords = list
            default:
                guard let grams = grams(option) else { return nil }
                analyzer.grams = grams
            }
        }
        return analyzer
    }

    /// The name by which ``named(_:)`` finds it again.
    public var name: String {
        var name: String
        switch (splitting, stemmer?.name) {
        case (.standard, _): name = "standard"
        case (.words, nil): name = bigramsOfCJK ? "cjk" : "words"
        case (.words, let stemmer?): name = stemmer
        }
        if bigramsOfCJK, name != "cjk" { name += "+cjk" }
        if foldsAccents { name += "+folded" }
        if let grams { name += "+grams\(grams.lowerBound)-\(grams.upperBound)" }
        if name.hasPrefix("english"), stopWords == .english { name += "+stop" }
        return name
    }

    private static func base(_ name: String) -> Analyzer? {
        switch name {
        case "words": .words
        case "standard": .standard
        case "cjk": .cjk
        default: language(name)
        }
    }

    private static func grams(_ option: String) -> ClosedRange<Int>? {
        guard option.hasPrefix("grams") else { return nil }
        let bounds = option.dropFirst(5).split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, (1...32).contains(bounds[0]), (bounds[0]...32).contains(bounds[1]) else { return nil }
        return bounds[0]...bounds[1]
    }
}
