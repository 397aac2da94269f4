internal import System
internal import Tensors

/// Pairs of freshly invented names that are said again and again, in another order each time.
///
/// Nearly every word of the answer stands in the document after the word that was said before it: what a small model
/// learns first on its way to reading, and learns late from ordinary text, where so few words can be copied.
/// - Source of the idea: Olsson et al., In-context Learning and Induction Heads (2022); Arora et al., Zoology (2023).
struct CopyingSource {
    /// Pairs of a document.
    var pairs: ClosedRange<Int>
    /// How often they are said again.
    var times: ClosedRange<Int>

    func document(_ expander: inout GrammarExpander, weights: LossWeights) throws(Problem) -> SyntheticDocument {
        guard !expander.grammar.names.isEmpty else {
            throw Problem(
                .missing, "copying", "the grammar has no names", remedy: "Add a line such as names person: first last.")
        }
        var pairs: [String] = []
        for _ in 0..<expander.integer(self.pairs) {
            let key = try expander.name(expander.integer(0...expander.grammar.names.count - 1))
            let value = try expander.name(expander.integer(0...expander.grammar.names.count - 1))
            pairs.append("\(key) \(value)")
        }
        let list = pairs.joined(separator: ", ")
        var answers: [String] = []
        for _ in 0..<expander.integer(times) {
            expander.random.shuffle(&pairs)
            answers += pairs
        }
        return SyntheticDocument(segments: [
            .init("Document: \(list).\nQuestion: What does the document say?\n", weight: weights.prompt),
            .init("Answer: \(answers.joined(separator: ", "))\n", weight: weights.answer),
        ])
    }
}
