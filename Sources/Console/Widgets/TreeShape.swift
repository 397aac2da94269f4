/// The shape of a forest with nodes numbered in preorder: a node comes before its children, and its children before its
/// next sibling.
///
/// - Complexity: O(n) to create, with 12 bytes per node.
public struct TreeShape: Hashable, Sendable {
    /// Parent of each node; -1 for roots.
    private let parents: [Int32]
    /// Node after the last descendant of each node.
    private let ends: [Int32]
    private let depths: [Int32]

    /// Creates a forest from the depth of each node in preorder, 0 for roots.
    ///
    /// A depth that skips levels becomes the depth of the previous node plus 1.
    public init(depths given: some Sequence<Int>) {
        // The loop is many times faster over an array than over an unknown sequence.
        let given = Array(given)
        var depths = [Int32](repeating: 0, count: given.count)
        var parents = depths
        var ends = depths
        /// Path from the root to the current node.
        var path: [Int32] = []
        for (node, depth) in given.enumerated() {
            let depth = max(0, min(depth, path.count))
            while path.count > depth { ends[Int(path.removeLast())] = Int32(node) }
            depths[node] = Int32(depth)
            parents[node] = path.last ?? -1
            path.append(Int32(node))
        }
        for node in path { ends[Int(node)] = Int32(given.count) }
        self.depths = depths
        self.parents = parents
        self.ends = ends
    }

    /// Creates a forest from the parent of each node in preorder; -1 or `nil` for roots.
    public init(parents given: some Sequence<Int?>) {
        let given = Array(given)
        var depths = [Int](repeating: 0, count: given.count)
        for (node, parent) in given.enumerated() {
            if let parent, parent >= 0, parent < node { depths[node] = depths[parent] + 1 }
        }
        self.init(depths: depths)
    }

    /// Number of nodes.
    public var count: Int { parents.count }

    /// Returns the depth of a node, 0 for a root.
    public func depth(of node: Int) -> Int { Int(depths[node]) }

    /// Returns the parent of a node; `nil` for a root.
    public func parent(of node: Int) -> Int? { parents[node] < 0 ? nil : Int(parents[node]) }

    /// Returns the node after the last descendant of a node.
    public func end(of node: Int) -> Int { Int(ends[node]) }

    /// Returns whether a node has children.
    public func hasChildren(_ node: Int) -> Bool { Int(ends[node]) > node + 1 }

    /// Returns the first child, which follows its parent; `nil` for a leaf.
    public func firstChild(of node: Int) -> Int? { hasChildren(node) ? node + 1 : nil }

    /// Returns the next sibling of a node; `nil` for the last one.
    public func nextSibling(of node: Int) -> Int? {
        let next = end(of: node)
        return next < count && depths[next] == depths[node] ? next : nil
    }
}
