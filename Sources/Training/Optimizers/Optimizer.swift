internal import Kernels
public import Tensors

/// An optimizer: an update rule, applied to the parameters of a model.
///
/// ```swift
/// var optimizer = try Optimizer<Float>(.adamW, ["beta2": 0.95, "weight_decay": 0.1], decaying: .matrices)
/// try optimizer.step(model.parameters, rate: schedule.rate(at: step))
/// ```
///
/// The optimizer owns the state of each parameter, such as momentum and second moments, under the parameter's name.
/// Checkpoints store this state with the weights.
public struct Optimizer<Scalar: FloatingAccumulator> {
    /// A rule with its hyperparameters, and the parameters that it updates.
    struct Part {
        let rule: UpdateRule
        let filter: ParameterFilter
        let values: [String: Double]
        /// Learning rate as a multiple of the optimizer's.
        let rateFactor: Double
        /// Names of the state of a parameter: slots, then `steps` if the rule counts them.
        let stateNames: [String]
        var slotCount: Int { stateNames.count - (rule.countsSteps ? 1 : 0) }

        init(
            _ rule: UpdateRule, _ given: [String: Double], filter: ParameterFilter, rateFactor: Double = 1
        ) throws(TensorError) {
            self.rule = rule
            self.filter = filter
            self.rateFactor = rateFactor
            values = try rule.completed(given)
            stateNames = rule.slots(with: values) + (rule.countsSteps ? ["steps"] : [])
        }
    }

    /// The state of a parameter.
    ///
    /// Entries are created with zeros at a parameter's first step, so parameters can join during training.
    struct Entry {
        let part: Int
        let name: String
        var steps = 0
        var slots: [Tensor<Scalar>]
    }

    /// Number of completed steps.
    public internal(set) var steps = 0
    /// Rules in order: the first part whose filter a parameter passes updates it. The last filter passes every parameter.
    let parts: [Part]
    var entries: [Entry] = []
    /// Index in `entries` of each parameter, by name.
    var entryIndices: [String: Int] = [:]
    private let decaying: ParameterFilter
    private let groups: [ParameterGroup]
    var masters: MasterWeights<Scalar>?

    /// Creates an optimizer.
    ///
    /// - Parameters:
    ///   - rule: Update rule.
    ///   - values: Hyperparameters that differ from the rule's defaults, by name.
    ///   - fallback: Hyperparameters of the fallback rule, which updates the parameters outside the rule's scope.
    ///   - fallbackRateFactor: Learning rate of the fallback rule, as a multiple of the learning rate of a step.
    ///   - decaying: Parameters to which weight decay applies.
    ///   - groups: Groups of parameters with a learning rate or weight decay of their own.
    ///   - roundsWeights: Whether the model computes with bfloat16 weights while steps update float32 copies.
    /// - Throws: `TensorError` for an unknown hyperparameter, a value out of range, or a fallback rule that shares names of
    ///   its state.
    public init(
        _ rule: UpdateRule, _ values: [String: Double] = [:], fallback: [String: Double] = [:],
        fallbackRateFactor: Double = 1,
        decaying: ParameterFilter = .all, groups: [ParameterGroup] = [], roundsWeights: Bool = false
    ) throws(TensorError) {
        let amount = Hyperparameter.Range.nonNegative
        var problem = amount.problem(with: fallbackRateFactor, named: "the learning rate of the other parameters")
        for group in groups {
            problem = problem ?? amount.problem(with: group.rateFactor, named: "rate factor")
            problem = problem ?? amount.problem(with: group.weightDecay ?? 0, named: "weight decay")
        }
        switch rule.scope {
        case .all: parts = [try Part(rule, values, filter: .all)]
        case .only(let filter, _, let fallbackRule):
            parts = [
                try Part(rule, values, filter: filter),
                try Part(fallbackRule, fallback, filter: .all, rateFactor: fallbackRateFactor),
            ]
        }
        if let problem { throw TensorError(rule.title, problem: problem) }
        // Restoring recognizes the rule of a parameter by the names of its state.
        if let last = parts.dropFirst().last, let name = Set(parts[0].stateNames).intersection(last.stateNames).min() {
            throw TensorError(rule.title, problem: "and its fallback \(last.rule.title) both have the state \(name)")
        }
        self.decaying = decaying
        self.groups = groups
        masters = roundsWeights ? MasterWeights() : nil
    }

    /// Updates every trainable parameter that has a gradient, and leaves the gradients unchanged.
    ///
    /// - Parameters:
    ///   - parameters: Parameters of the model. A parameter that occurs several times is updated once.
    ///   - rate: Learning rate of this step.
    /// - Throws: `TensorError` if the rate is not finite, two parameters have the same name, a shape differs from that of
    ///   the gradient or the state, or memory runs out.
    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        try prepare(parameters)
        let trained = parameters.filter { $0.isTrainable && $0.gradient != nil }
        try expose(trained)
        do throws(TensorError) {
            try update(trained, rate: rate)
        } catch {
            try prepare(trained)
            throw error
        }
        try prepare(trained)
    }

    /// Updates parameters that have a gradient, with their exact weights in place.
    private mutating func update(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try targets(parameters, rate: rate)
        defer { withExtendedLifetime(targets) {} }
        var arrays: [(rule: any StepRule, array: StepArray<Scalar>)] = []
        var changes: [(parameter: Parameter<Scalar>, value: Tensor<Scalar>, index: Int, slots: [Tensor<Scalar>])] = []
        var updated: [Int] = []
        for (parameter, gradient) in targets {
            let index = try entryIndex(of: parameter)
            let part = parts[entries[index].part]
            let settings = settings(of: parameter, part, rate: rate, step: entries[index].steps + 1)
            switch part.rule.step {
            case .elements(let rule):
                var slots: [UnsafeMutablePointer<Scalar>] = []
                for slot in entries[index].slots.indices {
                    slots.append(try entries[index].slots[slot].withMutableElements { $0.baseAddress! })
                }
                let weights = try parameter.value.withMutableElements { $0.baseAddress! }
                let array = StepArray(
                    weights: weights, gradient: UnsafePointer(gradient.base), first: slots.first,
                    second: slots.dropFirst().first, count: parameter.count)
                arrays.append((rule(settings), array))
            case .tensors(let step):
                var slots = entries[index].slots
                let value = try step.updated(parameter.value, gradient: gradient, slots: &slots, settings)
                changes.append((parameter, value, index, slots))
            }
            updated.append(index)
        }
        // Nothing changes before every tensor step has succeeded, so an error leaves the model unchanged.
        if Scalar.self == Float.self {
            OptimizerSteps.run(arrays.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Float>.self)) })
        } else {
            OptimizerSteps.run(arrays.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Double>.self)) })
        }
        for change in changes {
            change.parameter.value = change.value
            entries[change.index].slots = change.slots
        }
        for index in updated { entries[index].steps += 1 }
        steps += 1
    }

    /// Returns each parameter that has a gradient once, with its gradient in contiguous memory.
    private func targets(
        _ all: [Parameter<Scalar>], rate: Double
    ) throws(TensorError) -> [(Parameter<Scalar>, Tensor<Scalar>)] {
        let title = parts[0].rule.title
        guard rate.isFinite else { throw TensorError(title, problem: "needs a finite learning rate, not \(rate)") }
        var named: [String: Parameter<Scalar>] = [:]
        var targets: [(Parameter<Scalar>, Tensor<Scalar>)] = []
        for parameter in all where parameter.isTrainable && parameter.count > 0 {
            guard let gradient = parameter.gradient else { continue }
            if let other = named.updateValue(parameter, forKey: parameter.name) {
                if other === parameter { continue }
                throw TensorError(
                    title, parameter.shape, other.shape,
                    problem: "belong to two parameters named \(parameter.name). Give every parameter a unique name")
            }
            guard gradient.shape == parameter.shape else {
                throw TensorError(
                    title, parameter.shape, gradient.shape,
                    problem: "differ: the first is the shape of \(parameter.name), the second that of its gradient")
            }
            targets.append((parameter, try gradient.contiguous()))
        }
        return targets
    }

    /// Returns the index of a parameter's entry; appends an entry of zeros for a new parameter.
    private mutating func entryIndex(of parameter: Parameter<Scalar>) throws(TensorError) -> Int {
        if let index = entryIndices[parameter.name] {
            let shape = entries[index].slots.first?.shape ?? parameter.shape
            guard shape == parameter.shape else {
                throw TensorError(
                    parts[entries[index].part].rule.title, parameter.shape, shape,
                    problem:
                        "differ: the first is the shape of \(parameter.name), the second that of its optimizer state")
            }
            return index
        }
        let part = parts.firstIndex { $0.filter.contains(parameter.name, shape: parameter.shape) } ?? parts.count - 1
        var slots: [Tensor<Scalar>] = []
        for _ in 0..<parts[part].slotCount { slots.append(try Tensor(repeating: 0, shape: parameter.shape)) }
        entryIndices[parameter.name] = entries.count
        entries.append(Entry(part: part, name: parameter.name, slots: slots))
        return entries.count - 1
    }

    /// Returns the settings of a parameter's step. The first group that contains the parameter overrides the others.
    private func settings(of parameter: Parameter<Scalar>, _ part: Part, rate: Double, step: Int) -> StepSettings {
        var settings = StepSettings(rate: rate * part.rateFactor, step: step, values: part.values)
        if !decaying.contains(parameter.name, shape: parameter.shape) { settings.values["weight_decay"] = 0 }
        if let group = groups.first(where: { $0.parameters.contains(parameter.name, shape: parameter.shape) }) {
            settings.rate *= group.rateFactor
            if let decay = group.weightDecay { settings.values["weight_decay"] = decay }
        }
        return settings
    }

    /// Saves float32 copies of the weights and rounds the model's weights to bfloat16.
    ///
    /// Call it before the first forward pass. Without `roundsWeights`, it does nothing.
    public mutating func prepare(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        try masters?.prepare(parameters)
    }

    /// Sets the model's weights to their float32 copies, for an export; ``prepare(_:)`` rounds them again.
    ///
    /// - Throws: `TensorError` if the shape of a parameter has changed.
    public mutating func expose(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        try masters?.expose(parameters)
    }
}
