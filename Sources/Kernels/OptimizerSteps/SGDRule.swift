internal import CKernels

/// Stochastic gradient descent with momentum: v = μv + (1 - dampening) g, w -= rate · v.
///
/// - Source: Sutskever et al., "On the importance of initialization and momentum", ICML 2013, in the form of
///   `torch.optim.SGD`, where the first step takes v = g.
public struct SGDRule: StepRule {
    public var rate: Double
    public var momentum: Double
    public var dampening: Double
    /// g + weightDecay · w is the gradient.
    public var weightDecay: Double
    /// The step is g + μv rather than v.
    public var isNesterov: Bool
    /// There is no velocity yet.
    public var isFirst: Bool

    public init(
        rate: Double, momentum: Double = 0, dampening: Double = 0, weightDecay: Double = 0, isNesterov: Bool = false,
        isFirst: Bool = true
    ) {
        self.rate = rate
        self.momentum = momentum
        self.dampening = dampening
        self.weightDecay = weightDecay
        self.isNesterov = isNesterov
        self.isFirst = isFirst
    }

    public func apply(to x: StepArray<Float>) { apply(to: x, path: .best) }

    package func apply(to x: StepArray<Float>, path: ElementwisePath) {
        var rule = orrery_sgd_rule(
            rate: Float(rate), momentum: Float(momentum), share: Float(1 - dampening), decay: Float(weightDecay),
            is_nesterov: isNesterov ? 1 : 0, is_first: isFirst ? 1 : 0)
        #if arch(x86_64)
            if path == .avx512 { return orrery_sgd_step_avx512(&rule, x.weights, x.gradient, x.first, x.count) }
        #endif
        orrery_sgd_step_portable(&rule, x.weights, x.gradient, x.first, x.count)
    }

    public func apply(to x: StepArray<Double>) {
        for i in 0..<x.count {
            let gradient = x.gradient[i] + weightDecay * x.weights[i]
            var step = gradient
            if let velocity = x.first {
                velocity[i] = isFirst ? gradient : momentum * velocity[i] + (1 - dampening) * gradient
                step = isNesterov ? gradient + momentum * velocity[i] : velocity[i]
            }
            x.weights[i] -= rate * step
        }
    }
}
