internal import GRDB
internal import Interpretability
internal import System
internal import Workspace

extension FeatureIndexBuilder {
    /// The unfinished index of these settings, or a new one.
    ///
    /// - Throws: An error if a partly written index with other settings exists.
    static func begin(
        _ store: FeatureStore, _ dictionary: FeatureDictionary, _ settings: String
    ) throws -> (index: Int64, checkpoints: Int) {
        try store.workspace.bulkWrite { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, settings, checkpoint FROM feature_index WHERE dictionary = ? AND complete = 0",
                arguments: [dictionary.id])
            for row in rows where row[1] == settings { return (row[0], row[2]) }
            guard rows.allSatisfy({ $0[2] == 0 }) else {
                throw Problem(
                    .invalid, "the index of \(dictionary.name)",
                    "unfinished, and built with different texts, settings, or weights",
                    remedy: "Use the same settings to resume, or start over with --afresh.")
            }
            for row in rows { try FeatureStore.removeIndex(row[0], db) }
            try db.execute(
                sql: """
                    INSERT INTO feature_index
                    (dictionary, settings, complete, checkpoint, tokens, sequences, counted, created)
                    VALUES (?, ?, 0, 0, 0, 0, 0, ?)
                    """,
                arguments: [dictionary.id, settings, Clock.nanoseconds(.wall)])
            return (db.lastInsertedRowID, 0)
        }
    }

    /// - Throws: `Problem` if the index does not fit into `limit`; the sentence says how many features
    ///   do.
    static func checkMemory(_ dictionary: FeatureDictionary, limit: Int) throws(Problem) {
        let beside = 128 << 20
        let needed = FeatureAccumulator.bytes(features: dictionary.featureCount) + beside
        guard needed > limit else { return }
        let fitting = max(0, limit - beside) / FeatureAccumulator.bytes(features: 1)
        throw Problem(
            .limit, "the index of \(dictionary.name)",
            "\(dictionary.featureCount) features need \(needed >> 20) MiB, above the limit of "
                + "\(limit >> 20) MiB",
            remedy: "Use --memory \((needed >> 20) + 1), or index a dictionary of at most \(fitting) features.")
    }
}

extension FeatureStore {
    /// Gives up an index that was not finished, with all that was learnt for it.
    public func discardUnfinishedIndex(of id: Int64) throws {
        try workspace.bulkWrite { db in
            let sql = "SELECT id FROM feature_index WHERE dictionary = ? AND complete = 0"
            for index in try Int64.fetchAll(db, sql: sql, arguments: [id]) { try Self.removeIndex(index, db) }
        }
    }
}
