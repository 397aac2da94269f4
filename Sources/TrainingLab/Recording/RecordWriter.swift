internal import GRDB
internal import System
internal import Training

/// Writes what a run of ours recorded into its row and its series.
struct RecordWriter: Sendable {
    let run: Int64
    private var writer: RunWriter
    /// The row of the series at each place of a point: points of one run mostly name the same ones in the same order.
    private var places: [(name: String, slot: Int)] = []
    private var slots: [String: Int] = [:]
    private var series: [Int64] = []

    /// - Parameters:
    ///   - own: the row that this recorder has written so far; it is taken back to `step`.
    ///   - wanted: a row that the caller named.
    init(
        _ description: RunDescription, at step: Int, isNew: Bool, own: Int64?, wanted: Int64?, _ db: Database
    ) throws {
        let found =
            try own ?? wanted
            ?? (isNew ? Self.withoutSteps(description, db) : Self.earlier(description, db))
        if let found {
            run = found
            try Self.takeUp(found, description, at: step, isOwn: own != nil, db)
            writer = try RunWriter(run: found, db)
            try writer.truncate(after: Int64(step), db)
        } else {
            run = try Self.insert(description, at: step, db)
            writer = try RunWriter(run: run, db)
        }
    }

    // MARK: The row

    private static func earlier(_ description: RunDescription, _ db: Database) throws -> Int64? {
        if let folder = description.folder {
            return try Int64.fetchOne(
                db,
                sql: """
                    SELECT id FROM training_run WHERE folder = ? AND source IS NULL AND deleted IS NULL
                    ORDER BY id DESC LIMIT 1
                    """, arguments: [folder])
        }
        return try Int64.fetchOne(
            db,
            sql: """
                SELECT id FROM training_run WHERE name = ? AND folder IS NULL AND source IS NULL AND deleted IS NULL
                ORDER BY id DESC LIMIT 1
                """, arguments: [description.name])
    }

    /// The newest run of this name and folder, where it was ended before its first checkpoint.
    private static func withoutSteps(_ description: RunDescription, _ db: Database) throws -> Int64? {
        guard description.folder != nil, let run = try earlier(description, db) else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT id FROM training_run WHERE id = ? AND name = ? AND step = 0 AND state IN (?, ?)",
            arguments: [run, description.name, RunState.running.rawValue, RunState.interrupted.rawValue])
    }

    private static func takeUp(
        _ run: Int64, _ description: RunDescription, at step: Int, isOwn: Bool, _ db: Database
    ) throws {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT state, source, heartbeat, process FROM training_run WHERE id = ?", arguments: [run])
        else { throw Problem(.missing, "", "Run \(run) does not exist", remedy: "List runs with orrery train list.") }
        let source: String? = row["source"]
        if source != nil {
            throw Problem(.invalid, "", "Run \(run) belongs to another program", remedy: "Resume it there.")
        }
        let now = Clock.nanoseconds(.wall)
        let process: String? = row["process"]
        let mark = process.map(ProcessMark.init)
        let state = RunState.seen(
            stored: RunState(rawValue: row["state"]) ?? .failed, isForeign: false, heartbeat: row["heartbeat"],
            process: mark, at: now)
        if state.isLive, mark != .current {
            throw Problem(.busy, "", "Run \(run) is running in another process", remedy: "Stop it there first.")
        }
        try db.execute(
            sql: """
                UPDATE training_run SET configuration = ?, seed = ?, version = ?, steps = ?, parameters = ?, batch = ?,
                unit = ?, flops = ?, threads = ?, folder = ?, state = ?, step = ?, note = '', changed = ?,
                heartbeat = ?, process = ? WHERE id = ?
                """, arguments: cells(description, at: step, now: now) + [run])
        for table in ["sample", "event"] {
            try db.execute(
                sql: "DELETE FROM training_\(table) WHERE run = ? AND step > ?", arguments: [run, step])
        }
        if isOwn { return }
        try db.execute(
            sql: "UPDATE training_order SET taken = ? WHERE run = ? AND taken IS NULL", arguments: [now, run])
    }

    private static func insert(_ description: RunDescription, at step: Int, _ db: Database) throws -> Int64 {
        let now = Clock.nanoseconds(.wall)
        let head: StatementArguments = [description.name, now, now]
        try db.execute(
            sql: """
                INSERT INTO training_run (name, created, origin, configuration, seed, version, steps, parameters, batch,
                unit, flops, threads, folder, state, step, changed, heartbeat, process)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, arguments: head + cells(description, at: step, now: now))
        return db.lastInsertedRowID
    }

    private static func cells(_ it: RunDescription, at step: Int, now: Int64) -> StatementArguments {
        let flops = Int64(bitPattern: it.flopsPerStep.bitPattern)
        var cells: StatementArguments = [it.configuration, Int64(bitPattern: it.seed), it.version, it.steps]
        cells += [it.parameters, it.batch, it.unit, flops, it.threads, it.folder, RunState.running.rawValue, step, now]
        cells += [now, ProcessMark.current.text]
        return cells
    }

    // MARK: What was recorded

    /// Writes a record, or with an empty one a sign of life.
    mutating func write(_ record: RunRecord, _ db: Database) throws {
        let now = Clock.nanoseconds(.wall)
        try write(record.points, db)
        try write(record.samples, db)
        try write(record.events, db)
        let state = record.events.reversed().lazy.compactMap { RunState(after: $0.kind) }.first
        let note = record.events.last { !$0.text.isEmpty && $0.kind != .checkpoint }?.text
        let step =
            [
                record.points.last?.step ?? 0, record.samples.last?.step ?? 0, record.events.last?.step ?? 0,
            ].max() ?? 0
        try db.execute(
            sql: """
                UPDATE training_run SET heartbeat = ?1, changed = iif(?2, ?1, changed), step = max(step, ?3),
                state = ifnull(?4, state), note = ifnull(?5, note), process = ?6 WHERE id = ?7
                """,
            arguments: [now, !record.isEmpty, step, state?.rawValue, note, ProcessMark.current.text, run])
    }

    /// The end of recording: a run that has not said how it ended was interrupted.
    func close(_ db: Database) throws {
        try db.execute(
            sql: "UPDATE training_run SET state = ?, process = NULL WHERE id = ? AND state IN (?, ?)",
            arguments: [RunState.interrupted.rawValue, run, RunState.running.rawValue, RunState.paused.rawValue])
    }

    private mutating func write(_ points: [RunPoint], _ db: Database) throws {
        guard !points.isEmpty else { return }
        var columns = [SeriesPoints](repeating: SeriesPoints(), count: series.count)
        for point in points {
            for (place, value) in point.values.enumerated() {
                let slot = try slot(of: value.series, at: place, db)
                if slot >= columns.count { columns.append(SeriesPoints()) }
                columns[slot].append(step: Int64(point.step), time: point.time, value: value.value)
            }
        }
        try writer.write(columns.indices.map { (series[$0], columns[$0]) }, db)
    }

    private mutating func slot(of name: String, at place: Int, _ db: Database) throws -> Int {
        if place < places.count, places[place].name == name { return places[place].slot }
        var slot = slots[name]
        if slot == nil {
            series.append(try writer.number(of: name, db))
            slot = series.count - 1
            slots[name] = slot
        }
        let found = slot ?? 0
        if place == places.count {
            places.append((name, found))
        } else if place < places.count {
            places[place] = (name, found)
        }
        return found
    }

    private func write(_ samples: [RunSample], _ db: Database) throws {
        for sample in samples {
            try db.execute(
                sql: "INSERT INTO training_sample (run, step, time, prompt, text) VALUES (?, ?, ?, ?, ?)",
                arguments: [run, sample.step, sample.time, sample.prompt, sample.text])
        }
    }

    private func write(_ events: [RunEvent], _ db: Database) throws {
        for event in events {
            try db.execute(
                sql: "INSERT INTO training_event (run, step, time, kind, text) VALUES (?, ?, ?, ?, ?)",
                arguments: [run, event.step, event.time, event.kind.rawValue, event.text])
        }
    }
}
