internal import LanguageModels

/// The span data that replay needs repeatedly, by ordinal, a few bytes each. Invalid links are removed here, so later
/// code can trust them.
struct SpanOutline: Sendable {
    private(set) var kind: [SpanKind] = []
    private(set) var failed: [Bool] = []
    private(set) var start: [Int64] = []
    /// Parent of each span; -1 for a root and for an invalid link.
    private(set) var parent: [Int32] = []
    /// The last message that a call read; -1 for none.
    private(set) var head: [Int32] = []
    /// The agent or tool around a span, whose conversation its model calls belong to; -1 for the trace itself.
    private(set) var owner: [Int32] = []
    /// The model span around a span, with no agent or tool between; -1 for none.
    private(set) var enclosingModel: [Int32] = []

    /// O(spans).
    init(_ spans: [Span], _ tree: MessageTree) {
        kind.reserveCapacity(spans.count)
        failed.reserveCapacity(spans.count)
        start.reserveCapacity(spans.count)
        parent.reserveCapacity(spans.count)
        head.reserveCapacity(spans.count)
        for span in spans.indices {
            kind.append(spans[span].kind)
            failed.append(spans[span].status == .error)
            start.append(spans[span].start)
            head.append(tree.head(spans[span].inputHead))
            let above = spans[span].parent ?? -1
            parent.append(spans.indices.contains(above) && above != span ? Int32(above) : -1)
        }
        findSurroundings()
    }

    var count: Int { kind.count }

    /// Returns a recorded span as a span of this outline; -1 if it is missing or invalid.
    func span(_ recorded: Int?) -> Int32 {
        guard let recorded, kind.indices.contains(recorded) else { return -1 }
        return Int32(recorded)
    }

    /// Each span takes over what is around its parent. Walks up only as far as is not known yet: O(spans).
    private mutating func findSurroundings() {
        let unknown: Int32 = -2
        owner = [Int32](repeating: unknown, count: count)
        enclosingModel = [Int32](repeating: -1, count: count)
        var way: [Int32] = []
        for span in 0..<count where owner[span] == unknown {
            var place = Int32(span)
            while place >= 0, owner[Int(place)] == unknown {
                // Taken for a root while its parents are looked at: a circle ends here.
                owner[Int(place)] = -1
                way.append(place)
                place = parent[Int(place)]
            }
            while let next = way.popLast() { takeSurroundings(Int(next)) }
        }
    }

    private mutating func takeSurroundings(_ span: Int) {
        guard parent[span] >= 0 else { return }
        let above = Int(parent[span])
        switch kind[above] {
        case .agent, .tool: owner[span] = Int32(above)
        case .model:
            owner[span] = owner[above]
            enclosingModel[span] = Int32(above)
        default:
            owner[span] = owner[above]
            enclosingModel[span] = enclosingModel[above]
        }
    }
}
