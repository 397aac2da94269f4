/// Warm-up, then a fall with the root of the steps: peak · min(t / W, √(W / t)), with t from 1.
///
/// - Source: Vaswani et al., "Attention is all you need", 2017, equation 3.
public struct InverseSquareRootSchedule: Schedule, Equatable {
    private let peak: Double
    private let warmUp: Double

    public init(peak: Double, warmUp: Int) {
        self.peak = peak
        self.warmUp = Double(max(1, warmUp))
    }

    /// The rate of the paper, width^-0.5 min(t^-0.5, t W^-1.5).
    ///
    /// - Parameter width: that of the model's hidden states.
    public static func transformer(width: Int, warmUp: Int) -> InverseSquareRootSchedule {
        InverseSquareRootSchedule(
            peak: 1 / (Double(max(1, width)) * Double(max(1, warmUp))).squareRoot(), warmUp: warmUp)
    }

    public func rate(at step: Int) -> Double {
        let t = Double(max(0, step)) + 1
        return peak * min(t / warmUp, (warmUp / t).squareRoot())
    }
}
