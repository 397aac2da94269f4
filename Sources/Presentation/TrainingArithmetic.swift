internal import Formatting
public import JSON
public import KernelLab
internal import Kernels
internal import Training
public import TrainingLab

/// Arithmetic per second of a run's last steps, and its share of the roof.
///
/// Both the panel and `orrery train show` use it, so their figures agree.
public struct TrainingArithmetic: Hashable, Sendable {
    /// Operations per second, the median of the last steps.
    public var rate: Double
    /// Number of steps in the median.
    public var steps: Int
    /// Number of threads of the run.
    public var threads: Int
    /// Share of the float32 peak for this number of threads; `nil` if not measured.
    public var share: RoofShare?

    package static let mostPoints = 50
    private static let window = 1_000

    /// Creates the figures of a run; `nil` if the run did not record its arithmetic, or if another program trained it.
    public init?(of run: RunSummary, in store: RunStore, ceilings: Ceilings?) throws {
        guard !run.isForeign, run.threads > 0 else { return nil }
        let points = try store.points(of: run.id, RunSeries.flops, steps: max(0, run.step - Self.window)...run.step)
        let rates = (points?.values ?? []).filter { $0.isFinite && $0 > 0 }.suffix(Self.mostPoints).sorted()
        guard !rates.isEmpty else { return nil }
        rate = (rates[(rates.count - 1) / 2] + rates[rates.count / 2]) / 2
        steps = rates.count
        threads = run.threads
        share = RoofShare(
            rates: rates, of: ceilings?.ceiling(threads: run.threads, arithmetic: .float32), threads: run.threads)
    }

    /// Rate such as `29.2 GFLOP/s, median of 50 steps`.
    public var text: String {
        Format.rate(operationsPerSecond: rate) + (steps > 1 ? ", median of \(steps) steps" : "")
    }

    /// Share such as `11.8 % of FMA f32 AVX-512, 1 thread`, or how to measure the ceiling.
    public var shareText: String {
        share.map(FigureText.sentence) ?? "\(FigureText.notMeasured): press c in Kernels to measure the ceiling of "
            + Format.count(threads, "thread")
    }
}

extension TrainingArithmetic: JSONRepresentable {
    /// Writes the rate in FLOP/s, the numbers of steps and threads, and the share.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("flops_per_second", rate)
            json.member("steps", steps)
            json.member("threads", threads)
            json.member("roof", share)
        }
    }
}
