public import EvalLogs
internal import GRDB
internal import System
internal import Traces
public import Workspace

/// Stores human ratings of samples, of this workspace's runs and of other programs' logs.
///
/// Nothing is overwritten: a later rating by a rater replaces the earlier one, and undo restores it. A rating survives
/// a power loss once `add` has returned.
public struct ReviewStore: Sendable {
    /// Migrations that create the table of ratings.
    public static let migrations = [
        Migration(
            "evals: ratings",
            sql: """
                CREATE TABLE eval_rating (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    run TEXT NOT NULL,
                    sample TEXT NOT NULL,
                    epoch INTEGER NOT NULL,
                    rater TEXT NOT NULL,
                    verdict TEXT NOT NULL,
                    note TEXT NOT NULL,
                    time INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX eval_rating_by_run ON eval_rating(run, sample, epoch);
                """)
    ]

    private let workspace: Workspace

    /// Creates the store of a workspace that was opened with `migrations`.
    public init(_ workspace: Workspace) { self.workspace = workspace }

    /// Stores a rating and returns it with its number.
    ///
    /// - Throws: `Problem` for an invalid grade, `WorkspaceError`.
    @discardableResult
    public func add(_ rating: Rating) throws -> Rating {
        // Do not write a grade that no reader accepts: it would hide the earlier rating.
        if case .grade(let grade) = rating.verdict, !Rating.Verdict.grades.contains(grade) {
            throw Problem(.invalid, rating.sample, "grade \(grade) is out of range", remedy: "Use 1 to 5.")
        }
        var kept = rating
        kept.id = try workspace.write { db in
            try db.execute(
                sql: """
                    INSERT INTO eval_rating (run, sample, epoch, rater, verdict, note, time) VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    rating.run, rating.sample, rating.epoch, rating.rater, rating.verdict.name, rating.note,
                    rating.time,
                ])
            return db.lastInsertedRowID
        }
        return kept
    }

    /// Deletes and returns the last rating by a rater for a run; `nil` if there is none.
    @discardableResult
    public func undo(rater: String, run: String) throws -> Rating? {
        try workspace.write { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT * FROM eval_rating WHERE run = ? AND rater = ? ORDER BY id DESC LIMIT 1",
                arguments: [run, rater])
            guard let row, let rating = Self.rating(row) else { return nil }
            try db.execute(sql: "DELETE FROM eval_rating WHERE id = ?", arguments: [rating.id])
            return rating
        }
    }

    /// Returns the current rating of each rater for each sample of a run, in the order of rating.
    public func ratings(of run: String) throws -> [Rating] {
        try workspace.read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM eval_rating WHERE id IN
                        (SELECT max(id) FROM eval_rating WHERE run = ? GROUP BY sample, epoch, rater) ORDER BY id
                    """,
                arguments: [run])
            return rows.compactMap(Self.rating)
        }
    }

    private static func rating(_ row: Row) -> Rating? {
        guard let verdict = Rating.Verdict(row["verdict"]) else { return nil }
        return Rating(
            id: row["id"], run: row["run"], sample: row["sample"], epoch: row["epoch"], rater: row["rater"],
            verdict: verdict, note: row["note"], time: row["time"])
    }
}

extension EvalRun {
    /// Key of the run's ratings: its own key, and its file for the log of another program.
    public var ratingKey: String { path.map { "\(format) \(key) \($0)" } ?? key }
}
