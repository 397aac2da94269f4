internal import Bytes

/// Reads the index files of hnswlib.
///
/// Layout (little-endian): six u64 (offset of level 0, most elements, elements, bytes of an element, offset of the
/// label, offset of the vector), i32 highest level, u32 entry, u64 links of upper levels, of level 0, M, f64 level
/// multiplier, u64 efConstruction: 96 bytes. An element is u32 (links; the third byte marks it deleted), links, vector,
/// u64 label. Then for each element u32 bytes of its upper lists, and these: u32 links, links.
enum HNSWLibFile {
    private static let headBytes = 96

    /// Whether the numbers at the beginning fit each other as only theirs do.
    static func recognizes(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var reader = SegmentReader(bytes, "")
        return (try? Head(&reader)) != nil
    }

    struct Head {
        var count: Int
        var elementBytes: Int
        var labelOffset: Int
        var vectorOffset: Int
        var highest: Int
        var entry: UInt32
        var m: Int
        var efConstruction: Int
        var dimension: Int { (labelOffset - vectorOffset) / 4 }

        init(_ reader: inout SegmentReader) throws(SegmentError) {
            let size = UInt64(reader.bytes.count)
            var numbers: [UInt64] = []
            for _ in 0..<6 { numbers.append(try reader.read()) }
            highest = Int(try reader.read(Int32.self))
            entry = try reader.read()
            let (upper, lowest) = (try reader.read(UInt64.self), try reader.read(UInt64.self))
            let m = try reader.read(UInt64.self)
            _ = try reader.readDouble()
            let effort = try reader.read(UInt64.self)
            guard numbers[0] == 0, (1...4096).contains(m), upper == m, lowest == 2 * m,
                numbers[5] == 4 + 4 * lowest, numbers[4] > numbers[5], numbers[4] < 1 << 20,
                (numbers[4] - numbers[5]) % 4 == 0, numbers[3] == numbers[4] + 8
            else { throw reader.broken("not the header of an hnswlib index of floats") }
            let (bytes, overflow) = numbers[2].multipliedReportingOverflow(by: numbers[3])
            guard numbers[2] <= numbers[1], !overflow, bytes <= size - UInt64(headBytes) else {
                throw reader.broken("\(numbers[2]) elements of \(numbers[3]) bytes exceed the file")
            }
            guard highest < 64, numbers[2] == 0 || highest >= 0 && UInt64(entry) < numbers[2] else {
                throw reader.broken("entry point \(entry) at level \(highest) is out of range")
            }
            count = Int(numbers[2])
            elementBytes = Int(numbers[3])
            labelOffset = Int(numbers[4])
            vectorOffset = Int(numbers[5])
            self.m = Int(m)
            efConstruction = Int(min(effort, 100_000))
        }
    }

    /// - Parameter metric: The file does not say it.
    static func read(_ bytes: SegmentReader, metric: Metric) throws(SegmentError) -> ImportedIndex {
        var reader = bytes
        let head = try Head(&reader)
        let rows = try VectorRows(dimension: head.dimension, metric: metric)
        let elements = try reader.readRaw(head.count * head.elementBytes)
        var vector = [Float](repeating: 0, count: head.dimension)
        var deleted: [Int64] = []
        for node in 0..<head.count {
            let start = node * head.elementBytes
            for column in 0..<head.dimension {
                vector[column] = elements.loadUnaligned(
                    fromByteOffset: start + head.vectorOffset + column * 4, as: Float.self)
            }
            let label = elements.loadUnaligned(fromByteOffset: start + head.labelOffset, as: Int64.self)
            try rows.append(vector, label: label)
            if elements[start + 2] & 1 == 1 { deleted.append(label) }
        }
        for label in deleted { rows.remove(label) }
        guard head.count > 0 else { return ImportedIndex(kind: "hnswlib", rows: rows) }

        var (levels, links): ([UInt8], [UInt32]) = ([], [])
        for node in 0..<head.count {
            let bytes = Int(try reader.read(UInt32.self))
            let levelBytes = 4 + 4 * head.m
            guard bytes % levelBytes == 0, bytes / levelBytes <= head.highest else {
                throw reader.broken("\(bytes) bytes do not match the lists of element \(node)")
            }
            let base = UnsafeRawBufferPointer(rebasing: elements[(node * head.elementBytes)...])
            let count = Int(base.loadUnaligned(fromByteOffset: 0, as: UInt16.self))
            try append(base, count, 2 * head.m, to: &links, reader)
            let upper = try reader.readRaw(bytes)
            for level in 0..<bytes / levelBytes {
                let list = UnsafeRawBufferPointer(rebasing: upper[(level * levelBytes)...])
                let count = Int(list.loadUnaligned(fromByteOffset: 0, as: UInt16.self))
                try append(list, count, head.m, to: &links, reader)
            }
            levels.append(UInt8(bytes / levelBytes))
        }
        guard reader.remaining == 0 else { throw reader.broken("\(reader.remaining) extra bytes at the end") }
        let graph = ImportedGraph(
            m: head.m, efConstruction: head.efConstruction, entry: head.entry, levels: levels, links: links)
        if let problem = graph.problem(rows: rows.count) { throw reader.broken(problem) }
        return ImportedIndex(kind: "hnswlib", rows: rows, graph: graph)
    }

    private static func append(
        _ list: UnsafeRawBufferPointer, _ count: Int, _ width: Int, to links: inout [UInt32], _ reader: SegmentReader
    ) throws(SegmentError) {
        guard count <= width else { throw reader.broken("a list has \(count) links, more than \(width)") }
        for place in 0..<count {
            links.append(UInt32(littleEndian: list.loadUnaligned(fromByteOffset: 4 + place * 4, as: UInt32.self)))
        }
        links.append(contentsOf: repeatElement(ImportedGraph.none, count: width - count))
    }
}
