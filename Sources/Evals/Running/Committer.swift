internal import EvalLogs
internal import GRDB
internal import Glibc
internal import LanguageModels
internal import System
internal import Workspace

/// A sample that has ended, ready to be written.
struct EndedSample: Sendable {
    var key: SampleKey
    /// Row of the sample; `nil` for an answer that was never judged: only its record is stored, and the sample has not
    /// ended.
    var row: EvalRow?
    /// Sample that this one replaces; `nil` if there is none.
    var replaces: ReplacedSample?
    /// Packed `StoredSample`.
    var record: [UInt8]
    /// Digest of the request if its answer may be reused; `nil` otherwise.
    var cacheKey: [UInt8]?
}

/// Writes ended samples to the disk: waiting samples share one transaction, which is synced before anything reports
/// them.
///
/// A worker hands its sample over and continues with the next. It waits only if the disk is far behind.
final class Committer: Sendable {
    struct State: Sendable {
        var waiting: [EndedSample] = []
        var bytes = 0
        /// Number of samples being written.
        var writing = 0
        var isClosed = false
        /// Whether everything is written, or nothing more can be.
        var isOver = false
        /// Whether another process has locked the file.
        var isHeld = false
        /// Reason why nothing can be written anymore.
        var problem: String?
        /// Number of answers that could not be written.
        var lost = 0
    }

    private enum Condition { static let news = 0, room = 1 }

    /// Samples and bytes beyond which workers wait for the disk.
    private static let mostWaiting = 2048
    private static let mostBytes = 32 << 20
    /// Seconds to gather more samples before the first is written.
    private static let gathering = 0.004
    /// Seconds to wait for another process after the run's end, before the last answers are given up.
    private static let patience = 900.0

    /// Sentence in workspace errors that is not true for answers that were not stored.
    static let consolation = " Nothing was lost."

    private let workspace: Workspace
    private let run: Int64
    private let state = Monitor(State(), conditions: 2)
    /// Called after each commit with its samples, on the committer's thread.
    private let committed: @Sendable ([EndedSample]) -> Void
    private let failed: @Sendable (String) -> Void
    private let clock: @Sendable () -> EvalSpending

    /// - Parameter spent: Total spending of the run, written with every commit.
    init(
        _ workspace: Workspace, run: Int64, spent: @escaping @Sendable () -> EvalSpending,
        committed: @escaping @Sendable ([EndedSample]) -> Void, failed: @escaping @Sendable (String) -> Void
    ) {
        self.workspace = workspace
        self.run = run
        self.committed = committed
        self.failed = failed
        clock = spent
    }

    func add(_ sample: EndedSample) {
        let size = sample.record.count
        let isFirst = state.wait(on: Condition.room) { state -> Bool? in
            let isFull = state.waiting.count >= Self.mostWaiting || state.bytes >= Self.mostBytes
            guard !isFull || state.problem != nil else { return nil }
            guard state.problem == nil else {
                state.lost += 1
                return false
            }
            state.waiting.append(sample)
            state.bytes += size
            return state.waiting.count == 1
        }
        if isFirst { state.wakeOne(Condition.news) }
    }

    /// Ends the input: waiting samples are written, then `work()` returns.
    func close() {
        state.withLock { $0.isClosed = true }
        state.wakeAll(Condition.news)
    }

    /// Whether `work()` has returned, or is about to.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Number of samples that wait for another process that has locked the file; `nil` if none do.
    var held: Int? { state.withLock { $0.isHeld ? $0.waiting.count + $0.writing : nil } }

    /// Writes until the input is closed; the body of the committer's thread.
    func work() {
        defer { state.withLock { $0.isOver = true } }
        guard let compressor = try? Compressor() else { return fail("not enough memory for zstd") }
        while true {
            let isOpen = state.wait(on: Condition.news) { state -> Bool? in
                state.waiting.isEmpty ? (state.isClosed ? false : nil) : true
            }
            guard isOpen else { return }
            // A sync costs more than a sample, so the samples of the next milliseconds share it.
            state.pause(on: Condition.news, seconds: Self.gathering) { $0.isClosed }
            let samples = state.withLock { state in
                defer {
                    state.waiting = []
                    state.bytes = 0
                }
                state.writing = state.waiting.count
                return state.waiting
            }
            state.wakeAll(Condition.room)
            do {
                try write(samples, compressor)
                committed(samples)
            } catch {
                return fail("\(error)", losing: samples.count)
            }
        }
    }

    /// Sentence about samples that could not be stored; `nil` if none were lost.
    var lostWords: String? {
        let count = state.withLock { $0.lost }
        guard count > 0 else { return nil }
        return count == 1
            ? "1 response arrived but could not be stored; its request will be repeated."
            : "\(count) responses arrived but could not be stored; their requests will be repeated."
    }

    private func fail(_ problem: String, losing count: Int = 0) {
        let problem = problem.replacing(Self.consolation, with: "")
        state.withLock { state in
            state.problem = problem
            state.lost += count + state.waiting.count
            state.waiting = []
        }
        state.wakeAll(Condition.room)
        failed(problem)
    }

    private func write(_ samples: [EndedSample], _ compressor: Compressor) throws {
        defer {
            state.withLock { state in
                state.isHeld = false
                state.writing = 0
            }
        }
        // If another process locks the file for long, the samples wait and nothing is lost.
        try Self.patiently {
            try workspace.write { db in try Self.insert(samples, run, clock(), compressor, db) }
        } held: {
            state.withLock { state in
                state.isHeld = true
                return state.isClosed
            }
        }
    }

    /// Writes as soon as no other process has locked the file.
    ///
    /// - Parameter held: Called whenever the file is locked; returns whether the run is at its end and waits for
    ///   nothing else.
    static func patiently(_ write: () throws -> Void, held: () -> Bool = { true }) throws {
        var end: Double?
        while true {
            do { return try write() } catch WorkspaceError.busy(let path, let writer) {
                let moment = Clock.now(.monotonic)
                if held() { end = end ?? moment + patience }
                if let end, moment >= end { throw WorkspaceError.busy(path: path, writer: writer) }
            }
        }
    }

    private static func insert(
        _ samples: [EndedSample], _ run: Int64, _ spent: EvalSpending, _ compressor: Compressor, _ db: Database
    ) throws {
        let row = try Workspace.Statement(db, "INSERT OR REPLACE INTO eval_row (id, data) VALUES (?, ?)")
        let record = try Workspace.Statement(db, "INSERT OR REPLACE INTO eval_record (id, data) VALUES (?, ?)")
        let cache = try Workspace.Statement(db, "INSERT OR REPLACE INTO eval_cache (key, sample) VALUES (?, ?)")
        for sample in samples {
            if let ended = sample.row {
                row.bind(1, sample.key.id)
                PackedRow.bytes(of: ended).withUnsafeBytes { row.bind(2, copying: $0) }
                try row.run()
            }
            record.bind(1, sample.key.id)
            try sample.record.withUnsafeBytes { bytes in
                try compressor.withCompressed(bytes) { record.bind(2, copying: $0) }
            }
            try record.run()
            guard let key = sample.cacheKey else { continue }
            key.withUnsafeBytes { cache.bind(1, copying: $0) }
            cache.bind(2, sample.key.id)
            try cache.run()
        }
        try count(samples, run, spent, db)
    }

    private static func count(
        _ samples: [EndedSample], _ run: Int64, _ spent: EvalSpending, _ db: Database
    ) throws {
        let statement = try Workspace.Statement(
            db,
            """
            UPDATE eval_run SET completed = completed + ?, failed = failed + ?, errors = errors + ?, requests = ?,
                input = ?, cache_read = ?, cache_write = ?, output = ?, reasoning = ?, cost = ?, seconds = ?,
                unscored = unscored + ?, cached = cached + ?
            WHERE id = ?
            """)
        let rows = samples.compactMap(\.row)
        let before = samples.compactMap { $0.row == nil ? nil : $0.replaces }
        func more(_ outcome: EvalRow.Outcome) -> Int {
            rows.count { $0.outcome == outcome } - before.count { $0.outcome == outcome }
        }
        statement.bind(1, rows.count - before.count)
        statement.bind(2, more(.failed))
        statement.bind(3, more(.error))
        statement.bind(4, spent.requests)
        statement.bind(5, spent.usage.input)
        statement.bind(6, spent.usage.cacheRead)
        statement.bind(7, spent.usage.cacheWrite)
        statement.bind(8, spent.usage.output)
        statement.bind(9, spent.usage.reasoning)
        statement.bind(10, spent.cost)
        statement.bind(11, spent.seconds)
        statement.bind(12, more(.unscored))
        statement.bind(13, rows.count { $0.wasCached } - before.count { $0.wasCached })
        statement.bind(14, run)
        try statement.run()
    }
}
