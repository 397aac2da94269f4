internal import Glibc

/// One rise and one fall: from peak / `startDivisor` up to the peak and down to far below the start.
///
/// - Source: Smith and Topin, "Super-convergence", 2018, in the form of `torch.optim.lr_scheduler.OneCycleLR`.
public struct OneCycleSchedule: Schedule, Equatable {
    /// How the rate goes from one end of a phase to the other.
    public enum Shape: String, CaseIterable, Sendable {
        case cosine, linear
    }

    private let peak: Double
    private let total: Int
    private let rise: Double
    private let start: Double
    private let end: Double
    private let shape: Shape
    private let hasThreePhases: Bool

    /// - Parameters:
    ///   - rise: the share of the steps that the rise takes.
    ///   - startDivisor: the first rate is peak / startDivisor.
    ///   - endDivisor: the last rate is the first / endDivisor.
    ///   - hasThreePhases: the fall mirrors the rise, and a third phase goes from the first rate to the last.
    public init(
        peak: Double, total: Int, rise: Double = 0.3, startDivisor: Double = 25, endDivisor: Double = 1e4,
        shape: Shape = .cosine, hasThreePhases: Bool = false
    ) {
        self.peak = peak
        self.total = total
        self.rise = rise
        start = peak / startDivisor
        end = start / endDivisor
        self.shape = shape
        self.hasThreePhases = hasThreePhases
    }

    public func rate(at step: Int) -> Double {
        let last = Double(total - 1)
        let step = min(Double(max(0, step)), last)
        let top = rise * Double(total) - 1
        if step <= top || total < 2 { return between(start, peak, top > 0 ? step / top : 1) }
        guard hasThreePhases else { return between(peak, end, (step - top) / (last - top)) }
        let back = 2 * rise * Double(total) - 2
        if step <= back { return between(peak, start, (step - top) / (back - top)) }
        return between(start, end, (step - back) / (last - back))
    }

    private func between(_ from: Double, _ to: Double, _ share: Double) -> Double {
        switch shape {
        case .linear: from + (to - from) * share
        case .cosine: to + (from - to) / 2 * (1 + cos(.pi * share))
        }
    }
}
