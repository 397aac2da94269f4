internal import Console
internal import Traces

/// The spans of a trace as a tree in reading order: children under their parent, by start.
struct RunTree: Sendable {
    /// Span ordinals by node.
    private let spans: [Int32]
    /// Nodes by span ordinal; -1 for spans that are left out.
    private let nodes: [Int32]
    var tree: Tree

    /// Creates the tree of a trace. O(spans log spans).
    ///
    /// - Parameter kept: Spans to show with their ancestors, by ordinal (default: all).
    init(_ trace: Trace, keeping kept: [Bool]? = nil) {
        let count = trace.spans.count
        let shown = kept.map { Self.withAncestors($0, in: trace) } ?? [Bool](repeating: true, count: count)
        let byStart = (0..<count).filter { shown[$0] }
            .sorted { (trace.spans[$0].start, $0) < (trace.spans[$1].start, $1) }
        var roots: [Int] = []
        var children = [[Int32]](repeating: [], count: count)
        for span in byStart {
            if let parent = Self.parent(of: span, in: trace) {
                children[parent].append(Int32(span))
            } else {
                roots.append(span)
            }
        }

        var spans: [Int32] = []
        spans.reserveCapacity(byStart.count)
        var depths: [Int] = []
        depths.reserveCapacity(byStart.count)
        var nodes = [Int32](repeating: -1, count: count)
        var waiting = roots.reversed().map { (span: $0, depth: 0) }
        while let (span, depth) = waiting.popLast() {
            guard nodes[span] < 0 else { continue }
            nodes[span] = Int32(spans.count)
            spans.append(Int32(span))
            depths.append(depth)
            for child in children[span].reversed() { waiting.append((Int(child), depth + 1)) }
        }
        self.spans = spans
        self.nodes = nodes
        tree = Tree(TreeShape(depths: depths))
    }

    func span(atNode node: Int) -> Int { Int(spans[node]) }
    func node(of span: Int) -> Int? { nodes.indices.contains(span) && nodes[span] >= 0 ? Int(nodes[span]) : nil }
    var selectedSpan: Int? { tree.selectedNode.map(span(atNode:)) }

    mutating func select(span: Int) {
        if let node = node(of: span) { tree.select(node) }
    }

    private static func parent(of span: Int, in trace: Trace) -> Int? {
        guard let parent = trace.spans[span].parent, parent >= 0, parent < trace.spans.count, parent != span else {
            return nil
        }
        return parent
    }

    private static func withAncestors(_ kept: [Bool], in trace: Trace) -> [Bool] {
        var shown = kept
        for span in kept.indices where kept[span] {
            var next = parent(of: span, in: trace)
            while let ancestor = next, !shown[ancestor] {
                shown[ancestor] = true
                next = parent(of: ancestor, in: trace)
            }
        }
        return shown
    }
}
