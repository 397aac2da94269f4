internal import GRDB
internal import Workspace

extension WorkspaceSegments {
    /// The statements of one transaction, each prepared when it is needed first.
    final class Statements {
        private let db: Database
        private(set) var segment: Workspace.Statement?
        private(set) var node: Workspace.Statement?
        private var writing: [String: Workspace.Statement] = [:]

        init(_ db: Database) { self.db = db }

        /// Returns a statement for a segment's checksum and bytes by row; kept if there is none yet.
        func newSegment() throws -> Workspace.Statement {
            let made = try Workspace.Statement(db, "SELECT checksum, bytes FROM index_segment WHERE id = ?")
            if segment == nil { segment = made }
            return made
        }

        /// Returns a statement for a node's checksum and bytes by row; kept if there is none yet.
        func newNode() throws -> Workspace.Statement {
            let made = try Workspace.Statement(db, "SELECT checksum, bytes FROM index_node WHERE id = ?")
            if node == nil { node = made }
            return made
        }

        func nodeSum() throws -> Workspace.Statement { try kept("SELECT checksum FROM index_node WHERE id = ?") }

        func putSegment() throws -> Workspace.Statement {
            try kept(
                """
                INSERT OR REPLACE INTO index_segment (id, index_id, part, number, checksum, bytes)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        }

        func putNode() throws -> Workspace.Statement {
            try kept("INSERT OR REPLACE INTO index_node (id, checksum, bytes) VALUES (?, ?, ?)")
        }

        func putManifest() throws -> Workspace.Statement {
            try kept(
                """
                INSERT OR REPLACE INTO index_manifest
                    (index_id, segments, segment_sum, nodes, node_sum, version, checksum)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        }

        private func kept(_ sql: String) throws -> Workspace.Statement {
            if let statement = writing[sql] { return statement }
            let made = try Workspace.Statement(db, sql)
            writing[sql] = made
            return made
        }
    }
}
