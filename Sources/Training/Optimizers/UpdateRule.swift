public import Kernels
public import Tensors

/// The algorithm of an optimizer: its name, hyperparameters, state per parameter, and formula.
///
/// To add an optimizer, declare its rule in one file and list it in ``UpdateRules/standard``. Configurations, their
/// help, checkpoints, and memory estimates all read the rule:
///
/// ```swift
/// extension UpdateRule {
///     static let signSGD = UpdateRule(
///         "signsgd", title: "SignSGD", hyperparameters: [Hyperparameter("momentum", .fraction, 0.9, "momentum")],
///         slots: ["momentum"], step: .elements { SignRule(rate: $0.rate, momentum: $0["momentum"]) })
/// }
/// ```
public struct UpdateRule: Sendable {
    /// The formula of a rule.
    public enum Step: Sendable {
        /// A kernel that updates each element independently, with at most two slots.
        case elements(@Sendable (StepSettings) -> any StepRule)
        /// A formula over whole tensors, with any number of slots.
        case tensors(any TensorStep)
    }

    /// The parameters that a rule updates.
    public indirect enum Scope: Sendable {
        /// Every parameter.
        case all
        /// The parameters that pass the filter; `fallback` updates the others.
        ///
        /// In configurations, `peakRate` is the peak learning rate of this rule, and `optimizer.rate` that of the
        /// fallback.
        case only(ParameterFilter, peakRate: Hyperparameter, fallback: UpdateRule)
    }

    /// Unique name, the value of `optimizer.kind`, such as `adamw`.
    public let name: String
    /// Name in error messages, such as `AdamW`.
    public let title: String
    /// Description for the help of `optimizer.kind`; empty if the name is enough.
    public let help: String
    /// Hyperparameters of the rule. The last is the weight decay, which every rule has.
    public let hyperparameters: [Hyperparameter]
    /// Names of the state tensors of a parameter, such as `momentum`. Each has the parameter's shape.
    ///
    /// Checkpoints contain the names, so renaming a slot breaks existing checkpoints.
    public let slots: [String]
    /// Whether the state of a parameter includes its number of steps, as bias correction requires.
    public let countsSteps: Bool
    /// Parameters that the rule updates.
    public let scope: Scope
    /// Formula of the rule.
    public let step: Step
    /// Name of a hyperparameter that must be nonzero for the rule to need its slots; `nil` if it always needs them.
    let slotsDependOn: String?
    private let check: @Sendable (StepSettings) -> String?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - hyperparameters: Hyperparameters other than the weight decay.
    ///   - weightDecay: Default weight decay.
    ///   - check: Returns an error message for values that are in range but contradict each other.
    public init(
        _ name: String, title: String, help: String = "", hyperparameters: [Hyperparameter] = [],
        weightDecay: Double = 0, slots: [String] = [], slotsDependOn: String? = nil, countsSteps: Bool = false,
        scope: Scope = .all, step: Step, check: @escaping @Sendable (StepSettings) -> String? = { _ in nil }
    ) {
        self.name = name
        self.title = title
        self.help = help
        self.hyperparameters = hyperparameters + [.weightDecay(default: weightDecay)]
        self.slots = slots
        self.slotsDependOn = slotsDependOn
        self.countsSteps = countsSteps
        self.scope = scope
        self.step = step
        self.check = check
    }

    /// Returns a value for every hyperparameter: the given value or the default.
    ///
    /// - Throws: `TensorError` for an unknown hyperparameter or a value out of range.
    func completed(_ given: [String: Double]) throws(TensorError) -> [String: Double] {
        var values = given
        for hyperparameter in hyperparameters {
            let value = given[hyperparameter.name] ?? hyperparameter.defaultValue
            if let problem = hyperparameter.range.problem(with: value, named: hyperparameter.displayName) {
                throw TensorError(title, problem: problem)
            }
            values[hyperparameter.name] = value
        }
        let names = hyperparameters.map(\.name)
        if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
            throw TensorError(
                title, problem: "has no hyperparameter \(unknown). Available: \(names.joined(separator: ", "))")
        }
        if let problem = check(StepSettings(rate: 0, step: 0, values: values)) {
            throw TensorError(title, problem: problem)
        }
        return values
    }

    /// Hyperparameters that have a configuration key, including those of the fallback rule and the peak rate.
    var configurableHyperparameters: [Hyperparameter] {
        guard case .only(_, let peakRate, let fallback) = scope else { return hyperparameters }
        return hyperparameters + fallback.hyperparameters + [peakRate]
    }

    /// Returns the values of this rule's hyperparameters, without those that have no effect.
    func effectiveValues(in values: [String: Double]) -> [String: Double] {
        values.filter { name, _ in
            hyperparameters.contains { $0.name == name && ($0.dependsOn.map { values[$0] != 0 } ?? true) }
        }
    }

    /// Bytes of state per parameter element in float32, with the default hyperparameters and without step counts.
    public var bytesPerElement: Int {
        4 * slots(with: Dictionary(uniqueKeysWithValues: hyperparameters.map { ($0.name, $0.defaultValue) })).count
    }

    /// Returns the slots that the rule needs with these hyperparameters.
    func slots(with values: [String: Double]) -> [String] {
        slotsDependOn.map { values[$0] == 0 } == true ? [] : slots
    }
}

/// Rules with the same name are equal.
extension UpdateRule: Equatable {
    public static func == (one: UpdateRule, other: UpdateRule) -> Bool { one.name == other.name }
}

/// The learning rate and hyperparameters of one step of one parameter.
public struct StepSettings: Sendable {
    /// Learning rate of the parameter.
    public internal(set) var rate: Double
    /// Number of steps of the parameter, including this one; 1 for the first.
    public internal(set) var step: Int
    var values: [String: Double]

    /// Weight decay of the parameter; 0 if the parameter does not decay.
    public var weightDecay: Double { self["weight_decay"] }

    /// The value of a hyperparameter that the rule declares.
    ///
    /// - Precondition: The rule declares the hyperparameter.
    public subscript(name: String) -> Double {
        guard let value = values[name] else { preconditionFailure("undeclared hyperparameter \(name)") }
        return value
    }
}

/// A formula that updates a parameter as a whole, for rules that are not elementwise.
public protocol TensorStep: Sendable {
    /// Returns the updated parameter, and updates its slots.
    ///
    /// - Parameters:
    ///   - value: Parameter before the step.
    ///   - gradient: Gradient, in the shape of the parameter.
    ///   - slots: State tensors in the order of ``UpdateRule/slots``; zeros before the first step.
    ///   - settings: Learning rate and hyperparameters of the step.
    func updated<Scalar: FloatingAccumulator>(
        _ value: Tensor<Scalar>, gradient: Tensor<Scalar>, slots: inout [Tensor<Scalar>], _ settings: StepSettings
    ) throws(TensorError) -> Tensor<Scalar>
}
