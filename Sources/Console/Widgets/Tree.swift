/// A tree that a person opens and closes, seen as a list of the rows that are not hidden.
///
/// Closed nodes are a bit set; what they hide is kept as ascending disjoint ranges of nodes with the number hidden
/// before each. From row to node and back is O(log closed); opening and closing is O(closed + subtree / 64), a fraction
/// of a millisecond for a million nodes.
public struct Tree: Hashable, Sendable {
    public let shape: TreeShape
    /// A bit a node.
    private var closed: [UInt64]
    private var hidden = HiddenRanges()
    /// Selection and scrolling, in rows.
    public private(set) var list: ListView

    public init(_ shape: TreeShape, height: Int = 0) {
        self.shape = shape
        closed = [UInt64](repeating: 0, count: (shape.count + 63) / 64)
        list = ListView(count: shape.count, height: height)
    }

    // MARK: Rows and nodes

    /// How many rows are not hidden.
    public var rowCount: Int { shape.count - hidden.total }

    /// The node that a row shows.
    public func node(atRow row: Int) -> Int { hidden.node(atRow: row) }

    /// The row of a node, or of the closed ancestor that hides it.
    public func row(of node: Int) -> Int { hidden.row(of: node) }

    public func isVisible(_ node: Int) -> Bool { !hidden.contains(node) }

    public func isClosed(_ node: Int) -> Bool { closed[node >> 6] >> UInt64(node & 63) & 1 == 1 }

    /// The selected node; nil in an empty tree.
    public var selectedNode: Int? { rowCount == 0 ? nil : node(atRow: list.selection) }

    /// Selects a node, opening what hides it.
    public mutating func select(_ node: Int) {
        guard node >= 0, node < shape.count else { return }
        if hidden.contains(node) {
            var ancestor = shape.parent(of: node)
            while let each = ancestor {
                setClosed(each, false)
                ancestor = shape.parent(of: each)
            }
            rebuild()
        }
        list.select(row(of: node))
    }

    // MARK: Opening and closing

    public mutating func open(_ node: Int) {
        guard isClosed(node) else { return }
        keepingSelection {
            $0.setClosed(node, false)
            guard !$0.hidden.contains(node) else { return }
            let inner = $0.rangesHidden(from: node + 1, to: $0.shape.end(of: node))
            $0.hidden.replace(node + 1..<$0.shape.end(of: node), with: inner)
        }
    }

    public mutating func close(_ node: Int) {
        guard !isClosed(node), shape.hasChildren(node) else { return }
        keepingSelection {
            $0.setClosed(node, true)
            guard !$0.hidden.contains(node) else { return }
            let range = node + 1..<$0.shape.end(of: node)
            $0.hidden.replace(range, with: [range])
        }
    }

    public mutating func toggle(_ node: Int) {
        if isClosed(node) { open(node) } else { close(node) }
    }

    /// Opens everything.
    public mutating func openAll() {
        keepingSelection {
            for word in $0.closed.indices { $0.closed[word] = 0 }
            $0.rebuild()
        }
    }

    /// Closes every node of this depth and below, so that depths up to it are seen.
    public mutating func closeAll(fromDepth depth: Int = 0) {
        keepingSelection {
            for node in 0..<$0.shape.count where $0.shape.hasChildren(node) {
                $0.setClosed(node, $0.shape.depth(of: node) >= depth)
            }
            $0.rebuild()
        }
    }

    // MARK: Moving

    /// Moves the selection by rows, pages or to an end, as the list does.
    public mutating func move(_ change: (inout ListView) -> Void) {
        change(&list)
        list.count = rowCount
    }

    /// What the left arrow does: closes the selected node, or goes to its parent where that is not possible.
    public mutating func closeOrAscend() {
        guard let node = selectedNode else { return }
        if shape.hasChildren(node), !isClosed(node) {
            close(node)
        } else if let parent = shape.parent(of: node) {
            list.select(row(of: parent))
        }
    }

    /// What the right arrow does: opens the selected node, or goes to its first child where it is open.
    public mutating func openOrDescend() {
        guard let node = selectedNode, let child = shape.firstChild(of: node) else { return }
        if isClosed(node) { open(node) } else { list.select(row(of: child)) }
    }

    // MARK: Bookkeeping

    private mutating func setClosed(_ node: Int, _ isClosed: Bool) {
        let bit: UInt64 = 1 << UInt64(node & 63)
        if isClosed { closed[node >> 6] |= bit } else { closed[node >> 6] &= ~bit }
    }

    /// Changes what is open; the selection stays at its node, or goes to the ancestor that hides it.
    private mutating func keepingSelection(_ change: (inout Tree) -> Void) {
        let selected = selectedNode
        change(&self)
        list.count = rowCount
        if let selected { list.select(row(of: selected)) }
    }

    private mutating func rebuild() {
        hidden = HiddenRanges(rangesHidden(from: 0, to: shape.count))
        list.count = rowCount
    }

    /// What closed nodes hide from one node up to another one.
    private func rangesHidden(from start: Int, to end: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var node = start
        while let next = nextClosed(from: node, to: end) {
            ranges.append(next + 1..<shape.end(of: next))
            node = shape.end(of: next)
        }
        return ranges
    }

    private func nextClosed(from start: Int, to end: Int) -> Int? {
        guard start < end else { return nil }
        var word = start >> 6
        var bits = closed[word] & (UInt64.max << UInt64(start & 63))
        while bits == 0 {
            word += 1
            guard word << 6 < end else { return nil }
            bits = closed[word]
        }
        let node = word << 6 + bits.trailingZeroBitCount
        return node < end ? node : nil
    }
}
