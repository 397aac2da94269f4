internal import Kernels
internal import Tensors

/// The parameters that a step changes, with their gradients: checked, in the order in which they were given.
struct StepTargets<Scalar: FloatingAccumulator> {
    let parameters: [Parameter<Scalar>]
    /// Contiguous.
    let gradients: [Tensor<Scalar>]

    /// Trainable parameters that have a gradient. One that is given twice counts once.
    ///
    /// - Throws: `TensorError` for a rate that is not a number, a gradient of another shape, two parameters of one name.
    init(_ all: [Parameter<Scalar>], rate: Double, optimizer: String) throws(TensorError) {
        guard rate.isFinite else { throw TensorError(optimizer, problem: "needs a finite learning rate, not \(rate)") }
        var named: [String: Parameter<Scalar>] = [:]
        var parameters: [Parameter<Scalar>] = []
        var gradients: [Tensor<Scalar>] = []
        for parameter in all where parameter.isTrainable && parameter.count > 0 {
            guard let gradient = parameter.gradient else { continue }
            if let other = named.updateValue(parameter, forKey: parameter.name) {
                if other === parameter { continue }
                throw TensorError(
                    optimizer, parameter.shape, other.shape,
                    problem: "belong to two parameters named \(parameter.name). Give every parameter a unique name")
            }
            guard gradient.shape == parameter.shape else {
                throw TensorError(
                    optimizer, parameter.shape, gradient.shape,
                    problem: "differ: the first is the shape of \(parameter.name), the second that of its gradient")
            }
            parameters.append(parameter)
            gradients.append(try gradient.contiguous())
        }
        self.parameters = parameters
        self.gradients = gradients
    }
}

/// Steps by one rule, gathered so that all arrays go to the threads at once.
struct StepPlan<Scalar: FloatingAccumulator, Rule: StepRule> {
    private var steps: [(rule: Rule, array: StepArray<Scalar>)] = []

    init(capacity: Int) { steps.reserveCapacity(capacity) }

    /// Adds a parameter. Parameter, gradient and memory must live until the plan has run.
    mutating func add(
        _ rule: Rule, _ parameter: Parameter<Scalar>, _ gradient: Tensor<Scalar>,
        first: UnsafeMutablePointer<Scalar>? = nil, second: UnsafeMutablePointer<Scalar>? = nil
    ) throws(TensorError) {
        let weights = try parameter.value.withMutableElements { $0.baseAddress! }
        let array = StepArray(
            weights: weights, gradient: UnsafePointer(gradient.base), first: first, second: second,
            count: parameter.count)
        steps.append((rule, array))
    }

    func run() {
        if Scalar.self == Float.self {
            OptimizerSteps.run(steps.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Float>.self)) })
        } else {
            OptimizerSteps.run(steps.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Double>.self)) })
        }
    }
}
