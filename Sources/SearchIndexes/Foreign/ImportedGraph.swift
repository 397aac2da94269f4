/// The graph of an index that another program wrote, in the numbers of its rows.
public struct ImportedGraph: Sendable, Equatable {
    /// Maximum number of links per node on an upper level; the lowest level allows twice as many.
    public var m: Int
    public var efConstruction: Int
    /// Entry point of walks.
    public var entry: UInt32
    /// The highest level of each node.
    public var levels: [UInt8]
    /// Lists of all nodes, of each one those of its levels from 0 on: 2 m links, then m a level, ``none`` after the
    /// last.
    public var links: [UInt32]

    /// Stands for no link.
    public static let none = UInt32.max

    /// Says what is wrong with it, if anything is: a walk must not leave the graph.
    func problem(rows: Int) -> String? {
        guard levels.count == rows else { return "found \(levels.count) nodes for \(rows) vectors" }
        guard rows > 0 else { return links.isEmpty ? nil : "an empty graph has links" }
        guard (1...4096).contains(m) else { return "\(m) links per node are out of range" }
        guard Int(entry) < rows, let highest = levels.max(), levels[Int(entry)] == highest else {
            return "entry point \(entry) is not on the highest level"
        }
        guard links.count == levels.reduce(0, { $0 + (2 + Int($1)) * m }) else { return "link lists are missing" }
        var next = 0
        for (node, height) in levels.enumerated() {
            for level in 0...Int(height) {
                let width = level == 0 ? 2 * m : m
                for link in links[next..<next + width] where link != Self.none {
                    guard Int(link) < rows, Int(levels[Int(link)]) >= level else {
                        return "node \(node) has a link to the missing node \(link) on level \(level)"
                    }
                }
                next += width
            }
        }
        return nil
    }
}

/// An index that another program wrote: its vectors, its labels, and its graph where it has one.
public struct ImportedIndex: Sendable {
    /// Original kind: `hnswlib`, `faiss HNSW`, `faiss IVF-Flat`.
    public var kind: String
    /// Its vectors, in its order; those that it marks as deleted are removed.
    public var rows: VectorRows
    public var graph: ImportedGraph?
    /// Whether vectors are what codes stand for, not those that were added once.
    public var isApproximate = false
    /// Its lists, where it has some.
    public var listCount: Int?
}
