/// What follows a layer, as far as its first weights need to know.
public enum Nonlinearity: Hashable, Sendable {
    case linear
    case sigmoid
    case tanh
    case relu
    case leakyRelu(slope: Double)
    case selu

    /// What keeps the variance of numbers that pass through, as torch's `calculate_gain` has it.
    public var gain: Double {
        switch self {
        case .linear, .sigmoid: 1
        case .tanh: 5.0 / 3
        case .relu: 2.0.squareRoot()
        case .leakyRelu(let slope): (2 / (1 + slope * slope)).squareRoot()
        case .selu: 0.75
        }
    }
}
