internal import JSON
public import System

/// An embedder with precomputed vectors for known texts: row i of a file is the vector of text i.
///
/// For the chunks of a corpus ``CorpusStore/importVectors(_:into:by:settings:name:)`` brings a whole file in. Questions
/// are then asked with this embedder and a file of their vectors, or with the embedder that made them.
public final class VectorFileEmbedder: Embedder {
    public let name: String
    public let digest: String
    public let dimension: Int
    public var batchSize: Int { 1_024 }
    /// Texts that have a vector.
    public var count: Int { places.count }

    private let path: String
    private let vectors: [Float]
    private let places: [String: Int]

    private static let mostTexts = 256 << 20

    /// - Parameters:
    ///   - path: `.npy`, `.npz`, `.fvecs`, `.bvecs` or `.bin`.
    ///   - texts: A file with one text a line; in a file of JSON lines their `text`.
    /// - Throws: `Problem` if the numbers of texts and rows differ.
    public convenience init(_ path: String, texts: String) throws(Problem) {
        guard let bytes = SmallFile.content(texts, limit: Self.mostTexts) else {
            throw Problem(.limit, texts, "cannot be read, or is larger than \(Self.mostTexts) bytes")
        }
        var lines: [String] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let end = line.last == 13 ? line.dropLast() : line
            if texts.hasSuffix(".jsonl") || texts.hasSuffix(".json") {
                if end.isEmpty { continue }
                guard let text = (try? JSONDocument(parsing: end))?.withRoot({ $0["text"]?.string }) else {
                    throw Problem(
                        .invalid, "\(texts), line \(lines.count + 1)", "expected a JSON object with a \"text\" member")
                }
                lines.append(text)
            } else {
                lines.append(String(decoding: end, as: UTF8.self))
            }
        }
        if lines.last == "" { lines.removeLast() }
        try self.init(path, texts: lines)
    }

    /// - Parameter texts: Of the rows, in their order.
    public init(_ path: String, texts: [String]) throws(Problem) {
        let table = try VectorTable(path)
        guard table.count == texts.count else {
            throw Problem(.invalid, path, "found \(table.count) rows for \(texts.count) texts")
        }
        self.path = path
        name = path.split(separator: "/").last.map(String.init) ?? path
        dimension = table.dimension
        digest = "file-1-" + (try WeightFiles.sampledDigest(of: path))
        var vectors: [Float] = []
        for row in 0..<table.count { vectors += try table.row(row) }
        self.vectors = vectors
        var places: [String: Int] = [:]
        for (place, text) in texts.enumerated() where places[text] == nil { places[text] = place }
        self.places = places
    }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(texts.count * dimension)
        for text in texts {
            guard let place = places[text] else {
                throw Problem(
                    .missing, path, "no vector for “\(text.prefix(60))”",
                    remedy: "Use the embedder that made the vectors, or a file that contains this text.")
            }
            values += vectors[place * dimension..<(place + 1) * dimension]
        }
        return values
    }
}
