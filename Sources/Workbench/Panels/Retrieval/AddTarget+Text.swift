internal import Retrieval
internal import System

extension AddTarget {
    /// The target's row in the chooser: `manuals`, `+ docs` for a new corpus, `northfold (sample data)`.
    var text: String {
        switch self {
        case .corpus(let corpus): corpus.isSample ? corpus.name + Self.sampleMark : corpus.name
        case .new(let name): "+ " + name
        }
    }

    private static let sampleMark = " (sample data)"

    /// Reads the text of a row, or the name that the user typed for a new corpus, with or without `+`.
    init(_ typed: String, among targets: [AddTarget]) throws(Problem) {
        if let exact = targets.first(where: { $0.text == typed }) {
            self = exact
            return
        }
        let name = typed.hasPrefix("+") ? String(typed.dropFirst()).trimmed : typed
        guard !name.isEmpty else { throw Problem(.missing, "", "the new corpus needs a name: type one after +") }
        let known = targets.first { if case .corpus = $0 { $0.name == name } else { false } }
        switch known {
        case .some(let sample) where sample.isSample:
            throw Problem(
                .invalid, "", "that name belongs to sample data: choose the row \(sample.text) to add to it anyway")
        case .some(let corpus):
            throw Problem(.invalid, "", "a corpus named \(corpus.name) already exists: choose its row to add to it")
        case nil: self = .new(name)
        }
    }
}
