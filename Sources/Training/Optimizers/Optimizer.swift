internal import Kernels
public import Tensors

/// Changes parameters by their gradients, as an update rule says.
///
/// ```swift
/// var optimizer = try Optimizer<Float>(.adamW, ["beta2": 0.95, "weight_decay": 0.1], decaying: .matrices)
/// try optimizer.step(model.parameters, rate: schedule.rate(at: step))
/// ```
///
/// It owns what the rule remembers of each parameter (momentum, second moments), by the parameter's name: that is what
/// a checkpoint holds next to the weights.
public struct Optimizer<Scalar: FloatingAccumulator> {
    /// A rule, and the parameters it moves.
    struct Part {
        let rule: UpdateRule
        let filter: ParameterFilter
        let values: [String: Double]
        /// Times the optimizer's learning rate.
        let rateFactor: Double
        /// Names of what the rule keeps: slots, and then `steps` if it counts them.
        let kinds: [String]
        var slotCount: Int { kinds.count - (rule.countsSteps ? 1 : 0) }

        init(
            _ rule: UpdateRule, _ given: [String: Double], filter: ParameterFilter, rateFactor: Double = 1
        ) throws(TensorError) {
            self.rule = rule
            self.filter = filter
            self.rateFactor = rateFactor
            values = try rule.values(given)
            kinds = rule.slots(with: values) + (rule.countsSteps ? ["steps"] : [])
        }
    }

    /// What is kept of a parameter: zeros before its first step, so that one that joins late begins as new.
    struct Entry {
        let part: Int
        let name: String
        var steps = 0
        var slots: [Tensor<Scalar>]
    }

    /// Steps made so far.
    public internal(set) var steps = 0
    /// A parameter belongs to the first part whose filter it passes; the last part takes any.
    let parts: [Part]
    var entries: [Entry] = []
    /// Indices in `entries`, by the parameter's name.
    var places: [String: Int] = [:]
    private let decaying: ParameterFilter
    private let groups: [ParameterGroup]
    var masters: MasterWeights<Scalar>?

    /// - Parameters:
    ///   - values: hyperparameters other than the defaults.
    ///   - others: hyperparameters of the rule for the parameters outside the scope of `rule`.
    ///   - othersRate: the learning rate of those parameters, as a multiple of the rate of a step.
    ///   - decaying: what weight decay applies to.
    ///   - groups: parameters with numbers of their own.
    ///   - roundsWeights: whether the model computes with weights in bfloat16, while steps change float32 copies.
    /// - Throws: `TensorError` for an unknown hyperparameter or numbers out of range.
    public init(
        _ rule: UpdateRule, _ values: [String: Double] = [:], others: [String: Double] = [:], othersRate: Double = 1,
        decaying: ParameterFilter = .all, groups: [ParameterGroup] = [], roundsWeights: Bool = false
    ) throws(TensorError) {
        let amount = Hyperparameter.Range.amount
        var problem = amount.problem(with: othersRate, named: "the learning rate of the other parameters")
        for group in groups {
            problem = problem ?? amount.problem(with: group.rateFactor, named: "rate factor")
            problem = problem ?? amount.problem(with: group.weightDecay ?? 0, named: "weight decay")
        }
        switch rule.scope {
        case .all: parts = [try Part(rule, values, filter: .all)]
        case .only(let filter, _, let other):
            parts = [
                try Part(rule, values, filter: filter),
                try Part(other, others, filter: .all, rateFactor: othersRate),
            ]
        }
        if let problem { throw TensorError(rule.title, problem: problem) }
        self.decaying = decaying
        self.groups = groups
        masters = roundsWeights ? MasterWeights() : nil
    }

    /// Changes every trainable parameter that has a gradient; gradients stay as they are.
    ///
    /// - Parameter rate: the learning rate of this step, as the schedule says.
    public mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        try prepare(parameters)
        let moving = parameters.filter { $0.isTrainable && $0.gradient != nil }
        try expose(moving)
        do throws(TensorError) {
            try move(moving, rate: rate)
        } catch {
            try prepare(moving)
            throw error
        }
        try prepare(moving)
    }

    private mutating func move(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError) {
        let targets = try targets(parameters, rate: rate)
        defer { withExtendedLifetime(targets) {} }
        var arrays: [(rule: any StepRule, array: StepArray<Scalar>)] = []
        var changes: [(parameter: Parameter<Scalar>, value: Tensor<Scalar>, place: Int, slots: [Tensor<Scalar>])] = []
        var moved: [Int] = []
        for (parameter, gradient) in targets {
            let place = try place(of: parameter)
            let part = parts[entries[place].part]
            let settings = settings(of: parameter, part, rate: rate, step: entries[place].steps + 1)
            switch part.rule.step {
            case .elements(let rule):
                var slots: [UnsafeMutablePointer<Scalar>] = []
                for slot in entries[place].slots.indices {
                    slots.append(try entries[place].slots[slot].withMutableElements { $0.baseAddress! })
                }
                let weights = try parameter.value.withMutableElements { $0.baseAddress! }
                let array = StepArray(
                    weights: weights, gradient: UnsafePointer(gradient.base), first: slots.first,
                    second: slots.dropFirst().first, count: parameter.count)
                arrays.append((rule(settings), array))
            case .tensors(let step):
                var slots = entries[place].slots
                let value = try step.moved(parameter.value, gradient: gradient, slots: &slots, settings)
                changes.append((parameter, value, place, slots))
            }
            moved.append(place)
        }
        // Nothing is changed before everything is computed: an error leaves the model as it was.
        if Scalar.self == Float.self {
            OptimizerSteps.run(arrays.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Float>.self)) })
        } else {
            OptimizerSteps.run(arrays.map { ($0.rule, unsafeBitCast($0.array, to: StepArray<Double>.self)) })
        }
        for change in changes {
            change.parameter.value = change.value
            entries[change.place].slots = change.slots
        }
        for place in moved { entries[place].steps += 1 }
        steps += 1
    }

    /// Returns the parameters that have a gradient, each once, with their contiguous gradients.
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

    /// Returns the place of what is kept of a parameter, made of zeros if it is new.
    private mutating func place(of parameter: Parameter<Scalar>) throws(TensorError) -> Int {
        if let place = places[parameter.name] {
            let shape = entries[place].slots.first?.shape ?? parameter.shape
            guard shape == parameter.shape else {
                throw TensorError(
                    parts[entries[place].part].rule.title, parameter.shape, shape,
                    problem:
                        "differ: the first is the shape of \(parameter.name), the second that of its optimizer state")
            }
            return place
        }
        let part = parts.firstIndex { $0.filter.contains(parameter.name, shape: parameter.shape) } ?? parts.count - 1
        var slots: [Tensor<Scalar>] = []
        for _ in 0..<parts[part].slotCount { slots.append(try Tensor(repeating: 0, shape: parameter.shape)) }
        places[parameter.name] = entries.count
        entries.append(Entry(part: part, name: parameter.name, slots: slots))
        return entries.count - 1
    }

    /// The first group that has the parameter decides; without one, the weight decay where it applies.
    private func settings(of parameter: Parameter<Scalar>, _ part: Part, rate: Double, step: Int) -> StepSettings {
        var settings = StepSettings(rate: rate * part.rateFactor, step: step, values: part.values)
        if !decaying.contains(parameter.name, shape: parameter.shape) { settings.values["weight_decay"] = 0 }
        if let group = groups.first(where: { $0.parameters.contains(parameter.name, shape: parameter.shape) }) {
            settings.rate *= group.rateFactor
            if let decay = group.weightDecay { settings.values["weight_decay"] = decay }
        }
        return settings
    }

    /// Takes float32 copies of the weights and rounds the model's, before the first pass; without `roundsWeights`, does
    /// nothing.
    public mutating func prepare(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        try masters?.prepare(parameters)
    }

    /// Gives the model its float32 weights, for an export; `prepare` rounds them again.
    public mutating func expose(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        try masters?.expose(parameters)
    }
}
