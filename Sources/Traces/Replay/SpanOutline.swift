internal import LanguageModels

/// What replay asks of spans again and again, by ordinal and a few bytes each: links that lead nowhere are cut here, so
/// that what follows can trust them.
struct SpanOutline: Sendable {
    let kind: [SpanKind]
    let failed: [Bool]
    let start: [Int64]
    /// -1 for a root, and for a link that leads nowhere.
    let parent: [Int32]
    /// The agent or tool around a span, whose conversation its model calls belong to; -1 for the trace itself.
    let owner: [Int32]
    /// The model span around a span, with no agent or tool between; -1 for none.
    let enclosingModel: [Int32]
    /// The last message that a call read; -1 for none.
    let head: [Int32]
    /// The first message that came out of a span, where it is no model call.
    private(set) var results: [Int: Int32] = [:]
    /// The span's place among the steps; -1 where it is none.
    var step: [Int32]

    /// O(spans + messages).
    init(_ trace: Trace, _ tree: MessageTree) {
        let spans = trace.spans
        kind = spans.map(\.kind)
        failed = spans.map { $0.status == .error }
        start = spans.map(\.start)
        parent = spans.indices.map { span in
            guard let parent = spans[span].parent, spans.indices.contains(parent), parent != span else { return -1 }
            return Int32(parent)
        }
        head = spans.map { tree.head($0.inputHead) }
        (owner, enclosingModel) = Self.surroundings(kind, parent)
        step = [Int32](repeating: -1, count: spans.count)
        self.results = results
    }

    /// A recorded span as one of this outline; -1 where there is none or it leads nowhere.
    func span(_ recorded: Int?) -> Int32 {
        guard let recorded, kind.indices.contains(recorded) else { return -1 }
        return Int32(recorded)
    }

    /// Each span takes over what is around its parent. Walks up only as far as is not known yet: O(spans).
    private static func surroundings(_ kind: [SpanKind], _ parent: [Int32]) -> (owner: [Int32], model: [Int32]) {
        let unknown: Int32 = -2
        var owner = [Int32](repeating: unknown, count: kind.count)
        var model = [Int32](repeating: -1, count: kind.count)
        var way: [Int32] = []
        for span in kind.indices where owner[span] == unknown {
            var place = Int32(span)
            while place >= 0, owner[Int(place)] == unknown {
                // Marked as a root while its parents are looked at: a circle ends here.
                owner[Int(place)] = -1
                way.append(place)
                place = parent[Int(place)]
            }
            while let next = way.popLast() {
                let above = parent[Int(next)]
                guard above >= 0 else { continue }
                switch kind[Int(above)] {
                case .agent, .tool: owner[Int(next)] = above
                case .model:
                    owner[Int(next)] = owner[Int(above)]
                    model[Int(next)] = above
                default:
                    owner[Int(next)] = owner[Int(above)]
                    model[Int(next)] = model[Int(above)]
                }
            }
        }
        return (owner, model)
    }
}
