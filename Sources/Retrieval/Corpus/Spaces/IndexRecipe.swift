internal import Configuration
package import SearchIndexes
package import System

/// The kind of index that a vector space requires, with its parameters.
package struct IndexRecipe {
    /// Name of a kind of index, or ``automatic``.
    package let name: String
    private let table: VectorIndexTable
    private let values: IndexValues

    /// Name of the choice between ``smallKind`` and ``largeKind`` by the number of vectors.
    package static let automatic = "automatic"
    /// Number of vectors below which the automatic choice is exact search, which is fast at this size.
    package static let flatLimit = 10_000
    private static let smallKind: any VectorIndexKind.Type = FlatIndex.self
    private static let largeKind: any GraphImporting.Type = HNSWIndex.self

    /// Reads the name of a kind and its parameters.
    ///
    /// - Parameter parameters: Parameters separated by spaces or commas, such as `m=16 efConstruction=200`.
    /// - Throws: `Problem` for an unknown kind or parameter, or a value out of range.
    package init(
        _ name: String, _ parameters: String, _ table: VectorIndexTable = .standard
    ) throws(Problem) {
        let kind = try name == Self.automatic ? Self.largeKind : table.kind(name)
        self.name = name
        self.table = table
        var values = IndexValues()
        for word in parameters.split(whereSeparator: { $0 == " " || $0 == "," }) {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, let parameter = kind.parameters.first(where: { $0.name == parts[0] }) else {
                throw Problem(
                    .unknown, "index \(name)", "unknown parameter \"\(word)\"",
                    remedy: kind.parameters.isEmpty
                        ? "The index has no parameters."
                        : "Parameters: \(kind.parameters.map { $0.name + "=N" }.joined(separator: " ")).")
            }
            switch values.set(parameter, to: parts[1]) {
            case .set: continue
            case .malformed: throw Problem(.invalid, "index \(name)", "\(word) is out of range")
            case .outOfRange:
                throw Problem(.limit, "index \(name)", "\(parameter.name) must be \(parameter.limits)")
            }
        }
        self.values = values
    }

    /// Returns the kind of index for `count` vectors.
    ///
    /// - Parameter current: Kind of the existing index. The automatic choice keeps a graph even if few vectors are left.
    /// - Throws: `Problem` if the table does not contain the kind.
    func kind(for count: Int, current: String? = nil) throws(Problem) -> any VectorIndexKind.Type {
        guard name == Self.automatic else { return try table.kind(name) }
        return current == Self.largeKind.kind || count >= Self.flatLimit ? Self.largeKind : Self.smallKind
    }

    /// Returns an empty index over `rows` with the recipe's parameters.
    package func make(_ kind: any VectorIndexKind.Type, _ rows: VectorRows) throws -> any VectorIndexKind {
        try kind.build(rows, values)
    }

    /// Kind of index that can adopt an imported graph; `nil` if the recipe's kind always builds its own.
    var importing: (any GraphImporting.Type)? {
        name == Self.automatic ? Self.largeKind : table[name] as? any GraphImporting.Type
    }

    /// Returns an index over `rows` with the links of an imported graph; `nil` if the kind cannot adopt one.
    func adopt(_ graph: ImportedGraph, _ rows: VectorRows) throws -> (any VectorIndexKind)? {
        try importing?.build(rows, adopting: graph, values)
    }

    /// Returns whether the index of a space has the recipe's kind, so that vectors can be added to it.
    func canExtend(_ space: VectorSpace) -> Bool {
        name == Self.automatic
            ? space.index == Self.automatic || Self.isAutomatic(space.index) : space.index == name
    }

    /// Returns whether the automatic choice can result in a kind of index.
    static func isAutomatic(_ index: String) -> Bool { index == smallKind.kind || index == largeKind.kind }
}

extension VectorIndexTable {
    /// Returns the kind with a name.
    ///
    /// - Throws: `Problem` that suggests the nearest name if the table does not contain the kind.
    package func kind(_ name: String) throws(Problem) -> any VectorIndexKind.Type {
        if let kind = self[name] { return kind }
        let known = [IndexRecipe.automatic] + names
        let list = "Available indexes: \(known.joined(separator: ", "))."
        throw Problem(
            .unknown, "", "unknown index \"\(name)\"",
            remedy: NearestName.suggestion(for: name, among: known).map { "\($0) \(list)" } ?? list)
    }
}
