import GRDB
import JSON
import Workspace

extension ProfileStore {
    /// All profiles, newest import first.
    public func summaries() throws -> [ProfileSummary] {
        try workspace.read { db in
            var found: [ProfileSummary] = []
            try Workspace.Statement(db, "SELECT \(Self.summaryColumns) FROM profile ORDER BY id DESC").forEach {
                found.append(Self.summary($0))
            }
            return found
        }
    }

    /// One profile without its launches; nil if it is not there.
    public func summary(_ id: Int64) throws -> ProfileSummary? {
        try workspace.read { db in try Self.summary(id, db) }
    }

    /// One profile with its launches; nil if it is not there. About 1 KB a launch.
    ///
    /// - Parameter withCounters: whether the tool's own figures are read too, which may be hundreds a launch.
    public func profile(_ id: Int64, withCounters: Bool = false) throws -> Profile? {
        try workspace.read { db in
            guard let summary = try Self.summary(id, db) else { return nil }
            let words = try Self.words(id, db)
            var launches: [Launch] = []
            launches.reserveCapacity(summary.launchCount)
            let rows = try Workspace.Statement(
                db, "SELECT \(Self.launchColumns) FROM launch WHERE profile = ? ORDER BY ordinal")
            rows.bind(1, id)
            let parser = JSONParser()
            try rows.forEach { launches.append(try Self.launch($0, words, parser)) }
            if withCounters {
                let blocks = try Workspace.Statement(db, "SELECT first, data FROM launch_counter WHERE profile = ?")
                blocks.bind(1, id)
                let decompressor = try Decompressor()
                try blocks.forEach { row in
                    let counters = try CounterBlock.counters(row.blob(1), decompressor)
                    for (place, counters) in zip(row.int(0)..., counters) where launches.indices.contains(place) {
                        launches[place].counters = counters
                    }
                }
            }
            return Profile(summary: summary, launches: launches)
        }
    }

    /// One launch with all figures of the tool; nil if it is not there.
    public func launch(_ profile: Int64, _ ordinal: Int) throws -> Launch? {
        try workspace.read { db in
            let row = try Workspace.Statement(
                db, "SELECT \(Self.launchColumns) FROM launch WHERE profile = ? AND ordinal = ?")
            row.bind(1, profile)
            row.bind(2, ordinal)
            let words = try Self.words(profile, db)
            guard var launch = try row.first({ try Self.launch($0, words, JSONParser()) }) else { return nil }
            let block = try Workspace.Statement(
                db,
                "SELECT first, data FROM launch_counter WHERE profile = ? AND first <= ? ORDER BY first DESC LIMIT 1")
            block.bind(1, profile)
            block.bind(2, ordinal)
            launch.counters =
                try block.first { row in
                    let counters = try CounterBlock.counters(row.blob(1), Decompressor())
                    let place = ordinal - row.int(0)
                    return counters.indices.contains(place) ? counters[place] : []
                } ?? []
            return launch
        }
    }

    /// Gives a profile another title.
    public func rename(_ id: Int64, to title: String) throws {
        try workspace.write { db in
            let row = try Workspace.Statement(db, "UPDATE profile SET title = ? WHERE id = ?")
            row.bind(1, title)
            row.bind(2, id)
            try row.run()
        }
    }

    /// Removes profiles with their launches for good; numbers that are not there are passed over.
    @discardableResult
    public func delete(_ ids: [Int64]) throws -> ProfileDeletion {
        try workspace.write { db in
            var deletion = ProfileDeletion(profiles: 0, launches: 0)
            for id in Set(ids).sorted() {
                guard let launches = try Self.delete(id, db) else { continue }
                deletion.profiles += 1
                deletion.launches += launches
            }
            return deletion
        }
    }

    /// Removes one profile; nil if it is not there, else how many launches it had.
    static func delete(_ id: Int64, _ db: Database) throws -> Int? {
        let removed = try Workspace.Statement(db, "DELETE FROM profile WHERE id = ? RETURNING id")
        removed.bind(1, id)
        guard try removed.first({ $0.int64(0) }) != nil else { return nil }
        let count = try Workspace.Statement(db, "SELECT count(*) FROM launch WHERE profile = ?")
        count.bind(1, id)
        let launches = try count.first { $0.int(0) } ?? 0
        for table in ["launch", "launch_counter", "profile_word"] {
            let rows = try Workspace.Statement(db, "DELETE FROM \(table) WHERE profile = ?")
            rows.bind(1, id)
            try rows.run()
        }
        return launches
    }

    // MARK: - Rows

    static let summaryColumns = """
        id, title, tool, format, path, size, digest, imported, launches, kernels, seconds, untimed, devices, notes,
        counters
        """
    private static let launchColumns = "ordinal, name, device, start, duration, detail"

    private static func summary(_ id: Int64, _ db: Database) throws -> ProfileSummary? {
        let row = try Workspace.Statement(db, "SELECT \(summaryColumns) FROM profile WHERE id = ?")
        row.bind(1, id)
        return try row.first { summary($0) }
    }

    static func summary(_ row: Workspace.Statement) -> ProfileSummary {
        var summary = ProfileSummary(title: row.text(1), tool: row.text(2), format: row.text(3), path: row.text(4))
        summary.id = row.int64(0)
        summary.size = row.int(5)
        summary.digest = UInt64(bitPattern: row.int64(6))
        summary.imported = row.storedDouble(7) ?? 0
        summary.launchCount = row.int(8)
        summary.kernelCount = row.int(9)
        summary.seconds = row.storedDouble(10) ?? 0
        summary.untimedLaunches = row.int(11)
        summary.devices = SummaryCoding.devices(row.text(12))
        summary.notes = SummaryCoding.strings(row.text(13))
        summary.counterNames = SummaryCoding.strings(row.text(14))
        return summary
    }

    private static func words(_ profile: Int64, _ db: Database) throws -> [String] {
        let rows = try Workspace.Statement(db, "SELECT text FROM profile_word WHERE profile = ? ORDER BY id")
        rows.bind(1, profile)
        var words: [String] = []
        try rows.forEach { words.append($0.text(0)) }
        return words
    }

    private static func launch(_ row: Workspace.Statement, _ words: [String], _ parser: JSONParser) throws -> Launch {
        let name = row.int(1)
        var launch = Launch(
            ordinal: row.int(0), name: words.indices.contains(name) ? words[name] : "", device: row.int(2))
        launch.start = row.storedDouble(3)
        launch.duration = row.storedDouble(4)
        try? parser.parse(row.text(5)) { LaunchCoding.apply($0, words: words, to: &launch) }
        return launch
    }
}
