internal import GRDB

/// What the files of another program say of a run, apart from its curves.
struct RunHead {
    var name: String? { didSet { isChanged = isChanged || name != oldValue } }
    var configuration: String? { didSet { isChanged = isChanged || configuration != oldValue } }
    var summary: String? { didSet { isChanged = isChanged || summary != oldValue } }
    var steps: Int? { didSet { isChanged = isChanged || steps != oldValue } }
    var version: String? { didSet { isChanged = isChanged || version != oldValue } }
    /// How the run ended; nil if the files do not say.
    var state: RunState? { didSet { isChanged = isChanged || state != oldValue } }
    var note: String? { didSet { isChanged = isChanged || note != oldValue } }
    /// What a speed counts: `tokens`; nil if the files do not say.
    var unit: String? { didSet { isChanged = isChanged || unit != oldValue } }
    /// When it began, and when its files were changed last: nanoseconds since 1970.
    var created: Int64?
    var changed: Int64 = 0
    var isChanged = false

    init() {}

    /// What is known of a run already.
    init(_ row: Row) {
        name = row["name"]
        configuration = row["configuration"]
        summary = row["summary"]
        steps = row["steps"]
        version = row["version"]
        note = row["note"]
        state = RunState(rawValue: row["state"]).flatMap { $0 == .running ? nil : $0 }
    }

    func write(_ run: Int64, step: Int, origin: Int64?, heartbeat: Int64, _ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE training_run SET name = ifnull(?1, name), configuration = ifnull(?2, configuration),
                summary = ifnull(?3, summary), steps = ifnull(?4, steps), version = ifnull(?5, version),
                state = ?6, note = ifnull(?7, note), created = ifnull(?8, created), step = max(step, ?9),
                origin = iif(?10 IS NULL, origin, min(ifnull(origin, ?10), ?10)), heartbeat = ?11,
                changed = ?11, unit = ifnull(?13, unit) WHERE id = ?12
                """,
            arguments: [
                name, configuration, summary, steps, version, (state ?? .running).rawValue, note, created,
                step, origin, heartbeat, run, unit,
            ])
    }
}
