/// A passage that supports a recorded answer.
package struct CitedPassage: Hashable, Sendable {
    package var trace: Int64
    /// Span of the retrieval.
    package var span: Int
    package var passage: Passage

    package enum Passage: Hashable, Sendable {
        /// A chunk of a corpus.
        case chunk(Int64)
        /// Index among the passages of the recorded retrieval, if no corpus contains the passage.
        case place(Int)
    }

    package init(trace: Int64, span: Int, passage: Passage) {
        self.trace = trace
        self.span = span
        self.passage = passage
    }

    /// Creates the passage of a citation; `nil` for other references.
    package init?(_ reference: Reference) {
        let path = reference.path
        guard reference.kind == .citation, path.count > 2, let span = Int(exactly: path[1]) else { return nil }
        self.init(
            trace: path[0], span: span,
            passage: path.count > 3 ? .place(Int(clamping: path[3])) : .chunk(path[2]))
    }

    /// Returns the reference of the passage.
    package func reference(title: String) -> Reference {
        switch passage {
        case .chunk(let chunk): Reference(.citation, [trace, Int64(span), chunk], title: title)
        case .place(let place): Reference(.citation, [trace, Int64(span), 0, Int64(place)], title: title)
        }
    }
}

extension Reference.Kind {
    /// A passage that supports a recorded answer: `[trace, span, chunk]`, or `[trace, span, 0, place]` if no corpus
    /// contains it.
    public static let citation = Reference.Kind(rawValue: "citation")
}
