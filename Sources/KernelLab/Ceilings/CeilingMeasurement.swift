internal import CKernels
internal import Formatting
internal import Glibc
internal import Kernels
internal import System
public import Workspace

/// How far a measurement is.
public struct MeasurementProgress: Hashable, Sendable {
    /// The part that is done, 0 to 1.
    public var fraction: Double
    /// What is measured now: `2 threads, L2 copy`.
    public var activity: String
    /// Samples taken so far; 0 if another process takes them.
    public var samples: Int

    public init(fraction: Double, activity: String, samples: Int = 0) {
        self.fraction = fraction
        self.activity = activity
        self.samples = samples
    }
}

/// Measures the ceilings of this machine.
///
/// Samples last about a millisecond, shorter than a time slice of the scheduler; one whose thread lost its processor is
/// taken again. All loops take turns, a few samples each a round, so that a clock that drifts touches them alike.
public enum CeilingMeasurement {
    /// - Parameters:
    ///   - threads: the counts to measure; 1 and all processors where it is nil.
    ///   - quick: less than 5 s instead of less than 20.
    ///   - progress: called on this thread, at most ten times per second.
    ///   - cancellation: ends the measurement within some ms.
    /// - Throws: `CancellationError`, `Problem`, `KernelError.memory`.
    public static func run(
        threads: [Int]? = nil, quick: Bool = false, progress: (MeasurementProgress) -> Void = { _ in },
        cancellation: Cancellation? = nil
    ) throws -> Ceilings {
        let usable = ThreadPool.usableProcessors
        let counts = Set(threads ?? [1, usable]).sorted()
        for count in counts where !(1...usable).contains(count) {
            throw Problem(
                .invalid, "", "cannot measure with \(count) threads",
                remedy: "Use 1 to \(usable), the processors available to this process.")
        }
        return try withoutActuallyEscaping(progress) { progress in
            var run = CeilingRun(counts: counts, quick: quick, progress: progress, cancellation: cancellation)
            return try run.measure()
        }
    }
}

/// One run over all thread counts.
private struct CeilingRun {
    let counts: [Int]
    let quick: Bool
    let progress: (MeasurementProgress) -> Void
    let cancellation: Cancellation?
    let machine = Machine.current
    let watch = ConditionsWatch()
    let begin = orrery_wall_seconds()
    var told = 0.0
    var repeated = 0
    var interrupted = 0
    var taken = 0
    var notes: [String] = []

    /// Seconds after which no further round begins.
    var limit: Double { quick ? 3.5 : 16 }
    var rounds: Int { quick ? 8 : 30 }
    var fewestRounds: Int { quick ? 2 : 3 }
    var samplesARound: Int { quick ? 4 : 5 }
    var memorySamplesARound: Int { quick ? 6 : 12 }
    static let sampleSeconds = 1e-3

    init(
        counts: [Int], quick: Bool, progress: @escaping (MeasurementProgress) -> Void, cancellation: Cancellation?
    ) {
        self.counts = counts
        self.quick = quick
        self.progress = progress
        self.cancellation = cancellation
    }

    mutating func measure() throws -> Ceilings {
        let latencies = try measureLatencies()
        var sets: [Ceilings.ThreadSet] = []
        var clock: MeasuredRate?
        for (index, threads) in counts.enumerated() {
            let part = 0.1 + 0.9 * Double(index) / Double(counts.count)
            let results = try measure(threads: threads, from: part, to: part + 0.9 / Double(counts.count))
            if clock == nil { clock = results.clock }
            sets.append(results.set)
        }
        let samples = sets.flatMap { $0.compute.map(\.rate.samples) + $0.memory.map(\.rate.samples) }.reduce(0, +)
        return Ceilings(
            machine: machine, measuredAt: Clock.now(.wall), sets: sets, latencies: latencies,
            clock: clock ?? MeasuredRate(median: 0, best: 0, low: 0, high: 0, samples: 0),
            conditions: watch.conditions(samples: samples, repeated: repeated, interrupted: interrupted),
            counters: HardwareCounters().sentence, notes: notes)
    }

    private mutating func measureLatencies() throws -> [Ceilings.Latency] {
        var latencies: [Ceilings.Latency] = []
        let sizes = machine.levels(threads: 1).map { level in
            (level, level == .memory ? memoryBytes(threads: 1) : (machine.sampleBytes(level, threads: 1) ?? 0) * 3 / 4)
        }
        for (index, (level, bytes)) in sizes.enumerated() {
            try tell("latency \(level.rawValue)", 0.1 * Double(index) / Double(sizes.count))
            let nanoseconds = orrery_load_latency(bytes, quick ? 300 : 1500)
            if nanoseconds > 0 {
                latencies.append(Ceilings.Latency(level: level, nanoseconds: nanoseconds, bytes: bytes))
            }
        }
        return latencies
    }

    // MARK: One number of threads

    /// A loop with what it is and what it gave.
    private struct Entry {
        let title: String
        var loop: CeilingLoop
        let samplesARound: Int
        var seconds: [Double] = []
    }

    private mutating func measure(
        threads: Int, from start: Double, to end: Double
    ) throws -> (set: Ceilings.ThreadSet, clock: MeasuredRate?) {
        let name = "\(threads) thread\(threads == 1 ? "" : "s")"
        let team = try CeilingTeam(threads: threads)
        try tell("\(name), memory", start)
        let memory = memoryBytes(threads: threads)
        try team.reserve(memory, check: checkCancelled)
        let arithmetic = ComputeCeilings.available
        let places = machine.levels(threads: threads).flatMap { level in
            BandwidthKernel.allCases.filter { $0 != .streamingCopy || level == .memory }.map { (level, $0) }
        }
        var entries = arithmetic.map { ceiling in
            Entry(title: ceiling.pointee.title, loop: CeilingLoop(ceiling), samplesARound: samplesARound)
        }
        entries += places.map { level, kernel in
            let bytes = min(memory, machine.sampleBytes(level, threads: threads) ?? memory)
            return Entry(
                title: "\(level.rawValue) \(kernel.rawValue)", loop: CeilingLoop(kernel, at: level, bytes: bytes),
                samplesARound: level == .memory ? memorySamplesARound : samplesARound)
        }
        for index in entries.indices {
            try tell("\(name), \(entries[index].title)", start)
            entries[index].loop.calibrate(team, seconds: Self.sampleSeconds)
        }
        try takeRounds(&entries, team, name: name, from: start, to: end)
        return results(entries, arithmetic: arithmetic, places: places, threads: threads)
    }

    private mutating func takeRounds(
        _ entries: inout [Entry], _ team: CeilingTeam, name: String, from start: Double, to end: Double
    ) throws {
        let share = Double((counts.firstIndex(of: team.threads) ?? 0) + 1) / Double(counts.count)
        for round in 0..<rounds {
            if round >= fewestRounds, orrery_wall_seconds() - begin > limit * share {
                notes.append("\(name): ended after \(round) of \(rounds) rounds because this machine is busy")
                break
            }
            for index in entries.indices {
                let done = (Double(round) + Double(index) / Double(entries.count)) / Double(rounds)
                try tell("\(name), \(entries[index].title)", start + (end - start) * done)
                for _ in 0..<entries[index].samplesARound {
                    try checkCancelled()
                    entries[index].seconds.append(sample(entries[index].loop, team))
                    taken += 1
                }
            }
        }
    }

    /// A sample during which no other process took the processors, if one comes within four attempts, otherwise the last.
    private mutating func sample(_ loop: CeilingLoop, _ team: CeilingTeam) -> Double {
        var sample = team.sample(loop)
        for _ in 0..<3 where sample.busy < leastBusy {
            repeated += 1
            sample = team.sample(loop)
        }
        if sample.busy < leastBusy { interrupted += 1 }
        return sample.seconds
    }

    private func results(
        _ entries: [Entry], arithmetic: [UnsafePointer<orrery_compute_ceiling>],
        places: [(MemoryLevel, BandwidthKernel)], threads: Int
    ) -> (set: Ceilings.ThreadSet, clock: MeasuredRate?) {
        var set = Ceilings.ThreadSet(threads: threads, compute: [], memory: [])
        var clock: MeasuredRate?
        for (index, entry) in entries.enumerated() {
            guard let rate = MeasuredRate(work: entry.loop.work(threads: threads), seconds: entry.seconds) else {
                continue
            }
            if index >= arithmetic.count {
                let (level, kernel) = places[index - arithmetic.count]
                set.memory.append(
                    Ceilings.Bandwidth(
                        level: level, kernel: kernel, rate: rate, bytesPerThread: Int(entry.loop.workPerTurn)))
            } else if let kind = arithmetic[index].pointee.kernelArithmetic {
                set.compute.append(Ceilings.Compute(name: entry.title, arithmetic: kind, rate: rate))
            } else {
                clock = MeasuredRate(work: entry.loop.work(threads: 1), seconds: entry.seconds)
            }
        }
        return (set, clock)
    }

    // MARK: Conditions

    /// Bytes of each thread's memory: much more than the last cache, and at most a quarter of what is free.
    private mutating func memoryBytes(threads: Int) -> Int {
        let wanted = MemorySample.bytes(machine, threads: threads, quick: quick)
        let affordable = max(16 << 20, MemoryLimit.available / 4 / threads)
        guard wanted > affordable else { return wanted }
        let note =
            "memory was measured with buffers of \(Format.binaryBytes(wholeMiB(affordable))) instead of "
            + "\(Format.binaryBytes(wanted)) because little memory is free; the last-level cache may inflate its bandwidths"
        if !notes.contains(note) { notes.append(note) }
        return wholeMiB(affordable)
    }

    private func checkCancelled() throws { try cancellation?.check() }

    private mutating func tell(_ activity: String, _ fraction: Double) throws {
        try checkCancelled()
        let now = orrery_wall_seconds()
        guard now - told >= 0.1 else { return }
        told = now
        progress(MeasurementProgress(fraction: min(1, fraction), activity: activity, samples: taken))
    }
}

/// The least part of its time for which a thread must have had a processor for its sample to count.
let leastBusy = 0.95

/// The buffer through which samples of the memory rotate.
enum MemorySample {
    /// Eight times the last cache (three times for a quick look), from 96 MiB to 1 GiB for all threads together.
    static func bytes(_ machine: Machine, threads: Int, quick: Bool) -> Int {
        let last = machine.caches.last.map { machine.capacity(.init(cache: $0.level), threads: threads) } ?? 32 << 20
        let all = min(max(last * (quick ? 3 : 8), 96 << 20), max(1 << 30, 2 * last))
        return max(36 << 20, wholeMiB(all / threads))
    }
}

extension MemoryLevel {
    fileprivate init(cache level: Int) {
        self = Self.allCases.first { $0.cache == level } ?? .memory
    }
}

func wholeMiB(_ bytes: Int) -> Int { bytes & ~((1 << 20) - 1) }
