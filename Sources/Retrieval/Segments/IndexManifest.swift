internal import GRDB
internal import SearchIndexes
internal import Workspace

/// The manifest of an index: the number of its rows and the sum of their checksums.
///
/// A checksum covers the bytes of its row and the row's key, so that the sum changes with every row that is missing,
/// swapped, doubled or left from before. The manifest's own row has a checksum as well.
struct IndexManifest: Equatable {
    var segments = 0
    var segmentSum: UInt64 = 0
    var nodes = 0
    var nodeSum: UInt64 = 0
    /// Goes up with every row that is written or removed.
    var version = 0

    var isEmpty: Bool { segments == 0 && nodes == 0 }

    /// Tells this state of the index from any other.
    func seal(of index: Int64) -> UInt64 {
        let words = [
            UInt64(bitPattern: index), UInt64(bitPattern: Int64(segments)), segmentSum,
            UInt64(bitPattern: Int64(nodes)), nodeSum, UInt64(bitPattern: Int64(version)),
        ].map(\.littleEndian)
        return words.withUnsafeBytes { XXH64.hash($0, seed: 0x6d61_6e69_6665_7374) }
    }

    /// - Returns: `nil` if the index has no manifest.
    static func read(_ index: Int64, _ db: Database) throws -> IndexManifest? {
        let row = try Workspace.Statement(
            db,
            """
            SELECT segments, segment_sum, nodes, node_sum, version, checksum FROM index_manifest WHERE index_id = ?
            """)
        row.bind(1, index)
        guard try row.step() else { return nil }
        defer { row.reset() }
        let manifest = IndexManifest(
            segments: row.int(0), segmentSum: UInt64(bitPattern: row.int64(1)), nodes: row.int(2),
            nodeSum: UInt64(bitPattern: row.int64(3)), version: row.int(4))
        guard UInt64(bitPattern: row.int64(5)) == manifest.seal(of: index) else {
            throw SegmentError("index \(index)", problem: "the segment list is corrupt")
        }
        return manifest
    }
}
