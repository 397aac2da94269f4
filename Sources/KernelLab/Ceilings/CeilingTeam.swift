internal import CKernels
internal import Kernels

/// Threads that take samples of a ceiling together, each bound to a processor of its own.
///
/// The thread that makes a team is one of them: it stays bound until the team goes, so what it measures in between runs
/// on the same processor as the ceiling next to it. Threads that others need (a kernel's pool) must exist before, or
/// they would inherit the one processor.
final class CeilingTeam {
    let threads: Int
    private let team: OpaquePointer

    /// - Throws: `KernelError.memory` where threads or memory are short.
    init(threads: Int) throws(KernelError) {
        guard let team = orrery_ceiling_team_create(Int32(threads)) else {
            throw .memory(bytes: threads * 8 << 20)
        }
        self.threads = threads
        self.team = team
        orrery_ceiling_team_bind(team)
    }

    deinit { orrery_ceiling_team_destroy(team) }

    /// Gives each thread memory to go through, touched piece by piece so that it can be cancelled.
    func reserve(_ bytes: Int, check: () throws -> Void) throws {
        guard bytes * threads <= MemoryLimit.available, orrery_ceiling_team_reserve(team, bytes) != 0 else {
            throw KernelError.memory(bytes: bytes * threads)
        }
        let piece = 8 << 20
        for start in stride(from: 0, to: bytes, by: piece) {
            try check()
            orrery_ceiling_team_touch(team, start, min(piece, bytes - start))
        }
    }

    /// One sample of a loop.
    func sample(_ loop: CeilingLoop) -> orrery_sample {
        switch loop.work {
        case .compute(let ceiling):
            orrery_ceiling_team_compute(team, ceiling, loop.turns)
        case .bandwidth(let kernel, let level, let bits, let bytes):
            orrery_ceiling_team_bandwidth(
                team, kernel.number, bits, bytes, loop.turns, level == .memory ? 0 : 1, level == .memory ? 1 : 0)
        }
    }
}

/// A loop whose rate is a ceiling, with as many turns as make a sample.
struct CeilingLoop {
    enum Work {
        case compute(UnsafePointer<orrery_compute_ceiling>)
        case bandwidth(BandwidthKernel, MemoryLevel, bits: Int32, bytes: Int)
    }

    let work: Work
    /// Turns of the loop, or passes over the memory, in a sample.
    var turns = 1
    /// Operations or bytes of one turn on one thread.
    let workPerTurn: Double

    init(_ ceiling: UnsafePointer<orrery_compute_ceiling>) {
        work = .compute(ceiling)
        workPerTurn = ceiling.pointee.operations
    }

    init(_ kernel: BandwidthKernel, at level: MemoryLevel, bytes: Int) {
        let bits: Int32 =
            if ProcessorFeatures.present.contains(.avx512) {
                512
            } else if ProcessorFeatures.present.contains(.avx2) {
                256
            } else {
                128
            }
        work = .bandwidth(kernel, level, bits: bits, bytes: bytes)
        workPerTurn = Double(orrery_bandwidth_bytes(kernel.number, bytes))
    }

    /// Operations or bytes of a sample, for a number of threads.
    func work(threads: Int) -> Double { workPerTurn * Double(turns) * Double(threads) }

    /// Sets the turns so that a sample takes about so long. A pass over memory that no cache holds is always one.
    ///
    /// The result is looked at again, and scaled again while a sample is shorter than half of what it should be: with
    /// too few turns the rate would be that of the barrier.
    mutating func calibrate(_ team: CeilingTeam, seconds: Double) {
        if case .bandwidth(_, .memory, _, _) = work { return }
        turns = 1
        var taken = leastSeconds(team)
        while taken < seconds / 4, turns < 1 << 40 {
            turns *= taken < seconds / 64 ? 16 : 2
            taken = leastSeconds(team)
        }
        for _ in 0..<Self.mostCorrections {
            turns = max(1, Int(Double(turns) * seconds / taken))
            taken = leastSeconds(team)
            if taken >= seconds / 2 { return }
        }
    }

    private static let mostCorrections = 8

    /// Seconds for which a sample kept its processors busy: the least of five, since a thread that starts late or loses
    /// its processor makes a sample longer, never shorter.
    private func leastSeconds(_ team: CeilingTeam) -> Double {
        let samples = (0..<5).map { _ in team.sample(self) }
        return max(1e-9, samples.map { $0.seconds * $0.busy }.min() ?? 0)
    }
}

extension BandwidthKernel {
    var number: Int32 {
        switch self {
        case .read: Int32(ORRERY_READ)
        case .write: Int32(ORRERY_WRITE)
        case .copy: Int32(ORRERY_COPY)
        case .triad: Int32(ORRERY_TRIAD)
        case .streamingCopy: Int32(ORRERY_STREAMING_COPY)
        }
    }
}

/// The loops that this processor can run.
enum ComputeCeilings {
    static var available: [UnsafePointer<orrery_compute_ceiling>] {
        var found: [UnsafePointer<orrery_compute_ceiling>] = []
        guard var next = orrery_compute_ceilings() else { return [] }
        while next.pointee.name != nil {
            if ProcessorFeatures(rawValue: next.pointee.needs).isSubset(of: .present) { found.append(next) }
            next += 1
        }
        return found
    }

    /// The fastest loop of an arithmetic; of float32 where the processor has no instructions for it.
    static func peak(of arithmetic: KernelArithmetic) -> UnsafePointer<orrery_compute_ceiling>? {
        available.first { $0.pointee.kernelArithmetic == arithmetic }
            ?? available.first { $0.pointee.kernelArithmetic == .float32 }
    }

    static var clock: UnsafePointer<orrery_compute_ceiling>? {
        available.first { $0.pointee.kernelArithmetic == nil }
    }
}

extension orrery_compute_ceiling {
    /// nil for the clock.
    var kernelArithmetic: KernelArithmetic? {
        switch Int(arithmetic) {
        case ORRERY_FLOAT32: .float32
        case ORRERY_FLOAT64: .float64
        case ORRERY_BFLOAT16: .bfloat16
        case ORRERY_INT8: .int8
        default: nil
        }
    }

    var title: String { String(cString: name) }
}
