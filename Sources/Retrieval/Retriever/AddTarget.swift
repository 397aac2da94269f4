/// A corpus that documents can be added to.
public enum AddTarget: Hashable, Sendable {
    case corpus(Corpus)
    /// A corpus to create, by name.
    case new(String)

    public var name: String {
        switch self {
        case .corpus(let corpus): corpus.name
        case .new(let name): name
        }
    }

    /// Whether the target is sample data, which takes documents only if it is chosen explicitly.
    public var isSample: Bool {
        if case .corpus(let corpus) = self { corpus.isSample } else { false }
    }
}
