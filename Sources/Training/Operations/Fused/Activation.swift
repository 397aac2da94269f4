internal import Kernels

/// A curve that a layer bends its numbers with.
public enum Activation: String, CaseIterable, Sendable {
    /// max(x, 0); its slope at 0 counts as 0.
    case relu
    /// x / (1 + e⁻ˣ), also called swish.
    case silu
    /// x/2 (1 + erf(x / √2)).
    case gelu
    /// x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))): what GPT-2 was trained with.
    case geluTanh
    case tanh

    var curve: Gradients.Curve {
        switch self {
        case .relu: .relu
        case .silu: .silu
        case .gelu: .gelu
        case .geluTanh: .geluTanh
        case .tanh: .tanh
        }
    }
}
