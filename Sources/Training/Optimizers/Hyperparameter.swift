/// Number that tunes an update rule, with its range, its default, and a few words of help.
///
/// In a configuration, `beta1` is the key `optimizer.beta1`.
public struct Hyperparameter: Sendable {
    public enum Range: Sendable {
        /// From 0 to below 1: the share that a moving mean keeps.
        case share
        /// 0 or more.
        case amount
        /// 0 for false, anything else for true.
        case flag

        /// Returns what is wrong with a value; `nil` if it is in range.
        func problem(with value: Double, named name: String) -> String? {
            switch self {
            case .share: value >= 0 && value < 1 ? nil : "needs \(name) from 0 to below 1, not \(value)"
            case .amount, .flag:
                value.isFinite && value >= 0 ? nil : "needs \(name) to be 0 or more, not \(value)"
            }
        }
    }

    public let name: String
    public let range: Range
    public let standard: Double
    public let help: String
    /// Hyperparameter without which this one has no effect: where that one is 0, configurations leave this one out.
    public let needs: String?

    public init(_ name: String, _ range: Range, _ standard: Double, _ help: String, needs: String? = nil) {
        self.name = name
        self.range = range
        self.standard = standard
        self.help = help
        self.needs = needs
    }

    /// `optimizer.beta1`.
    var key: String { "optimizer.\(name)" }
    /// The name as error messages have it: `weight decay`, `beta 1`.
    var words: String {
        name.map { $0 == "_" ? " " : $0.isNumber ? " \($0)" : "\($0)" }.joined()
    }

    static func weightDecay(_ standard: Double) -> Hyperparameter {
        Hyperparameter("weight_decay", .amount, standard, "weight decay per step, multiplied by the learning rate")
    }
}
