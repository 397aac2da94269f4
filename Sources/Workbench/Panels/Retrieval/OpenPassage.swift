internal import Retrieval

/// A passage in its document.
struct OpenPassage: Hashable, Sendable {
    var passage: Passage
    var title = ""
    /// Path, address, or name of the list that the document came from.
    var source = ""
    var metadata: [Stage.Parameter] = []
    /// Text of the document, or of the passage if no corpus contains the document; `nil` if only an ID is known.
    var text: String?
    /// Bytes of the chunk in ``text``.
    var range: Range<Int>?
    /// Bytes of every chunk of the document, in order; they may overlap.
    var chunks: [Range<Int>] = []
    /// Bytes that answer the question, according to the question set.
    var gold: [Range<Int>] = []
    /// Contributions of the query words to the score; `nil` if no stage searched words.
    var words: StageExplanation?

    /// The chunk's own text.
    var chunkText: String? { text.flatMap { text in range.map { text.part($0) } ?? text } }
}

extension String {
    /// Returns the text of a range of bytes, or of the part of it that exists.
    func part(_ bytes: Range<Int>) -> String {
        let bytes = bytes.clamped(to: 0..<utf8.count)
        let start = utf8.index(utf8.startIndex, offsetBy: bytes.lowerBound)
        return String(self[start..<utf8.index(start, offsetBy: bytes.count)])
    }
}

/// Everything that the passage pane and the explanation depend on.
struct PassageQuestion: Equatable, Sendable {
    /// Number of the record: ``StageColumns/generation``.
    var generation: Int
    /// Passage under the cursor.
    var passage: PassageID?
    /// Explained chunk that no stage ranks.
    var aside: Int64?
    var gold: [QuestionSet.Gold]
    var pipeline: PipelineChoice
    /// Corpus with the passage; `nil` for the searches of other systems.
    var corpus: Corpus?
    /// Whether Why follows the cursor.
    var isExplained: Bool
}
