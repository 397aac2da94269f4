internal import CKernels
internal import Kernels
internal import Workspace

/// The ceilings for a number of threads, with the team that measures them next to the rungs that use as many.
final class CeilingGround {
    let team: CeilingTeam
    /// Memory level of the operation's data with this many threads.
    let level: MemoryLevel
    var roofs: CeilingPair

    var threads: Int { team.threads }

    init(
        operation: KernelOperation, cost: KernelCost, workingSet: Int, threads: Int, machine: Machine,
        cancellation: Cancellation?
    ) throws {
        team = try CeilingTeam(threads: threads)
        level = machine.level(ofWorkingSet: workingSet, threads: threads)
        roofs = try CeilingPair(
            operation: operation, cost: cost, level: level, machine: machine, team: team, cancellation: cancellation)
    }

    /// Current rate of the bounding ceiling.
    var boundRate: Double { roofs.bound == .compute ? roofs.lastPeak : roofs.lastBandwidth }

    func sampleBound() { roofs.sample(roofs.bound, team) }

    func sampleOther() { roofs.sample(roofs.bound == .compute ? .memory : .compute, team) }

    var report: KernelReport.Roofs {
        KernelReport.Roofs(threads: threads, level: level, peak: roofs.peakRoof, bandwidth: roofs.bandwidthRoof)
    }
}

/// The two ceilings over an operation: the peak of its arithmetic and the bandwidth of the level where its data lie.
struct CeilingPair {
    let peakName: String
    let bandwidthName: String
    /// Which of them bounds a perfect kernel.
    let bound: KernelReport.Bound
    private let peak: CeilingLoop
    private let bandwidth: CeilingLoop
    /// Pieces of memory in a sample: one of 12 MiB alone says little.
    private let pieces: Int
    private let threads: Int
    private let typicalPeak: Double
    /// Seconds of the samples that count, a list each.
    private(set) var peakSeconds: [Double] = []
    private(set) var bandwidthSeconds: [Double] = []
    private(set) var repeated = 0
    private(set) var interrupted = 0
    /// The rates of the last samples.
    private(set) var lastPeak = 0.0
    private(set) var lastBandwidth = 0.0

    /// Chooses and calibrates the loops: a copy for operations on rows, which write as much as they read, reading for
    /// all others. A level that cannot be told apart is measured as the next one.
    init(
        operation: KernelOperation, cost: KernelCost, level: MemoryLevel, machine: Machine, team: CeilingTeam,
        cancellation: Cancellation?
    ) throws {
        let levels = machine.levels(threads: team.threads)
        let wanted = MemoryLevel.allCases.firstIndex(of: level) ?? 0
        let measured = MemoryLevel.allCases[wanted...].first(where: levels.contains) ?? .memory
        let bytes = machine.sampleBytes(measured, threads: team.threads) ?? 12 << 20
        let kernel: BandwidthKernel = operation.isStreaming ? .copy : .read
        let affordable = max(24 << 20, MemoryLimit.available / 4 / team.threads)
        let reserved =
            measured == .memory
            ? min(MemorySample.bytes(machine, threads: team.threads, quick: true), affordable) : bytes + 4096
        try team.reserve(reserved) { try cancellation?.check() }
        guard let ceiling = ComputeCeilings.peak(of: operation.arithmetic) else { throw Ceilings.unreadable }
        var peak = CeilingLoop(ceiling)
        var bandwidth = CeilingLoop(kernel, at: measured, bytes: bytes)
        peak.calibrate(team, seconds: KernelSession.ceilingSeconds)
        bandwidth.calibrate(team, seconds: KernelSession.ceilingSeconds)
        self.peak = peak
        self.bandwidth = bandwidth
        threads = team.threads
        pieces = measured == .memory ? 4 : 1
        peakName = ceiling.pointee.title
        bandwidthName = "\(measured.rawValue) \(kernel.rawValue)"
        let rates = (0..<3).map { _ in
            (
                peak.work(threads: team.threads) / team.sample(peak).seconds,
                bandwidth.work(threads: team.threads) / team.sample(bandwidth).seconds
            )
        }
        typicalPeak = median(rates.map(\.0))
        let arithmetic = cost.flops / typicalPeak
        let traffic = cost.bytes / median(rates.map(\.1))
        bound = traffic > arithmetic ? .memory : .compute
    }

    /// A call that keeps the calling thread's arithmetic busy for about so long.
    func burning(seconds: Double) -> () -> Void {
        guard case .compute(let ceiling) = peak.work, typicalPeak > 0 else { return {} }
        let turns = max(1, Int(seconds * typicalPeak / Double(threads) / peak.workPerTurn))
        return { ceiling.pointee.run(turns) }
    }

    mutating func forget() {
        peakSeconds = []
        bandwidthSeconds = []
        repeated = 0
        interrupted = 0
    }

    mutating func sample(_ which: KernelReport.Bound, _ team: CeilingTeam) {
        switch which {
        case .compute:
            let seconds = undisturbed(peak, team)
            peakSeconds.append(seconds)
            lastPeak = peak.work(threads: threads) / seconds
        case .memory:
            var seconds = 0.0
            for _ in 0..<pieces { seconds += undisturbed(bandwidth, team) }
            bandwidthSeconds.append(seconds)
            lastBandwidth = bandwidth.work(threads: threads) * Double(pieces) / seconds
        }
    }

    /// Seconds of a sample during which no other process took the processors, if one comes within four attempts.
    private mutating func undisturbed(_ loop: CeilingLoop, _ team: CeilingTeam) -> Double {
        var sample = team.sample(loop)
        for _ in 0..<3 where sample.busy < leastBusy {
            repeated += 1
            sample = team.sample(loop)
        }
        if sample.busy < leastBusy { interrupted += 1 }
        return max(sample.seconds, 1e-9)
    }

    private static let nothing = MeasuredRate(median: 0, best: 0, low: 0, high: 0, samples: 0)

    var peakRoof: KernelReport.Roof {
        let rate = MeasuredRate(work: peak.work(threads: threads), seconds: peakSeconds)
        return KernelReport.Roof(name: peakName, rate: rate ?? Self.nothing)
    }

    var bandwidthRoof: KernelReport.Roof {
        let work = bandwidth.work(threads: threads) * Double(pieces)
        return KernelReport.Roof(
            name: bandwidthName, rate: MeasuredRate(work: work, seconds: bandwidthSeconds) ?? Self.nothing)
    }
}
