import GRDB
import Retrieval
import SearchIndexes
import TestFixtures
import Workspace

/// A workspace that holds indexes alone.
struct SegmentsFixture {
    let folder = TemporaryFolder()
    let path: String
    let workspace: Workspace

    init() throws {
        path = folder.file("index.orrery")
        workspace = try Self.open(path)
    }

    static func open(_ path: String) throws -> Workspace {
        try Workspace.open(path, migrations: [WorkspaceSegments.migration], create: true)
    }

    /// Bytes that tell their key and version.
    static func bytes(_ key: SegmentKey, version: Int, count: Int) -> [UInt8] {
        var state = UInt64(version) &* 7919 &+ UInt64(key.number) &* 104_729 &+ UInt64(key.part.utf8.count)
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    static let keys =
        [SegmentKey("links"), SegmentKey("vectors", 0), SegmentKey("vectors", 7)]
        + (0..<40).map { SegmentKey(VamanaIndex.nodePart, $0 * 3) }

    static func count(_ key: SegmentKey) -> Int { key.part == VamanaIndex.nodePart ? 1500 : 40_000 + key.number }

    /// Writes every segment of a version.
    static func fill(_ db: Database, index: Int64 = 1, version: Int = 1) throws {
        var store = try WorkspaceSegments(db, index: index)
        for key in keys { try store.put(key, bytes(key, version: version, count: count(key))) }
    }

    /// Returns the version that all segments are of; throws where one is damaged.
    static func version(_ db: Database, index: Int64 = 1) throws -> Int? {
        let store = try WorkspaceSegments(db, index: index)
        let found = try keys.map { key in
            let read = try store.bytes(of: key)
            return (1...64).first { bytes(key, version: $0, count: count(key)) == read }
        }
        return Set(found).count == 1 ? found[0] : nil
    }

    /// What went wrong, as a person reads it; `nil` for errors that say nothing.
    static func sentence(_ error: any Error) -> String? {
        switch error {
        case let error as SegmentError: error.sentence
        case let error as WorkspaceError: "\(error)"
        default: nil
        }
    }
}
