public import Tensors

/// Muon: the hidden matrices of a model move by their momentum made orthogonal, everything else by AdamW.
///
/// ```swift
/// var optimizer = try Muon<Float>(rest: AdamW(betas: (0.9, 0.95)), restRate: 0.02)
/// try optimizer.step(model.parameters, rate: 0.02)
/// ```
///
/// m = β m + (1 - β) g, u = g + β (m - g) in the form of Nesterov, and w -= rate (scale · orthogonal(u) + weightDecay · w).
/// Kernels of convolutions count as matrices [output, rest].
///
/// - Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024.
public struct Muon<Scalar: FloatingAccumulator>: Optimizer {
    /// How long the step of a matrix [rows, columns] is.
    public enum Scale: Sendable {
        /// √max(1, rows / columns), as published.
        case shape
        /// 0.2 √max(rows, columns): the root mean square of AdamW's steps, so that its rate can be taken.
        ///
        /// - Source: Liu et al., "Muon is scalable for LLM training", 2025, section 2.2.
        case matchingAdam
    }

    public private(set) var steps = 0
    private let momentum: Double
    private let isNesterov: Bool
    private let iterations: Int
    private let scale: Scale
    private let hidden: ParameterFilter
    private let groups: ParameterGroups
    private var memory = OptimizerMemory<Scalar>("Muon", kinds: ["orthogonal"])
    private var rest: AdamW<Scalar>
    private let restRate: Double

    /// - Parameters:
    ///   - iterations: of the Newton-Schulz polynomial.
    ///   - hidden: the parameters that move by Muon; those of less than two axes never do.
    ///   - rest: moves the others, with settings of its own; nil for AdamW as it comes.
    ///   - restRate: AdamW's learning rate as a multiple of Muon's.
    /// - Throws: `TensorError` for numbers out of range.
    public init(
        momentum: Double = 0.95, isNesterov: Bool = true, iterations: Int = 5, scale: Scale = .shape,
        weightDecay: Double = 0, hidden: ParameterFilter = .hiddenMatrices, groups: [ParameterGroup] = [],
        rest: AdamW<Scalar>? = nil, restRate: Double = 1
    ) throws(TensorError) {
        let check = HyperparameterCheck(optimizer: "Muon")
        try check.share(momentum, "momentum")
        try check.notNegative(restRate, "the learning rate of the other parameters")
        guard 1...100 ~= iterations else {
            throw TensorError("Muon", problem: "needs 1 to 100 iterations, not \(iterations)")
        }
        self.momentum = momentum
        self.isNesterov = isNesterov
        self.iterations = iterations
        self.scale = scale
        self.hidden = hidden && .matrices
        self.groups = ParameterGroups(weightDecay: weightDecay, decaying: .all, groups: groups)
        try check.groups(self.groups)
        if let rest { self.rest = rest } else { self.rest = try AdamW() }
        self.restRate = restRate
    }

    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try StepTargets(parameters, rate: rate, optimizer: "Muon")
        var others: [Parameter<Scalar>] = []
        var places: [Int] = []
        var changes: [(parameter: Parameter<Scalar>, value: Tensor<Scalar>, place: Int, momentum: Tensor<Scalar>)] = []
        for (parameter, gradient) in zip(targets.parameters, targets.gradients) {
            guard hidden.contains(parameter.name, shape: parameter.shape) else {
                others.append(parameter)
                continue
            }
            let place = try memory.place(of: parameter)
            let settings = groups.settings(of: parameter.name, shape: parameter.shape)
            let rate = rate * settings.rateFactor
            let before = memory[place].tensors[0]
            let mean = try before + (gradient - before) * Scalar(1 - momentum)
            let direction = isNesterov ? try gradient + (mean - gradient) * Scalar(momentum) : mean
            let step = try orthogonalized(direction) * Scalar(rate * factor(of: parameter.shape))
            let kept = try parameter.value * Scalar(1 - rate * settings.weightDecay)
            changes.append((parameter, try kept - step, place, mean))
            places.append(place)
        }
        // Nothing is changed before everything is computed: an error leaves the model as it was.
        try rest.step(others, rate: rate * restRate)
        for change in changes {
            change.parameter.value = change.value
            memory[change.place].tensors[0] = change.momentum
        }
        memory.finishStep(places)
        steps += 1
    }

    private func orthogonalized(_ direction: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        let rows = direction.shape[0]
        let matrix = try direction.reshaped([rows, direction.count / rows])
        return try NewtonSchulz.orthogonalized(matrix, iterations: iterations).reshaped(direction.shape)
    }

    private func factor(of shape: [Int]) -> Double {
        let rows = Double(shape[0])
        let columns = shape[1...].reduce(1.0) { $0 * Double($1) }
        return switch scale {
        case .shape: max(1, rows / columns).squareRoot()
        case .matchingAdam: 0.2 * max(rows, columns).squareRoot()
        }
    }

    /// Muon's momenta, then what AdamW remembers.
    public var state: [(name: String, value: Tensor<Scalar>)] { memory.state + rest.state }

    public mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError) {
        var restored = self
        let own = state.filter { $0.key.hasSuffix("/orthogonal") }
        try restored.memory.restore(own, steps: steps)
        try restored.rest.restore(state.filter { own[$0.key] == nil }, steps: steps)
        restored.steps = steps
        self = restored
    }
}
