public import System

/// Something that turns texts into vectors.
public protocol Embedder: Sendable {
    /// Name, such as `all-MiniLM-L6-v2` or `hashed-256`.
    var name: String { get }
    /// Tells vectors of this embedder from those of any other: of the weights, of how texts are cut and pooled.
    var digest: String { get }
    /// Numbers in a vector.
    var dimension: Int { get }
    /// Texts that are best given at once.
    var batchSize: Int { get }

    /// One vector for each text: `[texts, dimension]`, one after the other.
    ///
    /// - Throws: `Problem`, including when the call was canceled.
    func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float]
}

extension Embedder {
    /// Returns one vector per text.
    ///
    /// - Throws: `Problem`, including for a wrong number of vectors.
    func vectors(
        of texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [[Float]] {
        let width = dimension
        let rows = try embed(texts, as: role, isCancelled: isCancelled)
        guard rows.count == texts.count * width else {
            throw Problem(.failed, name, "the embedder returned \(rows.count) numbers for \(texts.count) texts")
        }
        return texts.indices.map { Array(rows[$0 * width..<($0 + 1) * width]) }
    }
}

/// Roles of a text: some models read a prefix that distinguishes queries from passages.
public enum EmbeddingRole: String, Sendable {
    case query
    case passage
}
