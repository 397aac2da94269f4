internal import Configuration
package import SearchIndexes

/// The kind of index of a space, and its parameters.
package struct IndexRecipe {
    /// `automatic`, or the kind of an index.
    package let name: String
    private let table: VectorIndexTable
    private let values: IndexValues

    /// Name of the choice between ``small`` and ``large`` by the number of vectors.
    package static let automatic = "automatic"
    /// Number of vectors below which comparing all of them is fast enough, and exact.
    package static let flatLimit = 10_000
    private static let small: any VectorIndexKind.Type = FlatIndex.self
    private static let large: any GraphImporting.Type = HNSWIndex.self

    /// - Parameter parameters: `m=16 efConstruction=200`.
    package init(
        _ name: String, _ parameters: String, _ table: VectorIndexTable = .standard
    ) throws(RetrievalError) {
        let kind = try name == Self.automatic ? Self.large : table.kind(name)
        self.name = name
        self.table = table
        var values = IndexValues()
        for word in parameters.split(whereSeparator: { $0 == " " || $0 == "," }) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let parameter = kind.parameters.first(where: { $0.name == parts[0] }) else {
                throw RetrievalError(
                    "index \(name)", problem: "unknown parameter \"\(word)\"",
                    remedy: kind.parameters.isEmpty
                        ? "The index has no parameters."
                        : "Parameters: \(kind.parameters.map { $0.name + "=N" }.joined(separator: " ")).")
            }
            switch values.set(parameter, to: parts[1]) {
            case .set: continue
            case .malformed: throw RetrievalError("index \(name)", problem: "\(word) is out of range")
            case .outOfRange:
                throw RetrievalError("index \(name)", problem: "\(parameter.name) must be \(parameter.limits)")
            }
        }
        self.values = values
    }

    /// Returns the kind of index for `count` vectors, when the index of the space is `current`.
    ///
    /// A graph that the user requested stays a graph, however few vectors there are.
    func kind(for count: Int, current: String? = nil) throws(RetrievalError) -> any VectorIndexKind.Type {
        guard name == Self.automatic else { return try table.kind(name) }
        return current == Self.large.kind || count >= Self.flatLimit ? Self.large : Self.small
    }

    /// Returns an index over vectors that it does not contain yet.
    package func make(_ kind: any VectorIndexKind.Type, _ rows: VectorRows) throws -> any VectorIndexKind {
        try kind.build(rows, values)
    }

    /// The kind of index that can use the graph of another program; `nil` if this one builds its own.
    var importing: (any GraphImporting.Type)? {
        name == Self.automatic ? Self.large : table[name] as? any GraphImporting.Type
    }

    /// Returns an index over vectors with links that another program made.
    func adopt(_ graph: ImportedGraph, _ rows: VectorRows) throws -> (any VectorIndexKind)? {
        try importing?.build(rows, adopting: graph, values)
    }

    /// Whether a space's index can be extended instead of building another one.
    func fits(_ space: VectorSpace) -> Bool {
        name == Self.automatic
            ? space.index == Self.automatic || Self.isAutomatic(space.index) : space.index == name
    }

    /// Whether an index may be the result of an automatic choice.
    static func isAutomatic(_ index: String) -> Bool { index == small.kind || index == large.kind }
}

extension VectorIndexTable {
    /// Returns the kind with a name.
    ///
    /// - Throws: `RetrievalError` with the nearest known name.
    package func kind(_ name: String) throws(RetrievalError) -> any VectorIndexKind.Type {
        if let kind = self[name] { return kind }
        let known = [IndexRecipe.automatic] + names
        let list = "Available indexes: \(known.joined(separator: ", "))."
        throw RetrievalError(
            "", problem: "unknown index \"\(name)\"",
            remedy: NearestName.suggestion(for: name, among: known).map { "\($0) \(list)" } ?? list)
    }
}
