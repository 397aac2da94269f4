/// A tree whose nodes the user can open and close, shown as a list of its visible rows.
///
/// Closed nodes are stored as a bit set, and hidden nodes as sorted, disjoint ranges.
/// - Complexity: O(log c) for conversions between rows and nodes, with c closed nodes; O(c + s / 64) for opening or
///   closing a node with s descendants, a fraction of a millisecond for a million nodes.
public struct Tree: Hashable, Sendable {
    /// Shape of the tree.
    public let shape: TreeShape
    /// One bit per node.
    private var closed: [UInt64]
    private var hidden = HiddenRanges()
    /// List of visible rows, with the selection and scrolling.
    public private(set) var list: ListView

    /// Creates a tree with all nodes open.
    public init(_ shape: TreeShape, height: Int = 0) {
        self.shape = shape
        closed = [UInt64](repeating: 0, count: (shape.count + 63) / 64)
        list = ListView(count: shape.count, height: height)
    }

    // MARK: Rows and nodes

    /// Number of rows that are not hidden in a closed node.
    public var rowCount: Int { shape.count - hidden.total }

    /// Returns the node in a row.
    public func node(atRow row: Int) -> Int { hidden.node(atRow: row) }

    /// Returns the row of a node, or of the closed ancestor that hides it.
    public func row(of node: Int) -> Int { hidden.row(of: node) }

    /// Returns whether all ancestors of a node are open.
    public func isVisible(_ node: Int) -> Bool { !hidden.contains(node) }

    /// Returns whether a node is closed.
    public func isClosed(_ node: Int) -> Bool { closed[node >> 6] >> UInt64(node & 63) & 1 == 1 }

    /// Selected node; `nil` in an empty tree.
    public var selectedNode: Int? { rowCount == 0 ? nil : node(atRow: list.selection) }

    /// Selects a node, and opens its ancestors if it is hidden.
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

    /// Opens a node.
    public mutating func open(_ node: Int) {
        guard isClosed(node) else { return }
        keepingSelection {
            $0.setClosed(node, false)
            guard !$0.hidden.contains(node) else { return }
            let inner = $0.rangesHidden(from: node + 1, to: $0.shape.end(of: node))
            $0.hidden.replace(node + 1..<$0.shape.end(of: node), with: inner)
        }
    }

    /// Closes a node that has children.
    public mutating func close(_ node: Int) {
        guard !isClosed(node), shape.hasChildren(node) else { return }
        keepingSelection {
            $0.setClosed(node, true)
            guard !$0.hidden.contains(node) else { return }
            let range = node + 1..<$0.shape.end(of: node)
            $0.hidden.replace(range, with: [range])
        }
    }

    /// Opens a closed node, or closes an open one.
    public mutating func toggle(_ node: Int) {
        if isClosed(node) { open(node) } else { close(node) }
    }

    /// Opens all nodes.
    public mutating func openAll() {
        keepingSelection {
            for word in $0.closed.indices { $0.closed[word] = 0 }
            $0.rebuild()
        }
    }

    /// Closes all nodes at a depth and below, and opens all nodes above.
    public mutating func closeAll(fromDepth depth: Int = 0) {
        keepingSelection {
            for node in 0..<$0.shape.count where $0.shape.hasChildren(node) {
                $0.setClosed(node, $0.shape.depth(of: node) >= depth)
            }
            $0.rebuild()
        }
    }

    // MARK: Moving

    /// Changes the selection or scrolling of the list.
    public mutating func move(_ change: (inout ListView) -> Void) {
        change(&list)
        list.count = rowCount
    }

    /// Closes the selected node; if the node is already closed or has no children, selects its parent (left arrow).
    public mutating func closeOrAscend() {
        guard let node = selectedNode else { return }
        if shape.hasChildren(node), !isClosed(node) {
            close(node)
        } else if let parent = shape.parent(of: node) {
            list.select(row(of: parent))
        }
    }

    /// Opens the selected node; if the node is already open, selects its first child (right arrow).
    public mutating func openOrDescend() {
        guard let node = selectedNode, let child = shape.firstChild(of: node) else { return }
        if isClosed(node) { open(node) } else { list.select(row(of: child)) }
    }

    // MARK: Bookkeeping

    private mutating func setClosed(_ node: Int, _ isClosed: Bool) {
        let bit: UInt64 = 1 << UInt64(node & 63)
        if isClosed { closed[node >> 6] |= bit } else { closed[node >> 6] &= ~bit }
    }

    /// Opens or closes nodes. The selection stays on its node, or moves to the ancestor that hides it.
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

    /// Returns the ranges that closed nodes hide between two nodes.
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
