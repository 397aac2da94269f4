internal import Glibc

/// Warm-up, then half a cosine from the peak down to the floor, which holds from step `total` on.
///
/// rate(t) = floor + (peak - floor)/2 (1 + cos(π (t - W) / (T - W))) after the W steps of the warm-up.
///
/// - Source: Loshchilov and Hutter, "SGDR: stochastic gradient descent with warm restarts", ICLR 2017, equation 5,
///   without restarts.
public struct CosineSchedule: Schedule, Equatable {
    private let peak: Double
    private let floor: Double
    private let warmUp: WarmUp
    private let total: Int

    public init(peak: Double, floor: Double = 0, warmUp: Int = 0, total: Int) {
        self.peak = peak
        self.floor = floor
        self.warmUp = WarmUp(steps: warmUp)
        self.total = total
    }

    public func rate(at step: Int) -> Double {
        if let share = warmUp.share(at: step) { return peak * share }
        let step = max(0, step)
        guard step < total else { return floor }
        let progress = Double(step - max(0, warmUp.steps)) / Double(total - max(0, warmUp.steps))
        return floor + (peak - floor) / 2 * (1 + cos(.pi * progress))
    }
}
