internal import Console
internal import Formatting
internal import Retrieval

/// The answer of a retrieval with its citations, and the passages of the prompt.
struct AnswerReading {
    let record: RetrievalRecord

    var sections: [TextSection] { rewrites + answer + context }

    private var rewrites: [TextSection] {
        record.rewrites.map { rewrite in
            TextSection(StyledLine([.init("\(rewrite.kind)  ", .dim), .init(rewrite.text)]))
        }
    }

    private var answer: [TextSection] {
        guard let answer = record.answer else {
            return [TextSection(StyledLine("No answer yet. Press a to ask the pipeline's model.", .dim))]
        }
        let marks = answer.citations.map { citation in
            Mark(citation.range, citation.isExplicit ? .accent : .info, citation.isExplicit ? .bold : .underline)
        }
        var heading = StyledLine([.init("Answer", .heading)])
        if let model = answer.model { heading.append("  \(model)", .dim) }
        var sections = [TextSection(heading), TextSection(Mark.styled(answer.text, marks))]
        let cited = Set(answer.citations.map(\.passage))
        let held = record.context?.passages.map(\.passage) ?? []
        let unused = held.filter { !cited.contains($0) }
        if !unused.isEmpty {
            let names = unused.map { record[$0].label }.joined(separator: ", ")
            sections.append(TextSection(StyledLine("not used in the answer: \(names)", .dim)))
        }
        return sections
    }

    private var context: [TextSection] {
        guard let context = record.context, !context.passages.isEmpty else { return [] }
        var sections = [
            TextSection(StyledLine([.init("\nIn the prompt", .heading), .init("  \(context.sizeText)", .dim)]))
        ]
        for piece in context.passages {
            let passage = record[piece.passage]
            sections.append(
                TextSection(
                    StyledLine([
                        .init("\(piece.mark) ", .accent), .init(passage.label, .strong),
                        .init("  \(Format.count(piece.size)) \(context.unit)", .dim),
                    ])))
            if let text = passage.text { sections.append(TextSection(text)) }
        }
        return sections
    }
}

extension ContextRecord {
    /// Size of the passages, such as `1,234 of 2,000 tokens`.
    var sizeText: String {
        Format.count(used) + (budget.map { " of \(Format.count($0))" } ?? "") + " \(unit)"
    }
}
