public import GRDB
public import SearchIndexes
internal import Workspace

/// The check of all rows of an index: what `workspace check` and `corpus check` say about it.
public struct IndexIntegrity: Sendable {
    public let index: Int64
    /// Segments and nodes that were read.
    public private(set) var rows = 0
    public private(set) var bytes = 0
    /// Problems found, at most a hundred; empty if every byte is as it was written.
    public private(set) var problems: [SegmentError] = []

    /// Whether all rows were read; `false` if the check was stopped.
    public private(set) var isComplete = false

    /// Whether everything that was read is as it was written.
    public var isIntact: Bool { problems.isEmpty }

    /// Reads every row of an index and compares it with its checksum, and all of them with the manifest.
    ///
    /// - Parameter progress: Gets the rows read so far, now and then; false ends the check.
    /// - Throws: Errors from `progress`; damage is reported as a problem instead.
    public init(
        checking index: Int64, in db: Database, progress: (Int) throws -> Bool = { _ in true }
    ) throws {
        self.index = index
        let store: WorkspaceSegments
        do throws(SegmentError) {
            store = try WorkspaceSegments(db, index: index)
        } catch {
            // Without a manifest that holds nothing can be said about single rows.
            problems.append(error)
            isComplete = true
            return
        }
        for key in store.keys {
            check(key, in: store)
            if try !progress(rows) { return }
        }
        try checkNodes(of: store, in: db, progress)
    }

    /// Returns the numbers of all indexes that have rows in a workspace.
    public static func indexes(in db: Database) throws -> [Int64] {
        try Int64.fetchAll(db, sql: "SELECT index_id FROM index_manifest ORDER BY index_id")
    }

    private mutating func check(_ key: SegmentKey, in store: WorkspaceSegments) {
        do throws(SegmentError) {
            bytes += try store.withSegment(key) { bytes throws(SegmentError) in bytes.count }
        } catch {
            note(error)
        }
        rows += 1
    }

    private mutating func checkNodes(
        of store: WorkspaceSegments, in db: Database, _ progress: (Int) throws -> Bool
    ) throws {
        let part = VamanaIndex.nodePart
        let name = WorkspaceSegments.seed(index, part, 0)
        var (count, sum) = (0, UInt64(0))
        do {
            let row = try Workspace.Statement(
                db, "SELECT id, checksum, bytes FROM index_node WHERE id >= ? AND id < ? ORDER BY id")
            row.bind(1, index << 32)
            row.bind(2, (index + 1) << 32)
            while try row.step() {
                let number = Int(row.int64(0) & 0xFFFF_FFFF)
                let checksum = UInt64(bitPattern: row.int64(1))
                let content = row.blob(2)
                if XXH64.hash(content, seed: WorkspaceSegments.seed(name, number)) != checksum {
                    note(store.damage(SegmentKey(part, number), "the segment is corrupt"))
                }
                (count, sum) = (count + 1, sum &+ checksum)
                bytes += content.count
                rows += 1
                if rows.isMultiple(of: 256), try !progress(rows) { return }
            }
        } catch let error as DatabaseError {
            note(WorkspaceSegments.failure(error, index))
            isComplete = true
            return
        }
        isComplete = true
        guard count == store.manifest.nodes, sum == store.manifest.nodeSum else {
            let problem =
                count == store.manifest.nodes
                ? "a node differs from the last version written"
                : "found \(count) nodes, expected \(store.manifest.nodes)"
            note(SegmentError("index \(index)", problem: problem))
            return
        }
    }

    private mutating func note(_ problem: SegmentError) {
        if problems.count < 100 { problems.append(problem) }
    }
}
