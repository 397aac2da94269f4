internal import GRDB
internal import Workspace

extension RunStore {
    /// Says when a run began and was changed last, nanoseconds since 1970: for runs that are made rather than recorded,
    /// such as those that tests look at.
    package func date(_ run: Int64, from created: Int64, to changed: Int64) throws {
        try workspace.write { db in
            try db.execute(
                sql: "UPDATE training_run SET created = ?1, origin = ?1, changed = ?2 WHERE id = ?3",
                arguments: [created, changed, run])
        }
    }
}
