/// Something that can be counted in a text and says how much of a text it is.
public enum QualityMeasure: Hashable, Sendable, CustomStringConvertible {
    /// Words between white space; for scripts without spaces, letters.
    case words
    /// Letters and other characters a word.
    case meanWordLength
    /// Number signs for each word.
    case hashSigns
    /// Ellipses, as one character or as three points, for each word.
    case ellipses
    /// The share of the lines that begin with a bullet.
    case bulletLines
    /// The share of the lines that end with an ellipsis.
    case ellipsisLines
    /// The share of the words with a letter in them.
    case alphabeticWords
    /// Number of different words of *the, be, to, of, and, that, have, with* there are; in English texts alone.
    case stopWords
    /// The share of the lines that are there before.
    case duplicateLines
    /// The share of the characters in such lines.
    case duplicateLineCharacters
    /// The share of the paragraphs that are there before.
    case duplicateParagraphs
    /// The share of the characters in such paragraphs.
    case duplicateParagraphCharacters
    /// Share of the characters in the most frequent run of a number of words.
    case topRun(Int)
    /// Share of the characters in runs of a number of words that occurred earlier in the text.
    case duplicateRuns(Int)
    /// Sentences, by the points, question and exclamation marks that end them.
    case sentences
    /// The share of the lines that end with a point, a question mark, an exclamation mark or a quotation mark.
    case finishedLines
    /// Number of occurrences of *lorem ipsum*.
    case fillerText
    /// Curly brackets.
    case curlyBrackets
    /// The share of the words in lines that are a menu rather than a text: one word, capitals or numbers alone.
    case menuWords

    /// All that a report holds.
    public static let all: [Self] =
        [
            .words, .meanWordLength, .hashSigns, .ellipses, .bulletLines, .ellipsisLines, .alphabeticWords, .stopWords,
            .duplicateLines, .duplicateLineCharacters, .duplicateParagraphs, .duplicateParagraphCharacters,
        ] + (2...4).map { .topRun($0) } + (5...10).map { .duplicateRuns($0) } + [
            .sentences, .finishedLines, .fillerText, .curlyBrackets, .menuWords,
        ]

    /// Name for display.
    public var name: String {
        switch self {
        case .words: "words"
        case .meanWordLength: "mean word length"
        case .hashSigns: "number signs (#) per word"
        case .ellipses: "ellipses per word"
        case .bulletLines: "lines with bullets"
        case .ellipsisLines: "lines that end with an ellipsis"
        case .alphabeticWords: "words with letters"
        case .stopWords: "distinct stop words"
        case .duplicateLines: "repeated lines"
        case .duplicateLineCharacters: "characters in repeated lines"
        case .duplicateParagraphs: "repeated paragraphs"
        case .duplicateParagraphCharacters: "characters in repeated paragraphs"
        case .topRun(let size): "characters in the most common run of \(size) words"
        case .duplicateRuns(let size): "characters in repeated runs of \(size) words"
        case .sentences: "sentences"
        case .finishedLines: "lines that end like sentences"
        case .fillerText: "filler texts"
        case .curlyBrackets: "curly brackets"
        case .menuWords: "words in menu-like lines"
        }
    }

    public var description: String { name }

    /// Whether it is a share, to be shown in percent.
    public var isShare: Bool {
        switch self {
        case .words, .meanWordLength, .hashSigns, .ellipses, .stopWords, .sentences, .fillerText, .curlyBrackets: false
        default: true
        }
    }
}
