/// A passage that a recorded answer leans on.
package struct CitedPassage: Hashable, Sendable {
    package var trace: Int64
    /// The span that the retrieval is found by.
    package var span: Int
    package var passage: Passage

    package enum Passage: Hashable, Sendable {
        /// A chunk of a corpus.
        case chunk(Int64)
        /// Where no corpus holds it: its place among the passages of the retrieval as it was recorded.
        case place(Int)
    }

    package init(trace: Int64, span: Int, passage: Passage) {
        self.trace = trace
        self.span = span
        self.passage = passage
    }

    /// nil where the reference is none of a citation.
    package init?(_ reference: Reference) {
        let path = reference.path
        guard reference.kind == .citation, path.count > 2, let span = Int(exactly: path[1]) else { return nil }
        self.init(
            trace: path[0], span: span,
            passage: path.count > 3 ? .place(Int(clamping: path[3])) : .chunk(path[2]))
    }

    /// What names it in menus and on the back-stack.
    package func reference(title: String) -> Reference {
        switch passage {
        case .chunk(let chunk): Reference(.citation, [trace, Int64(span), chunk], title: title)
        case .place(let place): Reference(.citation, [trace, Int64(span), 0, Int64(place)], title: title)
        }
    }
}

extension Reference.Kind {
    /// A passage that a recorded answer leans on: `[trace, span, chunk]`, and where no corpus holds it
    /// `[trace, span, 0, place]`.
    public static let citation = Reference.Kind(rawValue: "citation")
}
