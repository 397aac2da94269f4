public import SearchIndexes
public import System

/// A vector database outside the workspace, for corpora that have outgrown one file: they are pushed and searched
/// there.
///
/// ``CorpusPush`` fills a collection of it, ``ExternalSource`` lets pipelines search one. A server that does not answer
/// is a sentence, and nothing in the workspace depends on it. Every call blocks; any thread may make it.
public protocol VectorServer: Sendable {
    /// Name for messages, such as `postgresql://host/db`, without user and password.
    var name: String { get }

    /// Returns the description of a collection by name; `nil` if it does not exist.
    ///
    /// - Throws: `Problem`, including when something else has the name.
    func described(_ collection: String) throws(Problem) -> VectorCollection?

    /// Returns the existing collections.
    func collections() throws(Problem) -> [VectorCollection]

    /// Creates a collection if it does not exist.
    ///
    /// - Throws: `Problem` if the collection exists with a different width or metric.
    func prepare(_ collection: VectorCollection) throws(Problem)

    /// Puts rows, in one step that succeeds or leaves the collection as it was; rows of a known label are replaced.
    func put(
        _ rows: [ExternalRow], into collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem)

    /// Removes rows by label; labels that are not there are none of its business.
    func remove(_ labels: [Int64], from collection: VectorCollection) throws(Problem)

    /// Makes what searches need to be fast, over what is there.
    func buildIndex(_ collection: VectorCollection, isCancelled: @Sendable () -> Bool) throws(Problem)

    func count(_ collection: VectorCollection) throws(Problem) -> Int

    /// The nearest rows, best first.
    ///
    /// - Parameters:
    ///   - effort: Candidates on the way; `nil` takes the server's own.
    ///   - isExact: Compares every vector, without the index.
    func search(
        _ collection: VectorCollection, _ vector: [Float], k: Int, effort: Int?, isExact: Bool,
        isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Neighbor]

    /// Rows by label, in the order of `labels`; those that there are not are left out.
    func rows(
        _ labels: [Int64], in collection: VectorCollection, withVectors: Bool
    ) throws(Problem) -> [ExternalRow]

    /// The rows of a document, in the order of its text.
    func labels(ofDocument document: String, in collection: VectorCollection) throws(Problem) -> [Int64]

    /// Returns the ``ExternalRow/stamp`` of every row by label, which shows whether the row has changed since it was
    /// pushed.
    func stamps(
        in collection: VectorCollection, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Int64: Int64]
}

/// The servers that there are.
public enum VectorServers {
    /// Returns the server at an address, without contacting it.
    ///
    /// - Parameter address: `postgresql://user@host/db` (pgvector), or `http://host:6333` (Qdrant).
    public static func server(at address: String) throws(Problem) -> any VectorServer {
        let scheme = address.prefix { $0 != ":" }.lowercased()
        switch scheme {
        case "postgresql", "postgres": return PGVectorServer(address)
        case "http", "https": return QdrantServer(address)
        default:
            // What cannot be read may hold a password: it is not repeated.
            throw Problem(
                .unsupported, "", "unsupported server address",
                remedy: "Use postgresql://user@host/database for pgvector, or http://host:6333 for Qdrant.")
        }
    }
}
