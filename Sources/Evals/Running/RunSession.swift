internal import EvalLogs
internal import GRDB
internal import LanguageModels
internal import Providers
internal import Synchronization
internal import System
internal import Workspace

/// A run in progress: the threads that send requests, the thread that writes, and the calling thread that keeps the
/// time.
final class RunSession: Sendable {
    struct Shared: Sendable {
        var schedule: RunSchedule
        var meter: RunMeter
        /// Data of the samples that ended here, by index, for metrics.
        var judged: [Int: JudgedSample] = [:]
        /// Watches whether the judge answers.
        var judging = JudgeWatch()
        /// Answers that wait for their judge, by index.
        var unjudged: [Int: UnjudgedSample] = [:]
        /// Watches whether everything is refused.
        var refusing: RefusalWatch
        /// Number of running threads.
        var living = 0
        var sleeping = 0
        /// Whether the server has ever answered.
        var wasAnswered = false
        /// Number of committed samples not yet reported to the job.
        var untold = 0
    }

    enum Condition { static let workers = 0, keeper = 1 }

    let runner: EvalRunner
    let id: Int64
    let shared: Monitor<Shared>
    let committer: Committer
    /// Samples that hold the answer, by index: of earlier runs, or of this run if only the judge is called again.
    let cached: [Int: Int64]
    /// Samples that are replaced, by index.
    let replaced: [Int: ReplacedSample]
    /// Indices whose answer is the run's own.
    let own: Set<Int>
    /// Whether metrics of the run need whole answers.
    let needsTexts: Bool
    /// Whether samples in flight must end.
    private let cut: RunCut
    private let job: JobHandle
    private let begin: Double
    /// Whether nothing was left to do at the start.
    let wasWhole: Bool

    /// Creates the session of an opened run.
    ///
    /// - Throws: Errors of reading the cache: without it, every cached answer would be requested and paid for again.
    init(_ runner: EvalRunner, _ opening: RunOpening) throws {
        self.runner = runner
        id = opening.id
        job = opening.job
        let begin = runner.clock.seconds()
        self.begin = begin
        let places = (0..<runner.plan.total).filter { !opening.ended.contains($0) }
        wasWhole = places.isEmpty
        let schedule = RunSchedule(places: places, options: runner.order.options, spent: opening.spent)
        let hasAnswers = opening.meter.completed > opening.meter.errors
        var first = Shared(schedule: schedule, meter: opening.meter, refusing: RefusalWatch(isOff: hasAnswers))
        // The job's progress starts at the run's progress.
        first.untold = opening.meter.completed
        let shared = Monitor(first, conditions: 2)
        self.shared = shared
        let found = runner.order.options.usesCache ? try Self.answered(places, runner) : [:]
        // The run's own answers are judged again, but not requested again.
        let own = opening.unjudged.union(opening.replaced.filter { $0.value.outcome == .unscored }.keys)
        self.own = own
        replaced = opening.replaced
        let records = own.map { ($0, SampleKey(run: opening.id, index: $0).id) }
        cached = found.merging(records) { _, own in own }
        needsTexts = runner.order.task.metrics.contains { RunFigures.ofTexts.contains($0.kind) }
        let now = runner.clock.seconds
        let cut = RunCut()
        self.cut = cut
        committer = Committer(
            runner.workspace, run: opening.id,
            spent: {
                shared.withLock { state in
                    state.schedule.tick(seconds: now() - begin)
                    return state.schedule.spent
                }
            },
            committed: { samples in
                shared.withLock { state in
                    let rows = samples.compactMap(\.row)
                    for row in rows { state.meter.add(row) }
                    state.untold += rows.count
                }
            },
            failed: { problem in
                // Results of samples in flight could not be stored.
                shared.withLock { $0.schedule.stop(.failed("the run cannot be stored: \(problem)"), cutting: true) }
                cut.set()
                shared.wakeAll(Condition.workers)
                shared.wakeAll(Condition.keeper)
            })
    }

    /// Seconds between looks for commands: with up to a tenth of a second of sleep, less than half a second.
    private static let polling = 0.2
    /// Seconds between progress reports to other processes.
    private static let telling = 0.5

    /// Whether samples in flight must end: the run was canceled, or their results could be neither stored nor awaited.
    var isEnding: Bool { runner.controls.isCancelled || cut.isSet }

    /// Returns seconds since the run started or resumed.
    func now() -> Double { runner.clock.seconds() - begin }

    /// Runs until nothing is left or the run is stopped. All answers are then on the disk.
    func run(progress: (EvalProgress) -> Void) throws {
        let controls = runner.controls
        controls.observe { [self] in obey() }
        defer { controls.observe(nil) }
        obey()
        let workers = RunThreads()
        let writer = RunThreads()
        guard writer.grow(to: 1, { [committer] in committer.work() }) else {
            throw Problem(.limit, "", "Cannot start a thread: out of memory, or a system limit is reached")
        }
        defer {
            committer.close()
            writer.join()
        }
        var lastTold = -Double.infinity
        var lastPoll = 0.0
        var lastKept = 0.0
        var lastCommand: Int64 = 0
        while true {
            let wanted = shared.withLock { state -> Int in
                min(EvalControls.mostConcurrency, state.schedule.limit.most, state.schedule.waiting + workers.count)
            }
            if wanted > workers.count {
                let more = wanted - workers.count
                shared.withLock { $0.living += more }
                let before = workers.count
                let hasAny = workers.grow(to: wanted) { [self] in work() }
                shared.withLock { $0.living -= more - (workers.count - before) }
                guard hasAny else {
                    throw Problem(.limit, "", "Cannot start a thread: out of memory, or a system limit is reached")
                }
            }
            if shared.withLock({ $0.living == 0 }) { break }
            keepTime()
            let moment = now()
            if moment - lastPoll >= Self.polling {
                lastPoll = moment
                lastCommand = poll(after: lastCommand)
            }
            tellJob()
            guard moment - lastTold >= 0.1 else { continue }
            lastTold = moment
            let standing = self.progress()
            progress(standing)
            guard moment - lastKept >= Self.telling else { continue }
            lastKept = moment
            EvalStore(runner.workspace).keep(standing)
        }
        workers.join()
        keepUnjudged()
        keepRefused()
        committer.close()
        while !committer.isOver {
            shared.pause(on: Condition.keeper, seconds: 0.002) { _ in false }
            let moment = now()
            guard moment - lastTold >= 0.1 else { continue }
            lastTold = moment
            progress(self.progress())
        }
        writer.join()
        tellJob()
        progress(self.progress())
    }

    /// Waits until something happens or is due, at most a tenth of a second, and wakes workers for what is due.
    private func keepTime() {
        let moment = now()
        let (idle, due, isStopped) = shared.withLock { state in
            state.schedule.tick(seconds: moment)
            if state.schedule.isCut { cut.set() }
            return (state.schedule.working == 0, state.schedule.due(after: moment), state.schedule.stop != nil)
        }
        // Waiting workers learn of an exhausted time budget only here.
        if isStopped { shared.wakeAll(Condition.workers) }
        let wait = min(0.1, max(0, (due ?? .infinity) - moment))
        if idle, due != nil {
            // No sample is in flight: a simulated clock advances here.
            let controls = runner.controls
            runner.clock.sleep(wait) { controls.isCancelled }
        } else {
            shared.pause(on: Condition.keeper, seconds: wait) { $0.living == 0 }
        }
        let later = now()
        // Each worker that finds work wakes the next one.
        if shared.withLock({ $0.sleeping > 0 && $0.schedule.hasRoom(at: later) }) { shared.wakeOne(Condition.workers) }
    }

    /// Applies the controls to the schedule.
    private func obey() {
        let controls = runner.controls
        shared.withLock { state in
            if controls.isCancelled { state.schedule.stop(.cancelled) }
            state.schedule.isPaused = controls.isPaused
            if let count = controls.concurrency, count != state.schedule.limit.most {
                state.schedule.setConcurrency(count)
            }
        }
        shared.wakeAll(Condition.workers)
        shared.wakeAll(Condition.keeper)
    }

    /// Obeys commands that another process, or another part of this one, has written into the workspace.
    private func poll(after last: Int64) -> Int64 {
        if job.isCancelled { runner.controls.cancel() }
        let found = try? runner.workspace.read { db -> (Int64, Bool, Bool, Int?)? in
            let row = try Workspace.Statement(
                db, "SELECT number, cancel, pause, concurrency FROM eval_command WHERE run = ?")
            row.bind(1, id)
            return try row.first { ($0.int64(0), $0.int(1) != 0, $0.int(2) != 0, $0.optionalInt(3)) }
        }
        guard let (number, cancel, pause, concurrency) = found, number != last else { return last }
        let controls = runner.controls
        if let concurrency { controls.setConcurrency(concurrency) }
        if pause != controls.isPaused { pause ? controls.pause() : controls.resume() }
        if cancel { controls.cancel() }
        return number
    }

    private func tellJob() {
        let count = shared.withLock { state in
            defer { state.untold = 0 }
            return state.untold
        }
        do {
            try job.advance(by: Int64(count), of: Int64(runner.plan.total), unit: "samples")
        } catch {
            runner.controls.cancel()
        }
    }

    /// Returns the keys of answers that the workspace already has.
    private static func answered(_ places: [Int], _ runner: EvalRunner) throws -> [Int: Int64] {
        let (plan, order) = (runner.plan, runner.order)
        return try runner.workspace.read { db -> [Int: Int64] in
            let any = try Workspace.Statement(db, "SELECT 1 FROM eval_cache LIMIT 1")
            guard try any.first({ _ in true }) == true else { return [:] }
            let row = try Workspace.Statement(db, "SELECT sample FROM eval_cache WHERE key = ?")
            var hits: [Int: Int64] = [:]
            for place in places {
                if runner.controls.isCancelled { break }
                let sample = plan.sample(at: place)
                let epoch = plan.epoch(at: place)
                let key = CacheKey.key(
                    identity: order.solver.identity, state: order.solver.state(for: sample), sample: sample,
                    epoch: epoch,
                    seed: SampleSeed.seed(of: sample.id, epoch: epoch, run: order.options.seed))
                key.withUnsafeBytes { row.bind(1, copying: $0) }
                if let hit = try row.first({ $0.int64(0) }) { hits[place] = hit }
            }
            return hits
        }
    }
}

/// The run's own signal that requests in flight must end, which every request polls often.
final class RunCut: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
