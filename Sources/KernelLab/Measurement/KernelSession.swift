internal import CKernels
package import Kernels
package import Workspace

/// Rungs of one operation, checked and ready to be timed, with the ceilings that they are held against.
///
/// It belongs to the thread that made it, which is bound to one processor as long as the session lives.
package final class KernelSession {
    let operation: KernelOperation
    let shape: KernelShape
    let threads: Int
    let cost: KernelCost
    let problem: any KernelProblem
    let machine = Machine.current
    let progress: (MeasurementProgress) -> Void
    let cancellation: Cancellation?
    var rungs: [Entry] = []
    /// Ceilings for the requested number of threads.
    let ground: CeilingGround
    /// Ceilings of one thread, if some rungs use one thread and others more.
    private(set) var lone: CeilingGround?
    private let pool: ThreadPool
    private var told = 0.0

    /// A rung and what became of it.
    struct Entry {
        let variant: KernelVariant
        var outcome: Readiness
        /// Calls of a sample.
        var calls = 1
        /// Seconds of a call, as last seen.
        var callSeconds = 0.0
        var samples: [KernelSample] = []
        /// Samples that were interrupted, for want of better ones.
        var interrupted: [KernelSample] = []
        /// What the hardware counted in one call.
        var counted = HardwareCounters.Count()
        /// Seconds of the rounds that went into it.
        var spent = 0.0
        /// The call exceeds the limit, so the call of the check is used as its only sample.
        var isTooSlow = false

        var isReady: Bool { if case .ready = outcome { true } else { false } }
    }

    enum Readiness {
        case ready(call: () -> Void, checkingCall: KernelStopwatch.Elapsed, agreement: KernelAgreement)
        case unavailable(String)
        case disagrees(String)
    }

    /// Seconds of a sample of a rung, and of a ceiling next to it.
    static let sampleSeconds = 2e-3
    static let ceilingSeconds = 1e-3

    /// - Parameter budget: of the rounds to come. A rung whose call would take much longer is not run at all.
    package init(
        operation: KernelOperation, variants: [String]?, shape: KernelShape?, threads: Int, seed: UInt64 = 1,
        budget: Double = 3,
        progress: @escaping (MeasurementProgress) -> Void = { _ in }, cancellation: Cancellation? = nil
    ) throws {
        let shape = shape ?? operation.presets[0]
        let threads = max(1, min(threads, 512))
        let wanted = try variants?.map { name in try operation.variant(name) } ?? operation.variants
        self.operation = operation
        self.shape = shape
        self.threads = threads
        self.progress = progress
        self.cancellation = cancellation
        cost = operation.cost(shape)
        progress(MeasurementProgress(fraction: 0, activity: "preparing \(operation.name) \(shape)"))
        problem = try operation.problem(shape, seed: seed)
        // The threads of pools must exist before this one is bound to a processor, or they would be bound to it too.
        pool = threads == 1 ? .single : ThreadPool(threads: threads)
        pool.run(chunks: 4 * threads) { _, _ in }
        var foresight = CallForesight(operation: operation, shape: shape, pool: pool, budget: budget)
        for (index, variant) in wanted.enumerated() {
            try cancellation?.check()
            progress(
                MeasurementProgress(
                    fraction: 0.2 * Double(index) / Double(wanted.count), activity: "checking \(variant.name)"))
            if let seconds = try foresight.excessiveSeconds(of: variant, check: { try cancellation?.check() }) {
                let reason = "a call would take about \(CallForesight.inWords(seconds)) or more at these sizes"
                rungs.append(Entry(variant: variant, outcome: .unavailable(reason)))
                continue
            }
            rungs.append(Self.check(variant, of: operation, on: problem, pool: pool))
        }
        try cancellation?.check()
        let (cost, workingSet) = (cost, problem.workingSet)
        func made(_ threads: Int) throws -> CeilingGround {
            try CeilingGround(
                operation: operation, cost: cost, workingSet: workingSet, threads: threads, machine: .current,
                cancellation: cancellation)
        }
        ground = try made(threads)
        if threads > 1, rungs.contains(where: { !$0.variant.isParallel && $0.isReady }) { lone = try made(1) }
    }

    // The second team found the thread already bound and leaves it bound, so it must go first.
    deinit { lone = nil }

    /// The ceilings for a rung's number of threads.
    func ground(of variant: KernelVariant) -> CeilingGround { variant.isParallel ? ground : lone ?? ground }

    /// Makes every rung slower by a part of its time, with arithmetic that it does not need: a planted regression.
    package func plant(slowdown: Double) {
        for index in rungs.indices {
            guard case .ready(let call, let first, let agreement) = rungs[index].outcome else { continue }
            let burn = ground.roofs.burning(seconds: slowdown * Self.leastSeconds(of: call))
            let slower = {
                call()
                burn()
            }
            rungs[index].outcome = .ready(call: slower, checkingCall: first, agreement: agreement)
        }
    }

    /// Runs a rung once on a poisoned output; the time of that call is kept.
    private static func check(
        _ variant: KernelVariant, of operation: KernelOperation, on problem: any KernelProblem, pool: ThreadPool
    ) -> Entry {
        let call: () -> Void
        do {
            call = try operation.call(variant, on: problem, pool: pool)
        } catch KernelError.unavailable(_, let reason) {
            return Entry(variant: variant, outcome: .unavailable(reason))
        } catch {
            return Entry(variant: variant, outcome: .unavailable(error.sentence))
        }
        problem.poisonOutput()
        let start = KernelStopwatch()
        call()
        let first = start.elapsed
        let agreement = problem.agreement()
        guard agreement.agrees else { return Entry(variant: variant, outcome: .disagrees(agreement.place)) }
        var entry = Entry(
            variant: variant, outcome: .ready(call: call, checkingCall: first, agreement: agreement))
        entry.callSeconds = first.seconds
        return entry
    }

    /// Says how far it is, at most ten times per second, and ends it on request.
    func tell(_ activity: @autoclosure () -> String, _ fraction: Double) throws {
        try cancellation?.check()
        let now = orrery_wall_seconds()
        guard now - told >= 0.1 else { return }
        told = now
        let taken = rungs.reduce(0) { $0 + $1.samples.count }
        progress(MeasurementProgress(fraction: min(1, fraction), activity: activity(), samples: taken))
    }
}

/// The three clocks of a sample.
struct KernelStopwatch {
    struct Elapsed {
        var seconds: Double
        var threadSeconds: Double
        var processorSeconds: Double

        /// Whether the thread had its processor nearly all the time.
        var wasUndisturbed: Bool { threadSeconds >= leastBusy * seconds }
    }

    private let process = orrery_process_seconds()
    private let thread = orrery_thread_seconds()
    private let wall = orrery_wall_seconds()

    var elapsed: Elapsed {
        let seconds = orrery_wall_seconds() - wall
        let threadSeconds = orrery_thread_seconds() - thread
        return Elapsed(
            seconds: seconds, threadSeconds: threadSeconds, processorSeconds: orrery_process_seconds() - process)
    }
}
