internal import GRDB
internal import Hashing
internal import System
internal import Training
internal import Workspace

/// What is read of a run of others, on its way into the workspace.
///
/// Points gather in memory, up to a bound; `commit` writes them with the place up to which the files were read, in one
/// transaction: whatever happens, everything is imported once.
struct RunIntake {
    /// How far a file was read, and what its reader must remember.
    struct Place: Equatable {
        var position: Int
        var memory: String
    }

    let store: RunStore
    let source: String
    let format: RunFormat
    private(set) var run: Int64?
    /// Where the last commit left each file.
    private var kept: [String: Place] = [:]
    private var places: [String: Place] = [:]

    private var table = SeriesTable()
    private var columns: [SeriesPoints] = []
    private var pendingValues = 0
    private var samples: [RunSample] = []
    private var sampleBytes = 0
    /// Points that reached the workspace.
    private(set) var points = 0
    private(set) var notes: [String] = []
    /// What the files say of the run.
    var head = RunHead()
    private var lastStep = 0
    private var firstTime: Int64?

    static let mostPendingValues = 1 << 18
    private static let mostPendingText = 8 << 20
    /// Longer texts of a sample are cut.
    private static let longestText = 64 << 10

    init(_ store: RunStore, source: String, format: RunFormat) throws {
        self.store = store
        self.source = source
        self.format = format
        try store.workspace.read { db in
            let known = try Row.fetchOne(
                db, sql: "SELECT * FROM training_run WHERE source = ? ORDER BY id DESC LIMIT 1", arguments: [source])
            guard let known else { return }
            let deleted: Int64? = known["deleted"]
            if deleted != nil {
                throw Problem(
                    .missing, "", "\(source) was deleted from this workspace",
                    remedy: "Restore it with orrery train undo. To import it again, first run orrery workspace prune.")
            }
            run = known["id"]
            head = RunHead(known)
            let files = try Row.fetchAll(
                db, sql: "SELECT file, position, memory FROM training_follow WHERE run = ?", arguments: [run])
            for file in files { kept[file["file"]] = Place(position: file["position"], memory: file["memory"]) }
        }
        places = kept
    }

    /// Where reading of a file goes on.
    func place(of file: String) -> Place { places[file] ?? Place(position: 0, memory: "") }

    /// Says how far a file was read: with everything added so far.
    mutating func reached(_ file: String, _ position: Int, memory: String = "") throws {
        places[file] = Place(position: position, memory: memory)
        if pendingValues >= Self.mostPendingValues || sampleBytes >= Self.mostPendingText { try commit() }
    }

    /// Whether `reached` would write: readers with a costly memory encode it only then.
    var isFull: Bool { pendingValues >= Self.mostPendingValues || sampleBytes >= Self.mostPendingText }

    mutating func note(_ sentence: String) {
        if notes.count < 20, !notes.contains(sentence) { notes.append(sentence) }
    }

    // MARK: What the readers add

    /// Adds a value; series past a bound are left out with a note.
    ///
    /// - Parameter isTimed: whether the log records the time, otherwise it is the file's time of change, which says nothing
    ///   about the start of the run.
    mutating func add(
        _ name: UnsafeRawBufferPointer, step: Int64, time: Int64, isTimed: Bool = true, value: Double
    ) {
        guard let slot = table.slot(of: name) else {
            note("\(source) has too many series: only the first \(RunWriter.mostSeries) are read.")
            return
        }
        if slot == columns.count { columns.append(SeriesPoints()) }
        columns[slot].append(step: step, time: time, value: value)
        pendingValues += 1
        lastStep = max(lastStep, Int(step))
        if isTimed, time != 0 { firstTime = min(firstTime ?? time, time) }
    }

    mutating func add(_ name: String, step: Int64, time: Int64, isTimed: Bool = true, value: Double) {
        var name = name
        name.withUTF8 { add(UnsafeRawBufferPointer($0), step: step, time: time, isTimed: isTimed, value: value) }
    }

    mutating func add(_ sample: RunSample) {
        var sample = sample
        for path in [\RunSample.text, \RunSample.prompt] where sample[keyPath: path].utf8.count > Self.longestText {
            sample[keyPath: path] = String(decoding: sample[keyPath: path].utf8.prefix(Self.longestText), as: UTF8.self)
        }
        sampleBytes += sample.text.utf8.count + sample.prompt.utf8.count + 64
        samples.append(sample)
    }

    /// Forgets points and samples from a step on: the run was started again there.
    mutating func purge(from step: Int64) throws {
        try commit()
        guard let run, step > .min else { return }
        try store.workspace.write { db in
            var writer = try RunWriter(run: run, db)
            try writer.truncate(after: step - 1, db)
            try db.execute(
                sql: "DELETE FROM training_sample WHERE run = ? AND step >= ?", arguments: [run, step])
        }
    }

    /// Forgets all that was read: the files are others now.
    mutating func restart() throws {
        for index in columns.indices { columns[index].removeAll() }
        (pendingValues, sampleBytes, lastStep) = (0, 0, 0)
        samples = []
        places = [:]
        guard let run else { return }
        try store.workspace.write { db in
            var writer = try RunWriter(run: run, db)
            try writer.truncate(after: .min, db)
            for table in ["sample", "follow"] {
                try db.execute(sql: "DELETE FROM training_\(table) WHERE run = ?", arguments: [run])
            }
            // Without recorded times, relative time counts from the file's first known time of change.
            try db.execute(
                sql: """
                    UPDATE training_run SET step = 0, origin = NULL,
                    created = iif(origin IS NULL AND ?1 > 0, ?1, created) WHERE id = ?2
                    """,
                arguments: [head.changed, run])
        }
        kept = [:]
    }

    // MARK: Writing

    /// Writes what is new with the places of the files; nothing where nothing is.
    mutating func commit() throws {
        guard pendingValues > 0 || !samples.isEmpty || places != kept || head.isChanged else { return }
        let now = Clock.nanoseconds(.wall)
        let heartbeat = head.changed > 0 ? head.changed : now
        let batch = columns.indices.filter { columns[$0].count > 0 }
        let added = try store.workspace.write { db in
            let id = try run ?? insert(now: now, changed: heartbeat, db)
            try refuseIfFollowedElsewhere(id, db)
            var writer = try RunWriter(run: id, db)
            try writer.write(batch.map { (try writer.number(of: table.names[$0], db), columns[$0]) }, db)
            for sample in samples {
                try db.execute(
                    sql: "INSERT INTO training_sample (run, step, time, prompt, text) VALUES (?, ?, ?, ?, ?)",
                    arguments: [id, sample.step, sample.time, sample.prompt, sample.text])
            }
            for (file, place) in places where kept[file] != place {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO training_follow (run, file, position, memory) VALUES (?, ?, ?, ?)",
                    arguments: [id, file, place.position, place.memory])
            }
            try head.write(id, step: lastStep, origin: origin, heartbeat: heartbeat, db)
            return (id, batch.reduce(0) { $0 + columns[$1].count })
        }
        run = added.0
        points += added.1
        kept = places
        head.isChanged = false
        for index in batch { columns[index].removeAll() }
        samples = []
        (pendingValues, sampleBytes) = (0, 0)
    }

    /// The earliest time that the files record; `nil` if they record none.
    private var origin: Int64? {
        guard let created = head.created, created > 0 else { return firstTime }
        return min(created, firstTime ?? created)
    }

    private func insert(now: Int64, changed: Int64, _ db: Database) throws -> Int64 {
        try db.execute(
            sql: """
                INSERT INTO training_run (name, source, format, configuration, seed, version, parameters, batch, unit,
                flops, threads, state, step, created, changed, heartbeat)
                VALUES (?, ?, ?, '', 0, '', 0, 0, '', 0, 0, ?, 0, ?, ?, ?)
                """,
            arguments: [
                head.name ?? source, source, format.rawValue, RunState.running.rawValue,
                head.created ?? firstTime ?? changed, now, now,
            ])
        return db.lastInsertedRowID
    }

    private func refuseIfFollowedElsewhere(_ run: Int64, _ db: Database) throws {
        let files = try Row.fetchAll(
            db, sql: "SELECT file, position FROM training_follow WHERE run = ?", arguments: [run])
        for file in files where kept[file["file"]]?.position != file["position"] as Int {
            throw Problem(
                .busy, "", "\(source) is already followed by another orrery process, which imports new points")
        }
    }
}

/// Numbers of series by their names' bytes, without making a string of each.
struct SeriesTable {
    private(set) var names: [String] = []
    /// The bytes that a name was read from, which need not be UTF-8.
    private var keys: [[UInt8]] = []
    private var slots: [UInt64: [Int]] = [:]
    private static let longestName = 4096

    /// The number of a series, from 0, a new one at its first mention; `nil` if there is no room for another.
    mutating func slot(of name: UnsafeRawBufferPointer) -> Int? {
        let name = UnsafeRawBufferPointer(rebasing: name.prefix(Self.longestName))
        let hash = FNV1a.hash(name)
        if let found = slots[hash]?.first(where: { keys[$0].elementsEqual(name) }) { return found }
        guard names.count < RunWriter.mostSeries else { return nil }
        names.append(String(decoding: name, as: UTF8.self))
        keys.append(Array(name))
        slots[hash, default: []].append(names.count - 1)
        return names.count - 1
    }
}
