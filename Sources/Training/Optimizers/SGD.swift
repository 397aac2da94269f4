internal import Kernels
public import Tensors

/// Stochastic gradient descent: v = μv + (1 - dampening) g, w -= rate · v, or g + μv in the form of Nesterov.
///
/// ```swift
/// var optimizer = try SGD<Float>(momentum: 0.9, isNesterov: true)
/// try optimizer.step(model.parameters, rate: 0.01)
/// ```
///
/// - Source: Sutskever et al., "On the importance of initialization and momentum", ICML 2013, in the form of
///   `torch.optim.SGD`: the first velocity is the gradient, and weight decay is part of the gradient.
public struct SGD<Scalar: FloatingAccumulator>: Optimizer {
    public private(set) var steps = 0
    private let momentum: Double
    private let dampening: Double
    private let isNesterov: Bool
    private let groups: ParameterGroups
    private var memory = OptimizerMemory<Scalar>("SGD", kinds: ["momentum"])

    /// - Parameters:
    ///   - decaying: what weight decay applies to.
    ///   - groups: parameters with numbers of their own.
    /// - Throws: `TensorError` for numbers out of range, and for Nesterov without momentum or with dampening.
    public init(
        momentum: Double = 0, dampening: Double = 0, isNesterov: Bool = false, weightDecay: Double = 0,
        decaying: ParameterFilter = .all, groups: [ParameterGroup] = []
    ) throws(TensorError) {
        let check = HyperparameterCheck(optimizer: "SGD")
        try check.notNegative(momentum, "momentum")
        try check.notNegative(dampening, "dampening")
        guard !isNesterov || (momentum > 0 && dampening == 0) else {
            throw TensorError("SGD", problem: "needs momentum and no dampening for Nesterov momentum")
        }
        self.momentum = momentum
        self.dampening = dampening
        self.isNesterov = isNesterov
        self.groups = ParameterGroups(weightDecay: weightDecay, decaying: decaying, groups: groups)
        try check.groups(self.groups)
    }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try StepTargets(parameters, rate: rate, optimizer: "SGD")
        defer { withExtendedLifetime(targets) {} }
        var plan = StepPlan<Scalar, SGDRule>(capacity: parameters.count)
        var places: [Int] = []
        for (parameter, gradient) in zip(targets.parameters, targets.gradients) {
            let settings = groups.settings(of: parameter.name, shape: parameter.shape)
            var rule = SGDRule(
                rate: rate * settings.rateFactor, momentum: momentum, dampening: dampening,
                weightDecay: settings.weightDecay, isNesterov: isNesterov)
            guard momentum > 0 else {
                try plan.add(rule, parameter, gradient)
                continue
            }
            let place = try memory.place(of: parameter)
            rule.isFirst = memory[place].steps == 0
            try plan.add(rule, parameter, gradient, first: memory.elements(0, at: place))
            places.append(place)
        }
        plan.run()
        memory.finishStep(places)
        steps += 1
    }

    public var state: [(name: String, value: Tensor<Scalar>)] { memory.state }

    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        try memory.restore(state, steps: steps)
        self.steps = steps
    }
}
