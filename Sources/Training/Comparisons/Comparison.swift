public import Tensors

/// Runs a job of comparison and tells losses and times.
public enum Comparison {
    /// Every job. A new one is one line here.
    public static let all: [any (ComparisonJob & SendableMetatype).Type] = [
        CharacterModelJob.self, ClassifierJob.self, ConvolutionJob.self, OptimizerJob.self,
    ]

    public struct Result: Sendable {
        /// Of every step, warm-up included.
        public var losses: [Float]
        /// Of every step after the warm-up.
        public var seconds: [Double]
        public var flopsPerStep: Double
    }

    /// - Parameter keep: memory that steps hand on to each other, bytes.
    public static func run(
        _ job: any ComparisonJob.Type, _ file: ComparisonFile, warmUp: Int, steps: Int, keep: Int = 1 << 30
    ) throws(TensorError) -> Result {
        var job = try job.init(file)
        var result = Result(losses: [], seconds: [], flopsPerStep: job.flopsPerStep)
        let clock = ContinuousClock()
        try MemoryReuse.during(limit: keep) { () throws(TensorError) in
            for step in 0..<warmUp + steps {
                let began = clock.now
                result.losses.append(try job.step())
                let taken = (clock.now - began).components
                if step >= warmUp { result.seconds.append(Double(taken.seconds) + Double(taken.attoseconds) / 1e18) }
            }
        }
        return result
    }
}
