internal import Retrieval

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
    init(_ typed: String, among targets: [AddTarget]) throws(InvalidTarget) {
        if let exact = targets.first(where: { $0.text == typed }) {
            self = exact
            return
        }
        let name = typed.hasPrefix("+") ? String(typed.dropFirst()).trimmed : typed
        guard !name.isEmpty else { throw .unnamed }
        let known = targets.first { if case .corpus = $0 { $0.name == name } else { false } }
        switch known {
        case .some(let sample) where sample.isSample: throw .sample(sample.text)
        case .some(let corpus): throw .taken(corpus.name)
        case nil: self = .new(name)
        }
    }
}

/// A name that no new corpus can have.
enum InvalidTarget: Error, Equatable, CustomStringConvertible {
    case unnamed
    case taken(String)
    case sample(String)

    var description: String {
        switch self {
        case .unnamed: "the new corpus needs a name: type one after +"
        case .taken(let name): "a corpus named \(name) already exists: choose its row to add to it"
        case .sample(let text): "that name belongs to sample data: choose the row \(text) to add to it anyway"
        }
    }
}
