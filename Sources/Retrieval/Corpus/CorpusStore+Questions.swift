internal import GRDB
internal import JSON
internal import System
internal import Workspace

/// A set of questions that a workspace keeps.
public struct StoredQuestionSet: Hashable, Sendable, Identifiable {
    public var id: Int64
    public var name: String
    /// The corpus that its answers are in, where it is known.
    public var corpus: Int64?
    public var count: Int
}

extension CorpusStore {
    /// Makes a set of questions; one of that name gets them added.
    ///
    /// - Returns: Its row.
    @discardableResult
    public func saveQuestions(_ set: QuestionSet, as name: String, corpus: Int64? = nil) throws -> Int64 {
        try Self.checkName(name)
        return try workspace.write { db in
            try db.execute(
                sql: """
                    INSERT INTO retrieval_question_set (name, corpus, created) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET corpus = ifnull(excluded.corpus, corpus)
                    """,
                arguments: [name, corpus, Clock.nanoseconds(.wall)])
            let id = try Int64.fetchOne(
                db, sql: "SELECT id FROM retrieval_question_set WHERE name = ?", arguments: [name])!
            for one in set.cases { try Self.append(one, to: id, db) }
            return id
        }
    }

    /// Adds one question: what turns a query into a case of a set. A question of that id is replaced.
    public func addQuestion(_ question: QuestionSet.Case, to set: Int64) throws {
        try workspace.write { db in try Self.append(question, to: set, db) }
    }

    private static func append(_ question: QuestionSet.Case, to set: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                INSERT INTO retrieval_question (question_set, ordinal, name, data)
                VALUES (?1, (SELECT ifnull(max(ordinal), -1) + 1 FROM retrieval_question WHERE question_set = ?1), ?, ?)
                ON CONFLICT (question_set, name) DO UPDATE SET data = excluded.data
                """,
            arguments: [set, question.id, question.json()])
    }

    /// Returns the sets by name.
    public func questionSets() throws -> [StoredQuestionSet] {
        try workspace.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, name, corpus, (SELECT count(*) FROM retrieval_question WHERE question_set = s.id)
                    FROM retrieval_question_set s ORDER BY name
                    """
            ).map { StoredQuestionSet(id: $0[0], name: $0[1], corpus: $0[2], count: $0[3]) }
        }
    }

    /// Returns the questions of a set, in the order in which they came.
    public func questions(in set: Int64) throws -> QuestionSet {
        let lines = try workspace.read { db in
            try String.fetchAll(
                db, sql: "SELECT data FROM retrieval_question WHERE question_set = ? ORDER BY ordinal", arguments: [set]
            )
        }
        return try QuestionSet(parsing: Array(lines.joined(separator: "\n").utf8), "question set \(set)")
    }

    public func removeQuestionSet(_ set: Int64) throws {
        try workspace.write { db in
            try db.execute(sql: "DELETE FROM retrieval_question_set WHERE id = ?", arguments: [set])
        }
    }
}
