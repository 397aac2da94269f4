import GRDB
import Retrieval
import SearchIndexes
import Testing
import Workspace

@Suite("Index segments in a workspace")
struct WorkspaceSegmentsTests {
    @Test("an index is written in one transaction and read in another")
    func roundTrip() throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in
            var store = try WorkspaceSegments(db, index: 3)
            #expect(store.isEmpty)
            try store.put(SegmentKey("vectors", 1), [1, 2, 3])
            try store.put(SegmentKey("vectors", 0), [])
            try store.put(SegmentKey("links"), [9])
            try store.put(SegmentKey(VamanaIndex.nodePart, 70_000), [4, 5])
        }
        try fixture.workspace.read { db in
            let store = try WorkspaceSegments(db, index: 3)
            #expect(try store.bytes(of: SegmentKey("vectors", 1)) == [1, 2, 3])
            #expect(try store.bytes(of: SegmentKey("vectors", 0)) == [])
            #expect(try store.bytes(of: SegmentKey(VamanaIndex.nodePart, 70_000)) == [4, 5])
            #expect(try store.keys(of: "vectors").map(\.number) == [0, 1])
            #expect(try store.keys(of: VamanaIndex.nodePart).map(\.number) == [70_000])
            #expect(store.count == 4)
            #expect(try WorkspaceSegments(db, index: 4).isEmpty)
        }
    }

    @Test("replacing and removing segments leaves other segments and indexes unchanged")
    func changes() throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in
            for index: Int64 in [1, 2] { try SegmentsFixture.fill(db, index: index) }
            var store = try WorkspaceSegments(db, index: 1)
            let before = store.seal
            try store.put(SegmentKey("links"), [7])
            try store.remove(SegmentKey("vectors", 7))
            try store.remove(SegmentKey(VamanaIndex.nodePart, 3))
            try store.remove(SegmentKey("vectors", 99))
            #expect(store.seal != before)
        }
        try fixture.workspace.read { db in
            let store = try WorkspaceSegments(db, index: 1)
            #expect(try store.bytes(of: SegmentKey("links")) == [7])
            #expect(store.keys == [SegmentKey("links"), SegmentKey("vectors", 0)])
            #expect(store.count == 41)
            #expect(try IndexIntegrity(checking: 1, in: db).isIntact)
            #expect(try SegmentsFixture.version(db, index: 2) == 1)
        }
        try fixture.workspace.write { db in try WorkspaceSegments.removeIndex(1, db) }
        try fixture.workspace.read { db in
            let removed = try WorkspaceSegments(db, index: 1)
            #expect(removed.isEmpty)
            #expect(try IndexIntegrity.indexes(in: db) == [2])
            #expect(try SegmentsFixture.version(db, index: 2) == 1)
        }
    }

    @Test("a segment can be read while another one is being read")
    func nested() throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in try SegmentsFixture.fill(db) }
        try fixture.workspace.read { db in
            let store = try WorkspaceSegments(db, index: 1)
            for (outer, inner) in [(0, 1), (5, 6)] {
                let (one, two) = (SegmentsFixture.keys[outer], SegmentsFixture.keys[inner])
                try store.withSegment(one) { bytes throws(SegmentError) in
                    let other = try store.bytes(of: two)
                    #expect(other == SegmentsFixture.bytes(two, version: 1, count: SegmentsFixture.count(two)))
                    #expect(
                        [UInt8](bytes) == SegmentsFixture.bytes(one, version: 1, count: SegmentsFixture.count(one)))
                }
            }
        }
    }

    @Test("a stored seal detects another state")
    func seal() throws {
        let fixture = try SegmentsFixture()
        let seal = try fixture.workspace.write { db in
            try SegmentsFixture.fill(db)
            return try WorkspaceSegments(db, index: 1).seal
        }
        try fixture.workspace.read { db in _ = try WorkspaceSegments(db, index: 1, seal: seal) }
        try fixture.workspace.write { db in try SegmentsFixture.fill(db, version: 2) }
        #expect(throws: SegmentError.self) {
            try fixture.workspace.read { db in _ = try WorkspaceSegments(db, index: 1, seal: seal) }
        }
    }

    @Test(
        "damage is reported by name",
        arguments: [
            ("DELETE FROM index_segment WHERE number = 7", "found 2 segments, expected 3"),
            ("DELETE FROM index_manifest", "found 3 segments, expected 0"),
            ("UPDATE index_manifest SET segments = 2", "the segment list is corrupt"),
            ("UPDATE index_segment SET checksum = checksum + 1", "a segment differs from the last version written"),
            (
                "UPDATE index_segment SET bytes = x'00' WHERE part = 'links'",
                "segment links 0: the segment differs|corrupt"
            ),
            ("UPDATE index_segment SET part = 'other' WHERE part = 'links'", "segment links 0: the segment is missing"),
            ("UPDATE index_segment SET number = 8 WHERE number = 7", "segment vectors 7: the segment is missing"),
            ("DELETE FROM index_node WHERE id % 4294967296 = 9", "segment nodes 9: the segment is missing"),
            (
                "UPDATE index_node SET bytes = zeroblob(1500) WHERE id % 4294967296 = 9",
                "segment nodes 9: the segment is corrupt"
            ),
            (
                """
                UPDATE index_node SET (checksum, bytes) = (SELECT checksum, bytes FROM index_node
                WHERE id % 4294967296 = 6) WHERE id % 4294967296 = 9
                """, "segment nodes 9: the segment is corrupt"
            ),
            ("DROP TABLE index_segment", "no such table"),
        ])
    func damage(sql: String, sentence: String) throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in
            try SegmentsFixture.fill(db)
            try db.execute(sql: sql)
        }
        let error = #expect(throws: SegmentError.self) {
            try fixture.workspace.read { db in _ = try SegmentsFixture.version(db) }
        }
        let said = error?.sentence ?? ""
        #expect(said.hasPrefix("index 1"))
        #expect(sentence.split(separator: "|").contains { said.contains($0) }, "\(said)")
        let check = try? fixture.workspace.read { db in try IndexIntegrity(checking: 1, in: db) }
        #expect(check?.isIntact == false)
    }

    @Test("a segment of more than 16 MiB and an invalid number are refused")
    func limits() throws {
        let fixture = try SegmentsFixture()
        let large = [UInt8](repeating: 0, count: SegmentLimits.maximumBytes + 1)
        try fixture.workspace.write { db in
            var store = try WorkspaceSegments(db, index: 1)
            for (key, bytes) in [(SegmentKey("links"), large), (SegmentKey(VamanaIndex.nodePart, 1 << 32), [1])] {
                #expect(throws: SegmentError.self) { try store.put(key, bytes) }
            }
            for index: Int64 in [0, -1, 1 << 31] {
                #expect(throws: SegmentError.self) { _ = try WorkspaceSegments(db, index: index) }
            }
            #expect(store.isEmpty)
        }
    }

    @Test(
        "the checksum is XXH64",
        arguments: [
            ("", 0xEF46_DB37_51D8_E999), ("a", 0xD24E_C4F1_A98C_6E5B), ("abc", 0x44BC_2CF5_AD77_0999),
            ("The quick brown fox jumps over the lazy dog", 0x0B24_2D36_1FDA_71BC),
        ] as [(String, UInt64)])
    func checksum(text: String, digest: UInt64) {
        let bytes = Array(text.utf8)
        #expect(bytes.withUnsafeBytes { XXH64.hash($0) } == digest)
    }
}
