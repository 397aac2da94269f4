internal import Dispatch
internal import GRDB
internal import Synchronization
public import System
public import Training
internal import Workspace

/// Records a run of ours in a workspace while it is running.
///
/// ```swift
/// let recorder = RunRecorder(store)
/// try recorder.begin(description, at: 0)
/// try recorder.record(RunEvent(step: 0, time: now, kind: .started, text: ""))
/// try recorder.record(RunPoint(step: 1, time: now, values: [(RunSeries.trainLoss, 4.2)]))
/// for order in recorder.orders() { obey(order) }
/// ```
///
/// What is recorded stays in memory; a thread of the recorder writes it, at the latest after half a second, in one
/// transaction: after the process dies at any moment, the workspace holds the run up to the last write, whole. While the
/// disk is full or another process writes, the run goes on and the recorder tries again; only `flush` and a memory that
/// is full of waiting points say what is wrong.
public final class RunRecorder: RunSink, Sendable {
    private let store: RunStore
    private let wanted: Int64?
    private let waiting = Mutex(Waiting())
    private let desk = Mutex(Desk())
    private let queue = DispatchQueue(label: "orrery.training.recorder", qos: .utility)
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// What the thread that trains has handed over, and what is there for it.
    private struct Waiting {
        var record = RunRecord()
        var orders: [RunOrder] = []
        var run: Int64?
        /// Why the last write failed.
        var failure: String?
    }

    /// What only one write at a time uses.
    private struct Desk {
        var writer: RecordWriter?
        var lastWrite: Int64 = 0
        var lastBeat: Int64 = 0
    }

    /// How often orders are looked for, and, of a quiet run, signs of life given: nanoseconds.
    static let period = 200_000_000
    private static let writeAfter: Int64 = 280_000_000
    private static let beatAfter: Int64 = 2_000_000_000

    /// - Parameter run: a row that this run goes on with; nil lets `begin` find it, or makes a new one.
    public init(_ store: RunStore, run: Int64? = nil) {
        self.store = store
        wanted = run
    }

    // The timer holds a reference while it looks, so no writer is left.
    deinit {
        timer.withLock { $0?.cancel() }
        // A caller that wants to know of a failure has closed the recorder.
        _ = finish()
    }

    /// The run's row, once it has begun.
    public var run: Int64? { waiting.withLock { $0.run } }

    // MARK: The sink

    /// Begins a run, or goes on with one: points, samples and events after `step` are forgotten.
    ///
    /// A resumed run that was not named is the recorder's own, or the newest of ours with the same folder; where the
    /// folder is not known, with the same name. Orders from before are void, but not those to this recorder.
    public func begin(_ description: RunDescription, at step: Int, isNew: Bool) throws(Problem) {
        // What was recorded up to here belongs to the run that is taken back.
        if !isNew, run != nil { try flush() }
        do {
            var isOwn = false
            let id = try desk.withLock { desk in
                let own = isNew ? nil : desk.writer?.run
                isOwn = own != nil
                let writer = try store.workspace.write { db in
                    try RecordWriter(description, at: step, isNew: isNew, own: own, wanted: wanted, db)
                }
                desk.writer = writer
                desk.lastWrite = Clock.nanoseconds(.monotonic)
                desk.lastBeat = desk.lastWrite
                return writer.run
            }
            waiting.withLock { waiting in
                if !isOwn { waiting = Waiting() }
                waiting.run = id
            }
        } catch {
            throw error as? Problem ?? Problem(.failed, "", "The run cannot be recorded: \(error)")
        }
        start()
    }

    public func record(_ point: RunPoint) throws(Problem) {
        try hand(values: point.values.count + 1) { $0.points.append(point) }
    }

    public func record(_ sample: RunSample) throws(Problem) {
        try hand(values: (sample.text.utf8.count + sample.prompt.utf8.count) / 16 + 1) { $0.samples.append(sample) }
    }

    public func record(_ event: RunEvent) throws(Problem) {
        try hand(values: event.text.utf8.count / 16 + 1) { $0.events.append(event) }
    }

    public func flush() throws(Problem) {
        let result = queue.sync {
            lookForOrders()
            return write()
        }
        if let result { throw Problem(.failed, "", result) }
    }

    public func orders() -> [RunOrder] {
        waiting.withLock { waiting in
            guard !waiting.orders.isEmpty else { return [] }
            defer { waiting.orders = [] }
            return waiting.orders
        }
    }

    /// Writes what is left and ends the recorder's thread; a run that has not said how it ended is interrupted.
    ///
    /// - Returns: A sentence if the end of the run was not recorded; `nil` if it was.
    @discardableResult
    public func close() -> String? {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        return queue.sync { finish() }
    }

    private func finish() -> String? {
        let failure = write()
        return desk.withLock { desk in
            guard let writer = desk.writer else { return failure }
            desk.writer = nil
            do {
                try store.workspace.write { db in try writer.close(db) }
                return failure
            } catch {
                return failure ?? "The end of the run was not recorded: \(error)"
            }
        }
    }

    // MARK: The recorder's thread

    private func hand(values: Int, _ change: (inout RunRecord) -> Void) throws(Problem) {
        let refusal = waiting.withLock { waiting -> String? in
            guard waiting.run != nil else { return "A run cannot record before it starts." }
            if waiting.record.weight > RunRecord.mostWeight {
                return "The run cannot be recorded, and the buffer for waiting records is full: "
                    + (waiting.failure ?? "the disk is too slow.")
            }
            waiting.record.weight += values
            change(&waiting.record)
            return nil
        }
        if let refusal { throw Problem(.failed, "", refusal) }
    }

    private func start() {
        timer.withLock { timer in
            guard timer == nil else { return }
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.schedule(
                deadline: .now() + .nanoseconds(Self.period), repeating: .nanoseconds(Self.period),
                leeway: .milliseconds(10))
            source.setEventHandler { [weak self] in self?.tick() }
            source.resume()
            timer = source
        }
    }

    private func tick() {
        lookForOrders()
        let now = Clock.nanoseconds(.monotonic)
        let (write, beat) = desk.withLock { (now - $0.lastWrite, now - $0.lastBeat) }
        let isEmpty = waiting.withLock { $0.record.isEmpty }
        if isEmpty ? beat >= Self.beatAfter : write >= Self.writeAfter { _ = self.write() }
    }

    /// Writes what waits, and a sign of life.
    ///
    /// - Returns: a sentence where that failed; what waits then waits on.
    private func write() -> String? {
        desk.withLock { desk in
            guard desk.writer != nil else { return nil }
            var record = waiting.withLock { waiting in
                defer { waiting.record = RunRecord() }
                return waiting.record
            }
            let now = Clock.nanoseconds(.monotonic)
            desk.lastBeat = now
            desk.lastWrite = now
            // The names of new series are kept only with their rows.
            var writer = desk.writer
            do {
                try store.workspace.write { db in try writer?.write(record, db) }
                desk.writer = writer
                waiting.withLock { $0.failure = nil }
                return nil
            } catch {
                let sentence = "The run currently cannot be recorded: \(error)"
                waiting.withLock { waiting in
                    record.append(waiting.record)
                    waiting.record = record
                    waiting.failure = sentence
                }
                return sentence
            }
        }
    }

    /// Takes orders out of the workspace, so that no other process receives them.
    private func lookForOrders() {
        guard let run else { return }
        // While the workspace is busy, orders wait for the next look.
        guard let found = try? store.workspace.read({ db in try RunStore.waitingOrders(of: run, db) }), !found.isEmpty
        else { return }
        let now = Clock.nanoseconds(.wall)
        let taken: [RunOrder]? = try? store.workspace.write { db in
            try found.compactMap { id, order in
                try db.execute(
                    sql: "UPDATE training_order SET taken = ? WHERE id = ? AND taken IS NULL", arguments: [now, id])
                return db.changesCount > 0 ? order : nil
            }
        }
        if let taken { waiting.withLock { $0.orders += taken } }
    }
}
