internal import Retrieval

/// A passage with what lies around it: what the panel reads of the corpus once the cursor rests on it.
struct OpenPassage: Hashable, Sendable {
    var passage: Passage
    var title: String
    /// Where the document came from: a path, an address, or the name of a foreign list.
    var source: String
    var metadata: [Stage.Parameter]
    /// Text of the document, or of the passage if no corpus contains the document; `nil` if only an ID is known.
    var text: String?
    /// Bytes of the chunk in ``text``.
    var range: Range<Int>?
    /// Bytes of every chunk of the document, in order; they may overlap.
    var chunks: [Range<Int>]
    /// Bytes that answer the question, where a question set says so.
    var gold: [Range<Int>]
    /// Contributions of the query words to the score; `nil` if no stage searched words.
    var words: StageExplanation?

    init(
        passage: Passage, title: String = "", source: String = "", metadata: [Stage.Parameter] = [],
        text: String? = nil, range: Range<Int>? = nil, chunks: [Range<Int>] = [], gold: [Range<Int>] = [],
        words: StageExplanation? = nil
    ) {
        self.passage = passage
        self.title = title
        self.source = source
        self.metadata = metadata
        self.text = text
        self.range = range
        self.chunks = chunks
        self.gold = gold
        self.words = words
    }

    /// The chunk's own text.
    var chunkText: String? {
        guard let text, let range else { return text }
        let bytes = text.utf8
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
        return String(text[start..<bytes.index(start, offsetBy: range.count)])
    }
}
