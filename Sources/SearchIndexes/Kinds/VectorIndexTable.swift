/// The kinds of vector index that a program offers.
///
/// A table is a value: programs use ``standard``, and tests and extensions add kinds to a copy.
///
/// ```swift
/// let table = VectorIndexTable.standard.adding(ProjectedIndex.self)
/// let store = CorpusStore(workspace, indexes: table)
/// ```
public struct VectorIndexTable: Sendable {
    /// Kinds in the order of help and errors.
    package let kinds: [any VectorIndexKind.Type]

    /// Creates a table of kinds with different names.
    package init(_ kinds: [any VectorIndexKind.Type]) {
        precondition(Set(kinds.map { $0.kind }).count == kinds.count, "two kinds of index have the same name")
        self.kinds = kinds
    }

    /// Every kind of index in this module.
    public static let standard = VectorIndexTable([
        FlatIndex.self,
        HNSWIndex.self,
        IVFFlatIndex.self,
        IVFPQIndex.self,
        PQIndex.self,
        Int8Index.self,
        BinaryIndex.self,
        LSHIndex.self,
        VamanaIndex.self,
    ])

    /// Returns the table with a kind added at the end.
    ///
    /// - Precondition: No kind in the table has the same name.
    package func adding(_ kind: any VectorIndexKind.Type) -> VectorIndexTable { VectorIndexTable(kinds + [kind]) }

    /// Names of the kinds.
    package var names: [String] { kinds.map { $0.kind } }

    /// The kind with a name; `nil` if the table has none.
    package subscript(name: String) -> (any VectorIndexKind.Type)? { kinds.first { $0.kind == name } }

    /// Returns the names of the kinds with a unit of effort.
    package func names(with effort: SearchEffort) -> [String] { kinds.filter { $0.effort == effort }.map { $0.kind } }
}
