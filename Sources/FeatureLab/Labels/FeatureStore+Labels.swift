internal import GRDB
internal import Interpretability
internal import System
internal import Workspace

extension FeatureStore {
    /// Says what a feature is, in place of what was said of it here before.
    ///
    /// - Throws: An error if the dictionary has no such feature, or the label is empty or longer than 1,000 bytes.
    public func setLabel(_ text: String, note: String = "", of id: Int64, feature: Int) throws {
        guard (1...1000).contains(text.utf8.count), note.utf8.count <= 1 << 20 else {
            throw Problem(
                .invalid, "label", "the label is \(text.utf8.count) bytes long and its note \(note.utf8.count)",
                remedy: "Use 1 to 1,000 bytes for a label, and at most 1,048,576 for its note.")
        }
        try workspace.write { db in
            try Self.check(feature, of: Self.dictionary(id, db))
            try Self.write(FeatureLabel(feature: feature, text: text, note: note, source: .own), of: id, 0, db)
        }
    }

    /// Takes a person's own label and note away; those of others stay.
    public func clearLabel(of id: Int64, feature: Int) throws {
        try workspace.write { db in
            try Self.check(feature, of: Self.dictionary(id, db))
            try db.execute(
                sql: "DELETE FROM feature_label WHERE dictionary = ? AND feature = ? AND source = ''",
                arguments: [id, feature])
        }
    }

    /// What is said of a feature, own first.
    public func labels(of id: Int64, feature: Int) throws -> [FeatureLabel] {
        try workspace.read { db in
            try Self.check(feature, of: Self.dictionary(id, db))
            return try Self.labels(of: id, feature: feature, db)
        }
    }

    static func labels(of id: Int64, feature: Int, _ db: Database) throws -> [FeatureLabel] {
        let sql = """
            SELECT source, text, note FROM feature_label WHERE dictionary = ? AND feature = ? ORDER BY source, number
            """
        return try Row.fetchAll(db, sql: sql, arguments: [id, feature]).map { row in
            let source: String = row[0]
            return FeatureLabel(
                feature: feature, text: row[1], note: row[2], source: source.isEmpty ? .own : .imported(source))
        }
    }

    /// - Parameter number: Distinguishes several labels of one source.
    static func write(_ label: FeatureLabel, of id: Int64, _ number: Int, _ db: Database) throws {
        let source =
            switch label.source {
            case .own: ""
            case .imported(let name): name.isEmpty ? "elsewhere" : name
            }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO feature_label
                (dictionary, feature, source, number, text, note, folded, changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                id, label.feature, source, number, label.text, label.note, FoldedText(label.text).line,
                Clock.nanoseconds(.wall),
            ])
    }
}
