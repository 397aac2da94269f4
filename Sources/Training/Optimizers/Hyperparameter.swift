/// A number that tunes an update rule, with its range, default, and help.
///
/// The hyperparameter `beta1` is the configuration key `optimizer.beta1`.
public struct Hyperparameter: Sendable {
    /// The valid values of a hyperparameter.
    public enum Range: Sendable {
        /// Numbers from 0 to below 1, such as the decay of a moving average.
        case fraction
        /// Finite numbers of at least 0.
        case nonNegative
        /// 0 for false, and any other finite number above 0 for true.
        case flag

        /// Returns the error message for a value; `nil` if the value is in range.
        func problem(with value: Double, named name: String) -> String? {
            switch self {
            case .fraction: value >= 0 && value < 1 ? nil : "needs \(name) from 0 to below 1, not \(value)"
            case .nonNegative, .flag:
                value.isFinite && value >= 0 ? nil : "needs \(name) to be 0 or more, not \(value)"
            }
        }
    }

    /// Name in configurations, such as `weight_decay`.
    public let name: String
    /// Valid values.
    public let range: Range
    /// Value used by ``Optimizer`` if none is given. Configurations override the defaults that several rules share.
    public let defaultValue: Double
    /// Noun phrase for the help.
    public let help: String
    /// Name of a hyperparameter that must be nonzero for this one to have an effect; `nil` if there is none.
    ///
    /// A configuration that sets the other hyperparameter to 0 does not pass this one to the rule.
    public let dependsOn: String?

    /// Creates a hyperparameter.
    public init(
        _ name: String, _ range: Range, _ defaultValue: Double, _ help: String, dependsOn: String? = nil
    ) {
        self.name = name
        self.range = range
        self.defaultValue = defaultValue
        self.help = help
        self.dependsOn = dependsOn
    }

    /// Configuration key, such as `optimizer.beta1`.
    var key: String { "optimizer.\(name)" }
    /// Name in error messages, such as `weight decay` or `beta 1`.
    var displayName: String {
        name.map { $0 == "_" ? " " : $0.isNumber ? " \($0)" : "\($0)" }.joined()
    }

    /// Returns the weight decay, which every rule has.
    static func weightDecay(default defaultValue: Double) -> Hyperparameter {
        Hyperparameter(
            "weight_decay", .nonNegative, defaultValue, "weight decay per step, multiplied by the learning rate")
    }
}
