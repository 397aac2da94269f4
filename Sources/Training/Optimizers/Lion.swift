internal import Kernels
public import Tensors

/// Lion: every weight moves by the rate, w -= rate (sign(β₁m + (1 - β₁) g) + weightDecay · w), m = β₂m + (1 - β₂) g.
///
/// It takes a rate 3 to 10 times smaller than AdamW's, and a weight decay as many times larger.
///
/// - Source: Chen et al., "Symbolic discovery of optimization algorithms", 2023, algorithm 2.
public struct Lion<Scalar: FloatingAccumulator>: Optimizer {
    public private(set) var steps = 0
    private let betas: (Double, Double)
    private let groups: ParameterGroups
    private var memory = OptimizerMemory<Scalar>("Lion", kinds: ["momentum"])

    /// - Throws: `TensorError` for numbers out of range.
    public init(
        betas: (Double, Double) = (0.9, 0.99), weightDecay: Double = 0, decaying: ParameterFilter = .all,
        groups: [ParameterGroup] = []
    ) throws(TensorError) {
        let check = HyperparameterCheck(optimizer: "Lion")
        try check.share(betas.0, "beta 1")
        try check.share(betas.1, "beta 2")
        self.betas = betas
        self.groups = ParameterGroups(weightDecay: weightDecay, decaying: decaying, groups: groups)
        try check.groups(self.groups)
    }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try StepTargets(parameters, rate: rate, optimizer: "Lion")
        defer { withExtendedLifetime(targets) {} }
        var plan = StepPlan<Scalar, LionRule>(capacity: targets.parameters.count)
        var places: [Int] = []
        for (parameter, gradient) in zip(targets.parameters, targets.gradients) {
            let place = try memory.place(of: parameter)
            let settings = groups.settings(of: parameter.name, shape: parameter.shape)
            let rule = LionRule(rate: rate * settings.rateFactor, betas: betas, weightDecay: settings.weightDecay)
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
