internal import Bytes
internal import Tensors

/// Index files of other programs: hnswlib's and faiss's.
///
/// ```swift
/// let imported = try ForeignIndex.read(contentsOf: "passages.faiss")
/// if let graph = imported.graph { index = try HNSWIndex(imported.rows, graph: graph) }
/// ```
public enum ForeignIndex {
    /// - Parameter metric: Of an hnswlib file, which does not say it; faiss's says its own.
    /// - Throws: `SegmentError` for what is neither, or damaged.
    public static func read(contentsOf path: String, metric: Metric = .l2) throws(SegmentError) -> ImportedIndex {
        let file: MappedFile
        do { file = try MappedFile(path) } catch {
            throw SegmentError(path, problem: "cannot be read: \(error)", remedy: "Check the path.")
        }
        defer { withExtendedLifetime(file) {} }
        return try read(file.bytes, named: path, metric: metric)
    }

    /// Whether a file begins like one of these.
    public static func recognizes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        FaissFile.recognizes(bytes) || HNSWLibFile.recognizes(bytes)
    }

    package static func read(
        _ bytes: UnsafeRawBufferPointer, named path: String, metric: Metric = .l2
    ) throws(SegmentError) -> ImportedIndex {
        let reader = SegmentReader(bytes, path)
        if FaissFile.recognizes(bytes) {
            var faiss = FaissFile(reader: reader)
            return try faiss.index()
        }
        guard HNSWLibFile.recognizes(bytes) else {
            throw SegmentError(
                path, problem: "neither an hnswlib index nor a supported faiss index",
                remedy: "Supported faiss indexes: Flat, HNSW, IVF-Flat, and IVF-PQ.")
        }
        return try HNSWLibFile.read(reader, metric: metric)
    }
}
