/// Words that say nothing about what a text is about.
public struct StopWords: Hashable, Sendable {
    /// The language, or `lucene` for the short English list.
    public let name: String
    private let words: Set<String>

    /// Creates the list of a language, by its English name in lower case; `nil` if there is no list.
    public init?(language: String) {
        guard let words = Self.lists[language] else { return nil }
        self.init(name: language, words)
    }

    private init(name: String, _ words: String) {
        self.name = name
        self.words = Set(words.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init))
    }

    /// Lucene's 33 English words.
    public static let lucene = StopWords(
        name: "lucene",
        """
        a an and are as at be but by for if in into is it no not of on or such that the their then there these they this
        to was will with
        """)
    /// The longer English list.
    public static let english = StopWords(language: "english") ?? lucene
    /// Languages with a list, sorted.
    public static var languages: [String] { lists.keys.sorted() }

    public var count: Int { words.count }

    public func contains(_ word: String) -> Bool { words.contains(word) }

    func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        // No word of any list is longer.
        word.count <= 24 && words.contains(String(decoding: word, as: UTF8.self))
    }

    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
