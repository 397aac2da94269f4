import SearchIndexes
import TestFixtures

/// Files that hnswlib, faiss and numpy wrote: see `Goldens/Foreign/make_foreign.py`.
enum ForeignGoldens {
    static let folder = "\(#filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" })/Goldens/Foreign/"

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let bytes = File.bytes(folder + name) else {
            throw SegmentError(folder + name, problem: "the file is missing", remedy: "Run make_foreign.py.")
        }
        return bytes
    }

    static func vectors(_ name: String) throws -> [[Float]] { try vectors(bytes(name), name) }

    static func vectors(_ bytes: [UInt8], _ name: String) throws -> [[Float]] {
        try bytes.withUnsafeBytes { raw in
            let file = try VectorFile(bytes: raw, named: name)
            return try (0..<file.count).map { row in
                var vector = [Float](repeating: 0, count: file.dimension)
                try file.read(row, into: &vector)
                return vector
            }
        }
    }

    static func index(_ name: String, metric: Metric = .l2) throws -> ImportedIndex {
        try bytes(name).withUnsafeBytes { try ForeignIndex.read($0, named: name, metric: metric) }
    }

    static func row(_ rows: VectorRows, _ label: Int64) -> [Float]? {
        rows.slot(of: label).map { slot in (0..<rows.dimension).map { rows.row(slot)[$0] } }
    }
}
