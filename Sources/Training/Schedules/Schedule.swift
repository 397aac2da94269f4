/// The learning rate of each step.
///
/// ```swift
/// let schedule = CosineSchedule(peak: 6e-4, floor: 6e-5, warmUp: 2_000, total: 100_000)
/// schedule.rate(at: 0)                             // 3e-7: the first step of the warm-up
/// ```
///
/// A schedule is a value without memory: a run that is resumed asks for the step where it is.
public protocol Schedule: Sendable {
    /// - Parameter step: from 0.
    func rate(at step: Int) -> Double
}

/// The linear way up at the beginning: (t + 1) / steps of the full rate, which step `steps - 1` has.
struct WarmUp: Equatable {
    let steps: Int

    /// The share of the full rate; nil once the warm-up is over.
    func share(at step: Int) -> Double? {
        steps > 0 && step < steps ? Double(max(0, step) + 1) / Double(steps) : nil
    }
}

/// The same rate at every step, after a warm-up.
public struct ConstantSchedule: Schedule, Equatable {
    private let rate: Double
    private let warmUp: WarmUp

    public init(_ rate: Double, warmUp: Int = 0) {
        self.rate = rate
        self.warmUp = WarmUp(steps: warmUp)
    }

    public func rate(at step: Int) -> Double { rate * (warmUp.share(at: step) ?? 1) }
}
