public import Kernels
public import Tensors

/// Rule by which gradients change parameters: name, hyperparameters, state of each parameter, and formula.
///
/// A rule is one file, and one line in `UpdateRules.standard`. Configurations, the help, checkpoints, and memory
/// estimates read all they need from it:
///
/// ```swift
/// extension UpdateRule {
///     static let signSGD = UpdateRule(
///         "signsgd", title: "SignSGD", hyperparameters: [Hyperparameter("momentum", .share, 0.9, "momentum")],
///         slots: ["momentum"], step: .elements { SignRule(rate: $0.rate, momentum: $0["momentum"]) })
/// }
/// ```
public struct UpdateRule: Sendable {
    public enum Step: Sendable {
        /// Each number moves by itself: a kernel, with at most two slots.
        case elements(@Sendable (StepSettings) -> any StepRule)
        /// A parameter moves as a whole, with any number of slots.
        case tensors(any TensorStep)
    }

    /// Parameters that a rule applies to.
    public indirect enum Scope: Sendable {
        case all
        /// The others move by a rule of their own. In configurations, `optimizer.rate` is the peak rate of the others,
        /// and `peakRate` that of this rule.
        case only(ParameterFilter, peakRate: Hyperparameter, others: UpdateRule)
    }

    /// `adamw`, as in `optimizer.kind`.
    public let name: String
    /// `AdamW`, as in error messages.
    public let title: String
    /// Words for the help; empty if the name says it all.
    public let help: String
    /// Weight decay is the last one; every rule has it.
    public let hyperparameters: [Hyperparameter]
    /// Tensors that the rule keeps of each parameter, by name; the names are part of checkpoints.
    public let slots: [String]
    /// Whether the number of steps of each parameter is part of its state.
    public let countsSteps: Bool
    public let scope: Scope
    public let step: Step
    /// Hyperparameter without which the rule needs no slots.
    let slotsNeed: String?
    private let check: @Sendable (StepSettings) -> String?

    /// - Parameter check: returns what is wrong with hyperparameters that are each in range.
    public init(
        _ name: String, title: String, help: String = "", hyperparameters: [Hyperparameter] = [],
        weightDecay: Double = 0, slots: [String] = [], slotsNeed: String? = nil, countsSteps: Bool = false,
        scope: Scope = .all, step: Step, check: @escaping @Sendable (StepSettings) -> String? = { _ in nil }
    ) {
        self.name = name
        self.title = title
        self.help = help
        self.hyperparameters = hyperparameters + [.weightDecay(weightDecay)]
        self.slots = slots
        self.slotsNeed = slotsNeed
        self.countsSteps = countsSteps
        self.scope = scope
        self.step = step
        self.check = check
    }

    /// Returns values for all hyperparameters: those given, and defaults.
    ///
    /// - Throws: `TensorError` for an unknown hyperparameter or a value out of range.
    func values(_ given: [String: Double]) throws(TensorError) -> [String: Double] {
        var values = given
        for one in hyperparameters {
            let value = given[one.name] ?? one.standard
            if let problem = one.range.problem(with: value, named: one.words) {
                throw TensorError(title, problem: problem)
            }
            values[one.name] = value
        }
        let names = hyperparameters.map(\.name)
        if let other = given.keys.sorted().first(where: { !names.contains($0) }) {
            throw TensorError(
                title, problem: "has no hyperparameter \(other). Available: \(names.joined(separator: ", "))")
        }
        if let problem = check(StepSettings(rate: 0, step: 0, values: values)) {
            throw TensorError(title, problem: problem)
        }
        return values
    }

    /// Every hyperparameter that has a configuration key: those of this rule and of the rule for the others.
    var settings: [Hyperparameter] {
        guard case .only(_, let peakRate, let others) = scope else { return hyperparameters }
        return hyperparameters + others.hyperparameters + [peakRate]
    }

    /// Returns the hyperparameters of this rule that have an effect.
    func selection(from values: [String: Double]) -> [String: Double] {
        values.filter { name, _ in
            hyperparameters.contains { $0.name == name && ($0.needs.map { values[$0] != 0 } ?? true) }
        }
    }

    /// Bytes that the rule keeps of a number in float32, with the default hyperparameters.
    public var bytesPerElement: Int {
        4 * slots(with: Dictionary(uniqueKeysWithValues: hyperparameters.map { ($0.name, $0.standard) })).count
    }

    func slots(with values: [String: Double]) -> [String] { slotsNeed.map { values[$0] == 0 } == true ? [] : slots }
}

extension UpdateRule: Equatable {
    /// A name stands for one rule.
    public static func == (one: UpdateRule, other: UpdateRule) -> Bool { one.name == other.name }
}

/// Numbers of one step of one parameter.
public struct StepSettings: Sendable {
    public internal(set) var rate: Double
    /// Steps of this parameter, including this one.
    public internal(set) var step: Int
    var values: [String: Double]

    public var weightDecay: Double { self["weight_decay"] }

    /// The value of a hyperparameter that the rule declares.
    public subscript(name: String) -> Double {
        guard let value = values[name] else { preconditionFailure("undeclared hyperparameter \(name)") }
        return value
    }
}

/// Formula of a rule that moves a parameter as a whole.
public protocol TensorStep: Sendable {
    /// Returns the new value, and changes what is kept of the parameter.
    ///
    /// - Parameter slots: zeros before the first step.
    func moved<Scalar: FloatingAccumulator>(
        _ value: Tensor<Scalar>, gradient: Tensor<Scalar>, slots: inout [Tensor<Scalar>], _ settings: StepSettings
    ) throws(TensorError) -> Tensor<Scalar>
}
