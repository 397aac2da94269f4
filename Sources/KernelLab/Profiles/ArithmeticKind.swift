/// What kind of arithmetic an operation is, as processors distinguish it.
public enum ArithmeticKind: String, CaseIterable, Hashable, Sendable {
    case f64
    case f32
    case f16
    case bf16
    /// Floating point of a precision that the tool does not tell.
    case float
    /// Integer instructions of ordinary lanes: mostly addresses and indices, so they do not count as work.
    case integer
    case tensorF64 = "tensor f64"
    case tensorTF32 = "tensor tf32"
    case tensorF16 = "tensor f16"
    case tensorBF16 = "tensor bf16"
    case tensorF8 = "tensor f8"
    case tensorF6 = "tensor f6"
    case tensorF4 = "tensor f4"
    case tensorInt8 = "tensor int8"
    case tensorInt4 = "tensor int4"
    case tensorInt1 = "tensor int1"
    /// Matrix operations of a type that the tool does not tell.
    case tensor

    /// `tensor bf16`.
    public var title: String { rawValue }

    /// Whether matrix units do it.
    public var isTensor: Bool { rawValue.hasPrefix("tensor") }

    /// Whether it counts toward the height of a kernel on the roof.
    public var isWork: Bool { self != .integer }

    /// Words of the roofs that limit this arithmetic, the best first.
    var roofWords: [String] {
        switch self {
        case .f64: ["f64", "fp64"]
        case .f32: ["f32", "fp32"]
        case .f16: ["f16", "fp16"]
        case .bf16: ["bf16"]
        case .float: ["f32", "fp32"]
        case .integer: ["int32"]
        case .tensorF64: ["tensor-f64", "tensor-fp64"]
        case .tensorTF32: ["tf32"]
        case .tensorF16: ["fp16", "f16", "bf16"]
        case .tensorBF16: ["bf16", "fp16"]
        case .tensorF8: ["fp8", "f8"]
        case .tensorF6: ["fp6", "fp8", "f8"]
        case .tensorF4: ["fp4", "f4"]
        case .tensorInt8: ["int8"]
        case .tensorInt4: ["int4"]
        case .tensorInt1: ["int1"]
        case .tensor: ["bf16", "fp16", "f16"]
        }
    }
}
