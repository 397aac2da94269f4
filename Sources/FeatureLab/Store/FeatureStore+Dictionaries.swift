internal import GRDB
internal import Interpretability
internal import System
internal import Workspace

extension FeatureStore {
    /// Adds a dictionary.
    ///
    /// - Throws: `Problem` if the name is taken, or if the description is invalid.
    @discardableResult
    public func add(_ description: FeatureDictionary.Description) throws -> FeatureDictionary {
        try Self.check(description)
        let id = try workspace.bulkWrite { db in
            try Self.refuseTaken(description.name, db)
            try db.execute(
                sql: """
                    INSERT INTO feature_dictionary
                    (name, path, digest, hook, model, model_path, kind, width, features, mean_active, metrics, created)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    description.name, description.path, description.digest, description.hook, description.model,
                    description.modelPath, description.kind, description.width, description.featureCount,
                    description.meanActive, description.metrics, Clock.nanoseconds(.wall),
                ])
            return db.lastInsertedRowID
        }
        return try dictionary(id)
    }

    /// All dictionaries, by name.
    public func dictionaries() throws -> [FeatureDictionary] {
        try workspace.read { db in try Self.dictionaries("1 ORDER BY d.name", [], db) }
    }

    /// The dictionary of a number.
    ///
    /// - Throws: An error if there is none.
    public func dictionary(_ id: Int64) throws -> FeatureDictionary {
        try workspace.read { db in try Self.dictionary(id, db) }
    }

    /// Returns the dictionary with this name, or with this number if no dictionary has the name.
    ///
    /// - Throws: An error that lists the known dictionaries, if there is no match.
    public func dictionary(matching text: String) throws -> FeatureDictionary {
        try workspace.read { db in
            if let found = try Self.dictionaries("d.name = ?", [text], db).first { return found }
            if let id = Int64(text), let found = try Self.dictionaries("d.id = ?", [id], db).first { return found }
            let names = try String.fetchAll(db, sql: "SELECT name FROM feature_dictionary ORDER BY name LIMIT 7")
            let known = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
            throw Problem(
                .invalid, "dictionary \(text)", "not in the workspace",
                remedy: text.contains("/")
                    ? "Add it with: orrery feature add \(text)."
                    : names.isEmpty
                        ? "The workspace has no dictionaries yet. Add one with: orrery feature add FOLDER."
                        : "Known: \(known).")
        }
    }

    /// Says what was measured of a dictionary.
    ///
    /// - Parameter metrics: JSON text.
    public func update(_ id: Int64, metrics: String, meanActive: Double?) throws {
        try Self.checkJSON(metrics, "the metrics")
        try change(
            id, "UPDATE feature_dictionary SET metrics = ?, mean_active = coalesce(?, mean_active) WHERE id = ?",
            [metrics, meanActive, id])
    }

    /// Calls a dictionary something else.
    ///
    /// - Throws: An error if the name is taken.
    public func rename(_ id: Int64, to name: String) throws {
        try Self.checkName(name)
        try workspace.write { db in
            let dictionary = try Self.dictionary(id, db)
            if dictionary.name == name { return }
            try Self.refuseTaken(name, db)
            try db.execute(sql: "UPDATE feature_dictionary SET name = ? WHERE id = ?", arguments: [name, id])
        }
    }

    /// Removes a dictionary with its index, labels and interventions; a file of its weights stays.
    public func delete(_ id: Int64) throws {
        try workspace.bulkWrite { db in
            _ = try Self.dictionary(id, db)
            let indexes = try Int64.fetchAll(
                db, sql: "SELECT id FROM feature_index WHERE dictionary = ?", arguments: [id])
            for index in indexes { try Self.removeIndex(index, db) }
            for table in ["label", "import", "intervention"] {
                try db.execute(sql: "DELETE FROM feature_\(table) WHERE dictionary = ?", arguments: [id])
            }
            try db.execute(sql: "DELETE FROM feature_dictionary WHERE id = ?", arguments: [id])
        }
    }

    static func removeIndex(_ index: Int64, _ db: Database) throws {
        for table in ["state", "text", "stat", "token"] {
            try db.execute(sql: "DELETE FROM feature_\(table) WHERE index_id = ?", arguments: [index])
        }
        try db.execute(
            sql: "DELETE FROM feature_record WHERE id >= ? AND id < ?", arguments: [index << 32, (index + 1) << 32])
        try db.execute(sql: "DELETE FROM feature_index WHERE id = ?", arguments: [index])
    }

    func change(_ id: Int64, _ sql: String, _ arguments: StatementArguments) throws {
        try workspace.write { db in
            _ = try Self.dictionary(id, db)
            try db.execute(sql: sql, arguments: arguments)
        }
    }

    static func dictionary(_ id: Int64, _ db: Database) throws -> FeatureDictionary {
        guard let found = try dictionaries("d.id = ?", [id], db).first else {
            throw Problem(
                .invalid, "dictionary \(id)", "not in the workspace",
                remedy: "List dictionaries with: orrery feature list.")
        }
        return found
    }

    private static func dictionaries(
        _ condition: String, _ arguments: StatementArguments, _ db: Database
    ) throws -> [FeatureDictionary] {
        let sql = "SELECT d.* FROM feature_dictionary d WHERE \(condition)"
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
            let (width, features): (Int, Int) = (row["width"], row["features"])
            guard sizes.contains(width), sizes.contains(features) else {
                throw Frame.damage("dictionary \(row["name"] as String)")
            }
            return FeatureDictionary(
                id: row["id"],
                description: FeatureDictionary.Description(
                    name: row["name"], path: row["path"], digest: row["digest"], hook: row["hook"],
                    model: row["model"], modelPath: row["model_path"], kind: row["kind"], width: width,
                    featureCount: features, meanActive: row["mean_active"], metrics: row["metrics"]),
                created: row["created"], index: try index(of: row["id"], db))
        }
    }

    static func index(of dictionary: Int64, _ db: Database) throws -> FeatureIndex? {
        let sql = "SELECT * FROM feature_index WHERE dictionary = ? AND complete = 1 ORDER BY id DESC LIMIT 1"
        return try Row.fetchOne(db, sql: sql, arguments: [dictionary]).map { row in
            let (tokens, counted, sequences): (Int, Int, Int) = (row["tokens"], row["counted"], row["sequences"])
            guard 0...Int(UInt32.max) ~= tokens, 0...tokens ~= counted, sequences >= 0 else {
                throw Frame.damage("the index of dictionary \(dictionary)")
            }
            let origin = FeatureIndexBuilder.Settings.origin(ofJSON: row["settings"])
            return FeatureIndex(
                id: row["id"], tokens: tokens, sequences: sequences, counted: counted, source: origin.source,
                weights: origin.weights, created: row["created"])
        }
    }
}
