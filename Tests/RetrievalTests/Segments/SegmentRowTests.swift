import GRDB
import Retrieval
import SearchIndexes
import TestFixtures
import Testing
import Workspace

@Suite("Segment rows changed by other programs")
struct SegmentRowTests {
    private let folder = TemporaryFolder()

    private static let segments: [SegmentKey: [UInt8]] = [
        SegmentKey("links", 0): Array(0..<200), SegmentKey("links", 1): [7, 7, 7], SegmentKey("graph"): [1],
        SegmentKey("empty"): [], SegmentKey(VamanaIndex.nodePart, 0): [3, 1, 4],
        SegmentKey(VamanaIndex.nodePart, 5): Array(repeating: 9, count: 60),
    ]

    private func workspace() throws -> Workspace {
        let workspace = try Workspace.open(folder.file("team.orrery"), migrations: Retrieval.migrations, create: true)
        for index in [3, 4] as [Int64] {
            try workspace.write { (db: Database) throws -> Void in
                var store = try WorkspaceSegments(db, index: index)
                for key in Self.segments.keys.sorted() { try store.put(key, Self.segments[key] ?? []) }
            }
        }
        return workspace
    }

    /// Everything of an index, or the error that reading it meets.
    private func read(_ db: Database, _ index: Int64 = 3) throws(SegmentError) -> [SegmentKey: [UInt8]] {
        let store = try WorkspaceSegments(db, index: index)
        var found: [SegmentKey: [UInt8]] = [:]
        for key in store.keys { found[key] = try store.bytes(of: key) }
        for key in try store.keys(of: VamanaIndex.nodePart) { found[key] = try store.bytes(of: key) }
        return found
    }

    @Test("rows are stored, replaced, and removed; two indexes are independent")
    func roundTrip() throws {
        let workspace = try workspace()
        try workspace.write { (db: Database) throws -> Void in
            var store = try WorkspaceSegments(db, index: 3)
            #expect(store.count == Self.segments.count)
            let seal = store.seal
            try store.put(SegmentKey("links", 1), [8, 8])
            try store.put(SegmentKey(VamanaIndex.nodePart, 5), [5])
            try store.remove(SegmentKey("graph"))
            try store.remove(SegmentKey("never there"))
            #expect(store.seal != seal)
        }
        try workspace.read { (db: Database) throws -> Void in
            var wanted = Self.segments
            wanted[SegmentKey("links", 1)] = [8, 8]
            wanted[SegmentKey(VamanaIndex.nodePart, 5)] = [5]
            wanted[SegmentKey("graph")] = nil
            #expect(try read(db) == wanted)
            #expect(try read(db, 4) == Self.segments)
            #expect(try IndexIntegrity.indexes(in: db) == [3, 4])
            #expect(try IndexIntegrity(checking: 3, in: db).isIntact)
        }
        try workspace.write { db in try WorkspaceSegments.removeIndex(3, db) }
        try workspace.read { (db: Database) throws -> Void in
            #expect(try WorkspaceSegments(db, index: 3).isEmpty)
            #expect(try read(db, 4) == Self.segments)
        }
    }

    @Test("a seal of another state, large segments, and foreign numbers are refused")
    func limits() throws {
        try workspace().write { (db: Database) throws -> Void in
            var store = try WorkspaceSegments(db, index: 3)
            let seal = store.seal
            _ = try WorkspaceSegments(db, index: 3, seal: seal)
            #expect(throws: SegmentError.self) { try WorkspaceSegments(db, index: 4, seal: seal) }
            try store.put(SegmentKey("graph"), [2])
            #expect(throws: SegmentError.self) { try WorkspaceSegments(db, index: 3, seal: seal) }
            let large = [UInt8](repeating: 0, count: SegmentLimits.maximumBytes + 1)
            #expect(throws: SegmentError.self) { try store.put(SegmentKey("large"), large) }
            #expect(throws: SegmentError.self) { try store.put(SegmentKey(VamanaIndex.nodePart, -1), [1]) }
            for index in [0, -1, 1 << 31] as [Int64] {
                #expect(throws: SegmentError.self) { try WorkspaceSegments(db, index: index) }
            }
        }
    }

    /// Statements that damage rows of index 3.
    private static let damages = [
        "DELETE FROM index_segment WHERE index_id = 3 AND part = 'graph'",
        "UPDATE index_segment SET bytes = x'0707' WHERE index_id = 3 AND part = 'links' AND number = 1",
        "UPDATE index_segment SET bytes = x'070708' WHERE index_id = 3 AND part = 'links' AND number = 1",
        "UPDATE index_segment SET checksum = checksum + 1 WHERE index_id = 3 AND part = 'links' AND number = 1",
        "UPDATE index_segment SET part = 'grape' WHERE index_id = 3 AND part = 'graph'",
        "UPDATE index_segment SET number = 7 WHERE index_id = 3 AND part = 'links' AND number = 1",
        "UPDATE index_segment SET number = number + 10 WHERE index_id = 3 AND part = 'links';"
            + " UPDATE index_segment SET number = 11 - number WHERE index_id = 3 AND part = 'links'",
        "UPDATE index_segment SET index_id = 4, part = 'moved' WHERE index_id = 3 AND part = 'graph'",
        "INSERT INTO index_segment (index_id, part, number, checksum, bytes) SELECT 3, 'graph', 1, checksum, bytes"
            + " FROM index_segment WHERE index_id = 3 AND part = 'graph'",
        "DELETE FROM index_node WHERE id = 3 << 32",
        "UPDATE index_node SET bytes = x'0301' WHERE id = 3 << 32",
        "UPDATE index_node SET checksum = 5 WHERE id = 3 << 32",
        "INSERT INTO index_node SELECT (3 << 32) + 9, checksum, bytes FROM index_node WHERE id = 3 << 32",
        "UPDATE index_node SET (checksum, bytes) = (SELECT checksum, bytes FROM index_node WHERE id = (3 << 32) + 5)"
            + " WHERE id = 3 << 32",
        "DELETE FROM index_manifest WHERE index_id = 3",
        "UPDATE index_manifest SET segments = segments - 1 WHERE index_id = 3",
        "UPDATE index_manifest SET segment_sum = segment_sum + 1 WHERE index_id = 3",
        "UPDATE index_manifest SET nodes = nodes + 1 WHERE index_id = 3",
        "UPDATE index_manifest SET node_sum = 0 WHERE index_id = 3",
        "UPDATE index_manifest SET version = version - 1 WHERE index_id = 3",
        "UPDATE index_manifest SET checksum = 0 WHERE index_id = 3",
    ]

    @Test("the check finds rows changed by other programs and names the index", arguments: damages)
    func damage(sql: String) throws {
        let workspace = try workspace()
        try workspace.write { db in try db.execute(sql: sql) }
        try workspace.read { (db: Database) throws -> Void in
            let check = try IndexIntegrity(checking: 3, in: db)
            #expect(!check.isIntact)
            #expect(check.problems.allSatisfy { $0.sentence.hasPrefix("index 3") }, "\(check.problems)")
            // Reading either says so as well, or gives bytes as they were put.
            do throws(SegmentError) {
                let store = try WorkspaceSegments(db, index: 3)
                for (key, bytes) in Self.segments {
                    do throws(SegmentError) {
                        let found = try store.bytes(of: key)
                        #expect(found == bytes, "\(key)")
                    } catch {
                        #expect(error.sentence.hasPrefix("index 3, segment \(key): "))
                    }
                }
            } catch {
                #expect(error.sentence.hasPrefix("index 3"))
            }
        }
    }

    @Test("a row from an earlier state is not accepted as the new one")
    func oldRow() throws {
        let workspace = try workspace()
        try workspace.write { (db: Database) throws -> Void in
            try db.execute(sql: "CREATE TEMP TABLE old AS SELECT * FROM index_segment WHERE index_id = 3")
            var store = try WorkspaceSegments(db, index: 3)
            try store.put(SegmentKey("graph"), [2])
            try db.execute(
                sql: """
                    UPDATE index_segment SET (checksum, bytes) = (SELECT checksum, bytes FROM old WHERE part = 'graph')
                    WHERE index_id = 3 AND part = 'graph'
                    """)
            #expect(throws: SegmentError.self) { try store.bytes(of: SegmentKey("graph")) }
            #expect(throws: SegmentError.self) { try WorkspaceSegments(db, index: 3) }
        }
    }

    @Test("an index returns the same results after it is saved and read")
    func index() throws {
        let rows = try VectorRows(dimension: 4, metric: .l2)
        for label in 0..<200 {
            try rows.append([Float(label % 7), Float(label % 11), Float(label), 1], label: Int64(label))
        }
        let index = VamanaIndex(rows, VamanaSettings(degree: 8, complexity: 20))
        try index.add(slots: 0..<200, threads: 1) { _ in true }
        let workspace = try workspace()
        try workspace.bulkWrite { (db: Database) throws -> Void in
            var store = try WorkspaceSegments(db, index: 8)
            try index.save(to: &store)
        }
        try workspace.read { (db: Database) throws -> Void in
            let store = try WorkspaceSegments(db, index: 8)
            let file = try VamanaFile(from: store)
            for label in [0, 63, 199] {
                let query = Array(UnsafeBufferPointer(start: rows.row(label), count: 4))
                let found = try file.search(query, VectorRequest(k: 1, effort: 20), in: store)
                #expect(found.first?.label == Int64(label))
            }
            #expect(try IndexIntegrity(checking: 8, in: db).isIntact)
        }
    }
}
