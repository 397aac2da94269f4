internal import GRDB
internal import Workspace

/// Writes points of one run, within the transactions of its owner.
///
/// What comes in small pieces goes to the journal, one row a piece; large pieces, and a full journal, become blocks.
/// Everything here is one transaction of the caller, so that a process that dies leaves the last whole write.
struct RunWriter {
    let run: Int64
    private var numbers: [String: Int64] = [:]
    /// Rows, values and the longest series of the journal.
    private var rows = 0
    private var values = 0
    private var depth = 0

    /// Limit of curves per run; further series of a foreign file are ignored.
    static let mostSeries = 100_000

    init(run: Int64, _ db: Database) throws {
        self.run = run
        let series = try Workspace.Statement(db, "SELECT name, id FROM training_series WHERE run = ?")
        series.bind(1, run)
        while try series.step() { numbers[series.text(0)] = series.int64(1) }
        let journal = try Workspace.Statement(
            db,
            """
            SELECT count(*), ifnull(sum(value_count), 0), ifnull(sum(depth), 0) FROM training_journal WHERE run = ?
            """)
        journal.bind(1, run)
        if try journal.step() { (rows, values, depth) = (journal.int(0), journal.int(1), journal.int(2)) }
    }

    /// Returns the row of a series, which is created if it is missing.
    mutating func number(of name: String, _ db: Database) throws -> Int64 {
        if let known = numbers[name] { return known }
        let insert = try Workspace.Statement(db, "INSERT INTO training_series (run, name) VALUES (?, ?)")
        insert.bind(1, run)
        insert.bind(2, name)
        try insert.run()
        numbers[name] = db.lastInsertedRowID
        return db.lastInsertedRowID
    }

    /// Writes points by series.
    mutating func write(_ batch: [(series: Int64, points: SeriesPoints)], _ db: Database) throws {
        let batch = batch.filter { $0.points.count > 0 }
        guard !batch.isEmpty else { return }
        let longest = batch.reduce(0) { max($0, $1.points.count) }
        let all = batch.reduce(0) { $0 + $1.points.count }
        try note(batch, db)
        if longest >= Journal.mostPoints || all >= Journal.mostValues {
            try settle(adding: batch, db)
            return
        }
        var data: [UInt8] = []
        for (series, points) in batch { Journal.appendSection(series, points, to: &data) }
        let insert = try Workspace.Statement(
            db, "INSERT INTO training_journal (run, depth, value_count, data) VALUES (?, ?, ?, ?)")
        insert.bind(1, run)
        insert.bind(2, longest)
        insert.bind(3, all)
        insert.bind(4, data)
        try insert.run()
        rows += 1
        values += all
        depth += longest
        if depth >= Journal.mostPoints || values >= Journal.mostValues || rows >= Journal.mostRows {
            try settle(adding: [], db)
        }
    }

    /// Forgets every point after `step`.
    mutating func truncate(after step: Int64, _ db: Database) throws {
        try settle(adding: [], db)
        for series in numbers.values { try Self.truncate(series, after: step, db) }
    }

    // MARK: Blocks

    /// Makes blocks of the journal and of the additional points of `batch`.
    private mutating func settle(adding batch: [(series: Int64, points: SeriesPoints)], _ db: Database) throws {
        var points = rows > 0 ? try Journal.points(of: run, db) : [:]
        for (series, more) in batch { points[series, default: SeriesPoints()].append(more) }
        let blocks = try BlockWriter(db)
        for (series, points) in points.sorted(by: { $0.key < $1.key }) { try blocks.append(points, to: series) }
        if rows > 0 {
            let delete = try Workspace.Statement(db, "DELETE FROM training_journal WHERE run = ?")
            delete.bind(1, run)
            try delete.run()
        }
        (rows, values, depth) = (0, 0, 0)
    }

    /// Keeps the last point of each series where lists find it.
    private func note(_ batch: [(series: Int64, points: SeriesPoints)], _ db: Database) throws {
        let update = try Workspace.Statement(
            db, "UPDATE training_series SET points = points + ?, last_step = ?, last_bits = ? WHERE id = ?")
        for (series, points) in batch {
            guard let step = points.steps.last, let value = points.values.last else { continue }
            update.bind(1, points.count)
            update.bind(2, step)
            update.bind(3, Int64(bitPattern: value.bitPattern))
            update.bind(4, series)
            try update.run()
        }
    }

    private static func truncate(_ series: Int64, after step: Int64, _ db: Database) throws {
        let blocks = try SeriesBlock.all(of: series, db)
        guard let first = blocks.firstIndex(where: { $0.greatestStep > step }) else { return }
        // From the first block that loses something on, the rest is written again: numbers stay without gaps.
        let reader = try BlockReader(db)
        var kept = SeriesPoints()
        for block in blocks[first...] {
            guard block.leastStep <= step else { continue }
            try reader.read(series: series, number: block.number, into: &kept)
        }
        kept = kept.filtered { $0 <= step }
        let writer = try BlockWriter(db)
        try writer.remove(series, from: blocks[first].number)
        try writer.append(kept, to: series)
        let rest = try SeriesBlock.all(of: series, db)
        let last = rest.last
        var lastStep: Int64 = 0
        if let last {
            var points = SeriesPoints()
            try reader.read(series: series, number: last.number, times: false, into: &points)
            lastStep = points.steps.last ?? 0
        }
        let update = try Workspace.Statement(
            db, "UPDATE training_series SET points = ?, last_step = ?, last_bits = ? WHERE id = ?")
        update.bind(1, rest.reduce(0) { $0 + $1.count })
        update.bind(2, lastStep)
        update.bind(3, Int64(bitPattern: last?.last.bitPattern ?? 0))
        update.bind(4, series)
        try update.run()
    }
}

/// Puts points behind the blocks of a series.
private struct BlockWriter {
    private let last: Workspace.Statement
    private let header: Workspace.Statement
    private let data: Workspace.Statement
    private let reader: BlockReader
    private let db: Database

    init(_ db: Database) throws {
        self.db = db
        last = try Workspace.Statement(
            db, "SELECT number, points FROM training_block WHERE series = ? ORDER BY number DESC LIMIT 1")
        header = try Workspace.Statement(
            db,
            """
            INSERT OR REPLACE INTO training_block (series, \(SeriesBlock.columns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
        data = try Workspace.Statement(db, "INSERT OR REPLACE INTO training_points (id, data) VALUES (?, ?)")
        reader = try BlockReader(db)
    }

    /// Fills the last block first, so that all but the last are full.
    func append(_ points: SeriesPoints, to series: Int64) throws {
        var number: Int64 = 0
        var waiting = SeriesPoints()
        last.bind(1, series)
        if try last.step() {
            let count = last.int(1)
            number = last.int64(0) + (count < SeriesBlock.capacity ? 0 : 1)
            if count < SeriesBlock.capacity { try reader.read(series: series, number: number, into: &waiting) }
        }
        last.reset()
        waiting.append(points)
        var start = 0
        while start < waiting.count {
            let end = min(waiting.count, start + SeriesBlock.capacity)
            try write(waiting[start..<end], series: series, number: number)
            number += 1
            start = end
        }
    }

    func remove(_ series: Int64, from number: Int64) throws {
        let headers = try Workspace.Statement(db, "DELETE FROM training_block WHERE series = ? AND number >= ?")
        headers.bind(1, series)
        headers.bind(2, number)
        try headers.run()
        let points = try Workspace.Statement(db, "DELETE FROM training_points WHERE id >= ? AND id < ?")
        points.bind(1, SeriesBlock.key(series: series, number: number))
        points.bind(2, SeriesBlock.key(series: series + 1, number: 0))
        try points.run()
    }

    private func write(_ points: SeriesPoints, series: Int64, number: Int64) throws {
        let block = SeriesBlock(number: number, points)
        header.bind(1, series)
        header.bind(2, number)
        header.bind(3, block.count)
        header.bind(4, block.leastStep)
        header.bind(5, block.greatestStep)
        header.bind(6, block.leastTime)
        header.bind(7, block.greatestTime)
        header.bind(8, (block.hasOrderedSteps ? 1 : 0) | (block.hasOrderedTimes ? 2 : 0))
        header.bind(9, block.finite)
        header.bind(10, block.minimum)
        header.bind(11, block.maximum)
        header.bind(12, block.total)
        header.bind(13, Int64(bitPattern: block.first.bitPattern))
        header.bind(14, Int64(bitPattern: block.last.bitPattern))
        try header.run()
        var bytes: [UInt8] = []
        bytes.reserveCapacity(points.count * 8)
        BlockCoding.encode(points, into: &bytes)
        data.bind(1, SeriesBlock.key(series: series, number: number))
        data.bind(2, bytes)
        try data.run()
    }
}
