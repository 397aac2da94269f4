internal import CKernels

/// Adam and AdamW: w -= rate · m̂ / (√v̂ + ε), with m and v the moving means of g and g², freed of their start at zero.
///
/// ε stands outside the root and its correction, as in torch.
///
/// - Source: Kingma and Ba, "Adam", 2015, algorithm 1; Loshchilov and Hutter, "Decoupled weight decay
///   regularization", 2019, algorithm 2.
public struct AdamRule: StepRule {
    public var rate: Double
    public var betas: (Double, Double)
    public var epsilon: Double
    /// How many steps this parameter has made, this one included.
    public var step: Int
    public var weightDecay: Double
    /// w shrinks by rate · weightDecay (AdamW); else weightDecay · w is part of the gradient (Adam).
    public var isDecoupled: Bool

    public init(
        rate: Double, betas: (Double, Double), epsilon: Double, step: Int, weightDecay: Double, isDecoupled: Bool
    ) {
        self.rate = rate
        self.betas = betas
        self.epsilon = epsilon
        self.step = step
        self.weightDecay = weightDecay
        self.isDecoupled = isDecoupled
    }

    /// 1 - βᵗ for both: what the means have seen so far.
    private var corrections: (Double, Double) { (1 - power(betas.0, step), 1 - power(betas.1, step)) }

    public func apply(to x: StepArray<Float>) { apply(to: x, path: .best) }

    package func apply(to x: StepArray<Float>, path: ElementwisePath) {
        let (correction1, correction2) = corrections
        var rule = orrery_adam_rule(
            size: Float(rate / correction1), root: Float(correction2.squareRoot()), epsilon: Float(epsilon),
            share1: Float(1 - betas.0), beta2: Float(betas.1), share2: Float(1 - betas.1),
            decay: isDecoupled ? 0 : Float(weightDecay), keep: isDecoupled ? Float(1 - rate * weightDecay) : 1)
        #if arch(x86_64)
            if path == .avx512 {
                return orrery_adam_step_avx512(&rule, x.weights, x.gradient, x.first, x.second, x.count)
            }
        #endif
        orrery_adam_step_portable(&rule, x.weights, x.gradient, x.first, x.second, x.count)
    }

    public func apply(to x: StepArray<Double>) {
        guard let first = x.first, let second = x.second else { return }
        let (correction1, correction2) = corrections
        for i in 0..<x.count {
            let gradient = x.gradient[i] + (isDecoupled ? 0 : weightDecay * x.weights[i])
            first[i] = betas.0 * first[i] + (1 - betas.0) * gradient
            second[i] = betas.1 * second[i] + (1 - betas.1) * gradient * gradient
            let mean = first[i] / correction1
            let root = (second[i] / correction2).squareRoot()
            x.weights[i] *= isDecoupled ? 1 - rate * weightDecay : 1
            x.weights[i] -= rate * mean / (root + epsilon)
        }
    }
}

/// x to a whole power, by squaring.
private func power(_ x: Double, _ exponent: Int) -> Double {
    var (result, factor, rest) = (1.0, x, exponent)
    while rest > 0 {
        if rest & 1 == 1 { result *= factor }
        factor *= factor
        rest >>= 1
    }
    return result
}
