/// Steps of optimizers over many arrays at once.
///
/// A model has large arrays and many small ones. All of them are cut, or put together, into pieces of the same size,
/// which go to the threads in one call: waking them once costs less than a step over the small ones.
///
/// ```swift
/// OptimizerSteps.run([(LionRule(rate: 1e-4, betas: (0.9, 0.99), weightDecay: 0), array)])
/// ```
public enum OptimizerSteps {
    /// Numbers that are worth the way to another thread: some microseconds of work.
    static let numbersAChunk = 16384

    /// Makes one step on each array.
    public static func run(_ steps: [(rule: any StepRule, array: StepArray<Float>)], pool: ThreadPool = .shared) {
        let chunks = ArrayChunks(steps.map(\.array.count), numbersAChunk: numbersAChunk)
        chunks.run(on: pool) { index, start, count in
            steps[index].rule.apply(to: steps[index].array.part(from: start, count: count))
        }
    }

    /// Makes one step on each array, in float64.
    public static func run(_ steps: [(rule: any StepRule, array: StepArray<Double>)], pool: ThreadPool = .shared) {
        let chunks = ArrayChunks(steps.map(\.array.count), numbersAChunk: numbersAChunk)
        chunks.run(on: pool) { index, start, count in
            steps[index].rule.apply(to: steps[index].array.part(from: start, count: count))
        }
    }
}
