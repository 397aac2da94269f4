internal import Kernels
public import Tensors

/// Adam: w -= rate · m̂ / (√v̂ + ε), weight decay being part of the gradient.
///
/// - Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1, in the form of
///   `torch.optim.Adam`.
public struct Adam<Scalar: FloatingAccumulator>: Optimizer {
    private var moments: Moments<Scalar>

    /// - Throws: `TensorError` for numbers out of range.
    public init(
        betas: (Double, Double) = (0.9, 0.999), epsilon: Double = 1e-8, weightDecay: Double = 0,
        decaying: ParameterFilter = .all, groups: [ParameterGroup] = []
    ) throws(TensorError) {
        let groups = ParameterGroups(weightDecay: weightDecay, decaying: decaying, groups: groups)
        moments = try Moments("Adam", betas: betas, epsilon: epsilon, isDecoupled: false, groups: groups)
    }

    public var steps: Int { moments.steps }
    public var state: [(name: String, value: Tensor<Scalar>)] { moments.memory.state }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        try moments.step(parameters, rate: rate)
    }

    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        try moments.restore(state, steps: steps)
    }
}

/// AdamW: Adam with a weight decay of its own, w -= rate · weightDecay · w, that the moments never see.
///
/// ```swift
/// var optimizer = try AdamW<Float>(betas: (0.9, 0.95), weightDecay: 0.1, decaying: .matrices)
/// try optimizer.step(model.parameters, rate: schedule.rate(at: step))
/// ```
///
/// - Source: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, algorithm 2, in the form of
///   `torch.optim.AdamW`.
public struct AdamW<Scalar: FloatingAccumulator>: Optimizer {
    private var moments: Moments<Scalar>

    /// - Throws: `TensorError` for numbers out of range.
    public init(
        betas: (Double, Double) = (0.9, 0.999), epsilon: Double = 1e-8, weightDecay: Double = 0.01,
        decaying: ParameterFilter = .all, groups: [ParameterGroup] = []
    ) throws(TensorError) {
        let groups = ParameterGroups(weightDecay: weightDecay, decaying: decaying, groups: groups)
        moments = try Moments("AdamW", betas: betas, epsilon: epsilon, isDecoupled: true, groups: groups)
    }

    public var steps: Int { moments.steps }
    public var state: [(name: String, value: Tensor<Scalar>)] { moments.memory.state }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        try moments.step(parameters, rate: rate)
    }

    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        try moments.restore(state, steps: steps)
    }
}

/// What Adam and AdamW share: moving means of gradients and of their squares, with a count for each parameter.
private struct Moments<Scalar: FloatingAccumulator> {
    private(set) var steps = 0
    private(set) var memory: OptimizerMemory<Scalar>
    private let betas: (Double, Double)
    private let epsilon: Double
    private let isDecoupled: Bool
    private let groups: ParameterGroups

    init(
        _ name: String, betas: (Double, Double), epsilon: Double, isDecoupled: Bool, groups: ParameterGroups
    ) throws(TensorError) {
        let check = HyperparameterCheck(optimizer: name)
        try check.share(betas.0, "beta 1")
        try check.share(betas.1, "beta 2")
        try check.notNegative(epsilon, "epsilon")
        try check.groups(groups)
        memory = OptimizerMemory(name, kinds: ["first", "second"], countsSteps: true)
        self.betas = betas
        self.epsilon = epsilon
        self.isDecoupled = isDecoupled
        self.groups = groups
    }

    mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try StepTargets(parameters, rate: rate, optimizer: memory.optimizer)
        defer { withExtendedLifetime(targets) {} }
        var plan = StepPlan<Scalar, AdamRule>(capacity: targets.parameters.count)
        var places: [Int] = []
        places.reserveCapacity(targets.parameters.count)
        for (parameter, gradient) in zip(targets.parameters, targets.gradients) {
            let place = try memory.place(of: parameter)
            let settings = groups.settings(of: parameter.name, shape: parameter.shape)
            let rule = AdamRule(
                rate: rate * settings.rateFactor, betas: betas, epsilon: epsilon, step: memory[place].steps + 1,
                weightDecay: settings.weightDecay, isDecoupled: isDecoupled)
            try plan.add(
                rule, parameter, gradient, first: memory.elements(0, at: place), second: memory.elements(1, at: place))
            places.append(place)
        }
        plan.run()
        memory.finishStep(places)
        steps += 1
    }

    mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        try memory.restore(state, steps: steps)
        self.steps = steps
    }
}
