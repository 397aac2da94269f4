internal import Glibc
internal import SearchIndexes
internal import System

/// Vectors that a file brings for the chunks of a corpus, with the graph over them where the file is an index.
struct SuppliedVectors {
    let count: Int
    let dimension: Int
    /// Metric of the index, if the file records one.
    let metric: Metric
    /// For each row, the index of its chunk.
    let places: [Int]
    /// Over the rows in their order.
    let graph: ImportedGraph?
    private let read: (Int) throws(Problem) -> [Float]

    /// Endings of files that hold vectors or an index over them.
    static let endings = [
        ".npy", ".npz", ".fvecs", ".bvecs", ".ivecs", ".bin", ".fbin", ".u8bin", ".i8bin", ".faiss", ".hnsw", ".index",
    ]

    /// Whether a file begins as an index of another program does.
    static func isIndex(_ path: String) -> Bool {
        // Opening a pipe could block forever.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        // A header is read against the size of its file.
        let size = Int(status.st_size)
        guard size > 0, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
            return false
        }
        defer { munmap(start, size) }
        return ForeignIndex.recognizes(UnsafeRawBufferPointer(start: start, count: size))
    }

    /// - Parameter metric: Of files that do not say one.
    init(_ path: String, array: String?, metric wanted: Metric) throws(Problem) {
        guard access(path, R_OK) == 0 else {
            throw Problem(
                .failed, path, "cannot be opened: \(String(cString: strerror(errno)))",
                remedy: "Check the path and its permissions.")
        }
        guard Self.isIndex(path) else {
            let table = try VectorTable(path, array: array)
            (count, dimension, metric) = (table.count, table.dimension, wanted)
            places = Array(0..<table.count)
            graph = nil
            read = { row throws(Problem) in try table.row(row) }
            return
        }
        let index: ImportedIndex
        do throws(SegmentError) {
            index = try ForeignIndex.read(contentsOf: path, metric: wanted)
        } catch {
            throw Problem(.failed, error.place, error.problem, remedy: error.remedy)
        }
        let rows = index.rows
        let live = (0..<rows.count).filter { !rows.removed.contains($0) }
        (count, dimension, metric) = (live.count, rows.dimension, rows.metric)
        var places: [Int] = []
        for slot in live {
            guard let place = Int(exactly: rows.labels[slot]), (0..<live.count).contains(place) else {
                throw Problem(
                    .invalid, path, "label \(rows.labels[slot]) is out of range for \(live.count) vectors",
                    remedy: "Number the chunks from 0, in order.")
            }
            places.append(place)
        }
        guard Set(places).count == places.count else {
            throw Problem(
                .invalid, path, "two vectors have the same label", remedy: "Write the file again with unique labels.")
        }
        self.places = places
        graph = live.count == rows.count ? index.graph : nil
        read = { row throws(Problem) in
            let vector = Array(UnsafeBufferPointer(start: rows.row(live[row]), count: rows.dimension))
            guard vector.allSatisfy(\.isFinite) else {
                throw Problem(
                    .invalid, path, "row \(row) contains a number that is not finite", remedy: "Remove the row.")
            }
            return vector
        }
    }

    /// Returns a row, its numbers finite.
    func row(_ row: Int) throws(Problem) -> [Float] { try read(row) }
}
