/// A corpus that documents can be added to.
public enum AddTarget: Hashable, Sendable {
    case corpus(Corpus)
    /// One that is made for them, by its name.
    case new(String)

    public var name: String {
        switch self {
        case .corpus(let corpus): corpus.name
        case .new(let name): name
        }
    }

    /// It came with the program: it takes documents only by an explicit choice.
    public var isSample: Bool {
        if case .corpus(let corpus) = self { corpus.isSample } else { false }
    }
}
