internal import CKernels

/// Lion: w -= rate (sign(β₁m + (1 - β₁) g) + weightDecay · w), then m = β₂m + (1 - β₂) g.
///
/// - Source: Chen et al., "Symbolic discovery of optimization algorithms", 2023, algorithm 2.
public struct LionRule: StepRule {
    public var rate: Double
    public var betas: (Double, Double)
    public var weightDecay: Double

    public init(rate: Double, betas: (Double, Double), weightDecay: Double) {
        self.rate = rate
        self.betas = betas
        self.weightDecay = weightDecay
    }

    public func apply(to x: StepArray<Float>) { apply(to: x, path: .best) }

    package func apply(to x: StepArray<Float>, path: ElementwisePath) {
        var rule = orrery_lion_rule(
            rate: Float(rate), share1: Float(1 - betas.0), share2: Float(1 - betas.1),
            keep: Float(1 - rate * weightDecay))
        #if arch(x86_64)
            if path == .avx512 { return orrery_lion_step_avx512(&rule, x.weights, x.gradient, x.first, x.count) }
        #endif
        orrery_lion_step_portable(&rule, x.weights, x.gradient, x.first, x.count)
    }

    public func apply(to x: StepArray<Double>) {
        guard let momentum = x.first else { return }
        for i in 0..<x.count {
            let direction = betas.0 * momentum[i] + (1 - betas.0) * x.gradient[i]
            let sign = direction > 0 ? 1 : direction < 0 ? -1 : direction * 0
            x.weights[i] -= rate * (sign + weightDecay * x.weights[i])
            momentum[i] = betas.1 * momentum[i] + (1 - betas.1) * x.gradient[i]
        }
    }
}
