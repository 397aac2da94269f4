internal import Retrieval

extension AddTarget {
    /// As a person types it: `manuals`, `+ docs` for a new corpus, `northfold (sample data)`.
    var text: String {
        switch self {
        case .corpus(let corpus): corpus.isSample ? corpus.name + Self.sampleMark : corpus.name
        case .new(let name): "+ " + name
        }
    }

    private static let sampleMark = " (sample data)"

    /// Reads what was typed. Sample data are only meant where the line says so.
    init(_ typed: String, among targets: [AddTarget]) throws(NoSuchTarget) {
        if let exact = targets.first(where: { $0.text == typed }) {
            self = exact
            return
        }
        let name = typed.hasPrefix("+") ? String(typed.dropFirst()).trimmed : typed
        let known = targets.first { if case .corpus = $0 { $0.name == name } else { false } }
        switch known {
        case .some(let sample) where sample.isSample: throw .sample(sample.text)
        case .some(let corpus) where typed.hasPrefix("+"): throw .taken(corpus.name)
        case .some(let corpus): self = corpus
        case nil where typed.hasPrefix("+") && !name.isEmpty: self = .new(name)
        case nil: throw .unknown(name)
        }
    }
}

/// A corpus that documents cannot be added to as it was typed.
enum NoSuchTarget: Error, Equatable, CustomStringConvertible {
    case unknown(String)
    case taken(String)
    case sample(String)

    var description: String {
        switch self {
        case .unknown(let name): "there is no corpus \(name): type + \(name) to make it"
        case .taken(let name): "there is a corpus \(name) already: type \(name) to add to it"
        case .sample(let text): "these are sample data: type \(text) to add to them all the same"
        }
    }
}
