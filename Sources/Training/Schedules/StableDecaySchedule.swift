/// Warm-up, a constant rate, and a decay over the last steps (WSD): the constant part can be prolonged at will.
///
/// - Source: Hu et al., "MiniCPM", 2024, section 4.2; the shape 1 - √: Hägele et al., "Scaling laws and
///   compute-optimal training beyond fixed training durations", 2024, equation 1.
public struct StableDecaySchedule: Schedule, Equatable {
    /// How the rate falls from the peak to the floor, p being the share of the decay that is over.
    public enum Shape: String, CaseIterable, Sendable {
        /// 1 - p.
        case linear
        /// 1 - √p: quickly at first.
        case squareRoot
    }

    private let peak: Double
    private let floor: Double
    private let warmUp: WarmUp
    private let decay: Int
    private let total: Int
    private let shape: Shape

    /// - Parameter decay: how many of the `total` steps the decay takes, 10 to 20 % as a rule.
    public init(peak: Double, floor: Double = 0, warmUp: Int = 0, decay: Int, total: Int, shape: Shape = .linear) {
        self.peak = peak
        self.floor = floor
        self.warmUp = WarmUp(steps: warmUp)
        self.decay = decay
        self.total = total
        self.shape = shape
    }

    public func rate(at step: Int) -> Double {
        if let share = warmUp.share(at: step) { return peak * share }
        guard step < total else { return decay > 0 ? floor : peak }
        let begun = step - (total - decay)
        guard decay > 0, begun > 0 else { return peak }
        let progress = Double(begun) / Double(decay)
        let share = shape == .linear ? 1 - progress : 1 - progress.squareRoot()
        return floor + (peak - floor) * share
    }
}
