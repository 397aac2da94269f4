internal import Bytes

/// Reads index files of faiss: flat, HNSW over flat, IVF-Flat, IVF-PQ, and maps of ids over these.
///
/// Layout (little-endian): four letters; i32 dimension, i64 vectors, two i64, u8 trained, i32 metric (0 inner product,
/// 1 L2); then what the kind has. An array is a u64 count and its elements.
struct FaissFile {
    var reader: SegmentReader

    static func recognizes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 37 else { return false }
        let letters = String(decoding: bytes[..<4], as: UTF8.self)
        return ["IxF2", "IxFI", "IxFl", "IHNf", "IwFl", "IwPQ", "IxMp", "IxM2"].contains(letters)
    }

    struct Head {
        var letters: String
        var dimension: Int
        var count: Int
        var metric: Metric
    }

    mutating func head() throws(SegmentError) -> Head {
        let letters = String(decoding: try reader.readRaw(4), as: UTF8.self)
        let dimension = Int(try reader.read(Int32.self))
        let count = try reader.read(Int64.self)
        _ = try reader.readRaw(17)
        let metric = try reader.read(Int32.self)
        guard (1...VectorRows.maximumDimension).contains(dimension),
            (0...Int64(VectorRows.maximumCount)).contains(count)
        else { throw reader.broken("\(count) vectors with \(dimension) dimensions are out of range") }
        guard metric == 0 || metric == 1 else {
            throw reader.broken("metric \(metric) is neither L2 nor the inner product")
        }
        return Head(
            letters: letters, dimension: dimension, count: Int(count), metric: metric == 0 ? .innerProduct : .l2)
    }

    /// Reads a count of items of `size` bytes and checks that the file contains them.
    mutating func count(ofBytes size: Int) throws(SegmentError) -> Int {
        let count = try reader.read(UInt64.self)
        guard count <= UInt64(reader.remaining / size) else {
            throw reader.broken("the count \(count) exceeds the file")
        }
        return Int(count)
    }

    mutating func array<Integer: FixedWidthInteger>(of _: Integer.Type) throws(SegmentError) -> [Integer] {
        let count = try count(ofBytes: MemoryLayout<Integer>.size)
        let raw = try reader.readRaw(count * MemoryLayout<Integer>.size)
        return (0..<count).map {
            Integer(
                littleEndian: raw.loadUnaligned(
                    fromByteOffset: $0 * MemoryLayout<Integer>.size, as: Integer.self))
        }
    }

    // MARK: Kinds

    /// - Parameter labels: Of a map of ids around it; `nil` for positions.
    mutating func index(labels: [Int64]? = nil, depth: Int = 0) throws(SegmentError) -> ImportedIndex {
        let start = reader
        let head = try head()
        switch head.letters {
        case "IxF2", "IxFI", "IxFl":
            return ImportedIndex(kind: "faiss Flat", rows: try flat(head, labels))
        case "IHNf":
            return try hierarchy(head, labels)
        case "IwFl", "IwPQ":
            return try lists(head, labels)
        case "IxMp", "IxM2":
            guard depth == 0 else { throw start.broken("nested id maps are unsupported") }
            // The ids come last: once to find them, once with them.
            var ahead = self
            _ = try ahead.index(depth: 1)
            let labels = try ahead.array(of: Int64.self)
            guard labels.count == head.count else {
                throw reader.broken("found \(labels.count) ids for \(head.count) vectors")
            }
            return try index(labels: labels, depth: 1)
        default:
            throw start.broken("unsupported faiss kind \(head.letters)")
        }
    }

    /// Returns the numbers of a flat index, after its head.
    mutating func numbers(_ head: Head) throws(SegmentError) -> UnsafeRawBufferPointer {
        let count = try count(ofBytes: 4)
        guard count == head.count * head.dimension else {
            throw reader.broken("\(count) numbers do not match \(head.count) vectors of \(head.dimension) dimensions")
        }
        return try reader.readRaw(count * 4)
    }

    private mutating func flat(_ head: Head, _ labels: [Int64]?) throws(SegmentError) -> VectorRows {
        let numbers = try numbers(head)
        guard labels == nil || labels?.count == head.count else {
            throw reader.broken("ids and vectors differ in number")
        }
        let rows = try VectorRows(dimension: head.dimension, metric: head.metric)
        var vector = [Float](repeating: 0, count: head.dimension)
        for row in 0..<head.count {
            for column in 0..<head.dimension {
                vector[column] = numbers.loadUnaligned(
                    fromByteOffset: (row * head.dimension + column) * 4, as: Float.self)
            }
            try rows.append(vector, label: labels?[row] ?? Int64(row))
        }
        return rows
    }

    /// `IHNf`: probabilities, links of each level added up, levels, where lists start, links; entry, highest level,
    /// efConstruction, efSearch, 1; then the flat index.
    private mutating func hierarchy(_ head: Head, _ labels: [Int64]?) throws(SegmentError) -> ImportedIndex {
        _ = try array(of: UInt64.self)
        let widths = try array(of: Int32.self)
        let heights = try array(of: Int32.self)
        let offsets = try array(of: UInt64.self)
        let neighbors = try array(of: Int32.self)
        let entry = try reader.read(Int32.self)
        _ = try reader.read(Int32.self)
        let efConstruction = try reader.read(Int32.self)
        _ = try reader.readRaw(8)
        let storage = try self.head()
        guard ["IxF2", "IxFI", "IxFl"].contains(storage.letters), storage.count == head.count,
            storage.dimension == head.dimension
        else { throw reader.broken("the vectors of the graph must be a flat index, not \(storage.letters)") }
        let rows = try flat(storage, labels)
        guard head.count > 0 else { return ImportedIndex(kind: "faiss HNSW", rows: rows) }
        guard widths.count > 2, widths[0] == 0, (2...8192).contains(widths[1]), widths[1] % 2 == 0,
            heights.count == head.count, offsets.count == head.count + 1, entry >= 0
        else { throw reader.broken("the graph has no link lists") }
        let m = Int(widths[1]) / 2
        var (levels, links): ([UInt8], [UInt32]) = ([], [])
        for node in 0..<head.count {
            let height = Int(heights[node])
            guard (1...64).contains(height), height < widths.count, offsets[node] == UInt64(links.count),
                neighbors.count - links.count >= (1 + height) * m
            else { throw reader.broken("node \(node) has \(height) levels, more than the graph") }
            for link in neighbors[links.count..<links.count + (1 + height) * m] {
                links.append(link < 0 ? ImportedGraph.none : UInt32(link))
            }
            levels.append(UInt8(height - 1))
        }
        let graph = ImportedGraph(
            m: m, efConstruction: Int(min(max(efConstruction, 1), 100_000)), entry: UInt32(entry), levels: levels,
            links: links)
        if let problem = graph.problem(rows: rows.count) { throw reader.broken(problem) }
        return ImportedIndex(kind: "faiss HNSW", rows: rows, graph: graph)
    }
}
