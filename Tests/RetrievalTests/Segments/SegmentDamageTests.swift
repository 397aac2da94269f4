import GRDB
import Glibc
import Retrieval
import SearchIndexes
import TestFixtures
import Testing
import Workspace

@Suite("A damaged or incompletely written workspace")
struct SegmentDamageTests {
    @Test("each of 200 changed bytes and truncations is reported or harmless")
    func changedBytes() throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in try SegmentsFixture.fill(db) }
        fixture.workspace.close()
        let whole = try #require(File.bytes(fixture.path))
        var state: UInt64 = 20_261_122
        var named = 0
        for round in 0..<200 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let place = Int((state >> 20) % UInt64(whole.count))
            var bytes = whole
            if round.isMultiple(of: 4) {
                bytes.removeSubrange(place...)
            } else {
                bytes[place] ^= UInt8(truncatingIfNeeded: state >> 8) | 1
            }
            let path = fixture.folder.unique("damaged")
            File.write(bytes, to: path)
            do {
                let workspace = try SegmentsFixture.open(path)
                defer { workspace.close() }
                // An unread byte may change; everything that is read is as it was written.
                #expect(try workspace.read { db in try SegmentsFixture.version(db) } == 1, "byte \(place)")
            } catch {
                let sentence = SegmentsFixture.sentence(error)
                #expect(sentence?.isEmpty == false, "\(error)")
                named += 1
            }
            TemporaryFolder.remove(path)
        }
        #expect(named > 100)
    }

    @Test("a process that ends while writing leaves the last commit")
    func unfinished() throws {
        let fixture = try SegmentsFixture()
        for version in 1...12 {
            try fixture.workspace.write { db in try SegmentsFixture.fill(db, version: version) }
            let copy = fixture.folder.unique("left")
            struct Ended: Error {}
            // The files on the disk while the next version is half written.
            _ = try? fixture.workspace.bulkWrite { db in
                try db.execute(sql: "PRAGMA cache_size = 8")
                try SegmentsFixture.fill(db, version: version + 1)
                File.copy(fixture.path, to: copy)
                File.copy(fixture.path + "-wal", to: copy + "-wal")
                throw Ended()
            }
            let left = try SegmentsFixture.open(copy)
            #expect(try left.read { db in try SegmentsFixture.version(db) } == version)
            #expect(try left.read { db in try IndexIntegrity(checking: 1, in: db).isIntact })
            left.close()
        }
    }

    @Test("a check can be stopped and counts the rows read")
    func check() throws {
        let fixture = try SegmentsFixture()
        try fixture.workspace.write { db in try SegmentsFixture.fill(db) }
        let whole = try fixture.workspace.read { db in try IndexIntegrity(checking: 1, in: db) }
        #expect(whole.isIntact && whole.isComplete)
        #expect(whole.rows == SegmentsFixture.keys.count)
        #expect(whole.bytes == SegmentsFixture.keys.reduce(0) { $0 + SegmentsFixture.count($1) })
        let part = try fixture.workspace.read { db in try IndexIntegrity(checking: 1, in: db) { $0 < 2 } }
        #expect((part.rows, part.isComplete) == (2, false))
        try fixture.workspace.write { db in
            try db.execute(
                sql: "INSERT INTO index_node (id, checksum, bytes) VALUES (?, 1, x'00')", arguments: [1 << 32 | 500])
        }
        let more = try fixture.workspace.read { db in try IndexIntegrity(checking: 1, in: db) }
        #expect(
            more.problems.map(\.sentence).joined(separator: "\n") == """
                index 1, segment nodes 500: the segment is corrupt. Build the index again.
                index 1: found 41 nodes, expected 40. Build the index again.
                """)
    }
}
