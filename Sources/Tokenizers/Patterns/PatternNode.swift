/// A pattern as it was written.
indirect enum PatternNode {
    enum Greed {
        case greedy, lazy, possessive
    }
    enum Anchor {
        case textStart, textEnd, lineStart, lineEnd, wordBoundary, noWordBoundary
    }

    case empty
    case set(ScalarSet)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repeated(PatternNode, least: Int, most: Int?, Greed)
    /// Once matched, never reconsidered.
    case atomic(PatternNode)
    case look(PatternNode, isAhead: Bool, isNegative: Bool)
    case anchor(Anchor)

    /// Whether it can match nothing at all.
    var mayBeEmpty: Bool {
        switch self {
        case .empty, .look, .anchor: true
        case .set: false
        case .sequence(let nodes): nodes.allSatisfy(\.mayBeEmpty)
        case .alternatives(let nodes): nodes.contains(where: \.mayBeEmpty)
        case .repeated(let node, let least, _, _): least == 0 || node.mayBeEmpty
        case .atomic(let node): node.mayBeEmpty
        }
    }

    /// Whether it is one character, as looking behind needs it.
    var singleSet: ScalarSet? {
        switch self {
        case .set(let set): set
        case .sequence(let nodes) where nodes.count == 1: nodes[0].singleSet
        case .alternatives(let nodes) where nodes.count == 1: nodes[0].singleSet
        default: nil
        }
    }
}
