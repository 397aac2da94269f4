internal import Models
public import System
public import Tensors
public import Tokenizers

/// How much each token's embedding adds to a metric, from a baseline on: attributions that sum to the whole.
///
/// IG = (x − x₀) · (1/m) Σ_k ∂m/∂x (x₀ + α_k (x − x₀)), α_k = (k − ½)/m: the midpoint of each of m steps, whose error
/// falls with m².
///
/// - Source: Sundararajan et al., "Axiomatic attribution for deep networks", 2017, equations 1 and 3.
public struct IntegratedGradients<Scalar: FloatingAccumulator> {
    /// Where the path begins: what counts as nothing.
    public enum Baseline: Sendable {
        /// Embeddings of zeros. Models that norm them have a kink there: look at the completeness.
        case zero
        /// The embeddings of another prompt of the same length.
        case prompt([TokenID])
        /// The mean of the prompt's own embeddings at every place.
        case mean
    }

    /// Attributions and the check that they are whole.
    public struct Result: Equatable, Sendable {
        /// One number a token.
        public var attributions: [Double]
        public var value: Double
        public var baselineValue: Double
        public var steps: Int
        public var metric: String

        /// Of the attributions; f(x) − f(x₀) but for the steps' error.
        public var sum: Double { attributions.reduce(0, +) }
        /// |Σ − (f(x) − f(x₀))| / |f(x) − f(x₀)|.
        public var completenessError: Double {
            abs(sum - (value - baselineValue)) / max(abs(value - baselineValue), .leastNormalMagnitude)
        }
    }

    public let model: any DifferentiableModel<Scalar>

    public init(_ model: any DifferentiableModel<Scalar>) { self.model = model }

    /// - Parameter steps: Number of forward and backward passes; 50 leave an error below 1 % with another prompt as
    ///   baseline.
    public func attributions(
        _ tokens: [TokenID], metric: PatchMetric, baseline: Baseline, steps: Int = 50,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> Result {
        guard steps > 0 else {
            throw Problem(.invalid, "integrated gradients", "at least one step is required")
        }
        let hook = Hook.embedding
        let run = try model.run(tokens, keeping: .only([hook, .logits]))
        let reference = PatchReference(tokens: tokens, logits: try run[.logits])
        let end = try run[hook]
        let start = try beginning(baseline, end, tokens.count)
        let way = try telling { try end - start }
        let first = try model.run(tokens, [Intervention(hook, .replace(start))], keeping: .only([.logits]))
        var sum = try telling { try Tensor<Double>(repeating: 0, shape: end.shape) }
        for step in 0..<steps {
            if isCancelled() { throw .cancelled() }
            let share = Scalar((Double(step) + 0.5) / Double(steps))
            let point = try telling { try start + way * share }
            let (_, gradients) = try model.gradients(
                tokens, [Intervention(hook, .replace(point))], of: [hook]
            ) { logits throws(Problem) in try metric.gradient(at: logits, reference: reference) }
            guard let gradient = gradients[hook] else {
                throw Problem(.missing, hook.name, "no gradient in this model")
            }
            try telling { try sum += gradient.converted(to: Double.self) }
        }
        let attributions = try telling { try (sum * way.converted(to: Double.self) / Double(steps)).sum(-1).elements }
        return Result(
            attributions: attributions, value: try metric.value(of: reference.logits, reference: reference),
            baselineValue: try metric.value(of: first[.logits], reference: reference), steps: steps,
            metric: metric.sentence)
    }

    private func beginning(
        _ baseline: Baseline, _ end: Tensor<Scalar>, _ length: Int
    ) throws(Problem) -> Tensor<Scalar> {
        switch baseline {
        case .zero: return try telling { try Tensor(repeating: 0, shape: end.shape) }
        case .mean: return try telling { try end.mean(0).broadcast(to: end.shape).contiguous() }
        case .prompt(let other):
            guard other.count == length else {
                throw Problem(
                    .invalid, "baseline", "\(other.count) tokens, but the prompt has \(length)",
                    remedy: "Use prompts of equal length.")
            }
            return try model.run(other, keeping: .only([.embedding]))[.embedding]
        }
    }
}
