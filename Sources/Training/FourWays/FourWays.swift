internal import Kernels
public import Tensors

/// The same classifier written four times, trained from the same weights on the same batches: one loss curve, four
/// speeds.
///
/// ```swift
/// let results = try FourWays.run(steps: 20)
/// results.map(\.name)                              // textbook, tensors, kernels, autograd
/// results.map(\.stepsPerSecond)
/// ```
public enum FourWays {
    static let all: [any ClassifierTrainer.Type] = [
        TextbookClassifier.self, TensorClassifier.self, KernelClassifier.self, AutogradClassifier.self,
    ]

    /// How one of them did.
    public struct Result: Sendable {
        public var name: String
        public var idea: String
        /// The loss before every step.
        public var losses: [Float]
        /// By the median step.
        public var stepsPerSecond: Double
        public var flopsPerSecond: Double
    }

    /// Trains all four.
    ///
    /// - Parameters:
    ///   - isCancelled: asked before every step.
    ///   - progress: gets the name and the step.
    public static func run(
        _ problem: ClassifierProblem, steps: Int, isCancelled: () -> Bool = { false },
        progress: (String, Int) -> Void = { _, _ in }
    ) throws(TensorError) -> [Result] {
        var results: [Result] = []
        for way in all {
            var trainer = try way.init(problem)
            var losses: [Float] = []
            var seconds: [Double] = []
            let clock = ContinuousClock()
            for step in 0..<steps where !isCancelled() {
                progress(way.name, step)
                let began = clock.now
                losses.append(try trainer.step(from: problem.start(ofStep: step)))
                let taken = clock.now - began
                seconds.append(Double(taken.components.seconds) + Double(taken.components.attoseconds) / 1e18)
            }
            let rate = seconds.isEmpty ? 0 : 1 / seconds.sorted()[seconds.count / 2]
            results.append(
                Result(
                    name: way.name, idea: way.idea, losses: losses, stepsPerSecond: rate,
                    flopsPerSecond: rate * problem.flopsPerStep))
        }
        return results
    }

    /// The largest difference of a loss from the first program's, relative to it.
    public static func worstDifference(_ results: [Result]) -> Float {
        guard let first = results.first else { return 0 }
        var worst: Float = 0
        for other in results.dropFirst() {
            for (a, b) in zip(first.losses, other.losses) { worst = max(worst, abs(a - b) / max(abs(a), 1e-6)) }
        }
        return worst
    }
}
