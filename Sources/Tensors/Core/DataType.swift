/// What the elements of a tensor are.
public enum DataType: String, CaseIterable, Hashable, Sendable {
    case float32, float64, float16, bfloat16, int8, int32, bool

    /// Bytes of one element.
    public var byteCount: Int {
        switch self {
        case .float64: 8
        case .float32, .int32: 4
        case .float16, .bfloat16: 2
        case .int8, .bool: 1
        }
    }

    /// Whether it has fractions, infinities and NaN.
    public var isFloatingPoint: Bool {
        switch self {
        case .float32, .float64, .float16, .bfloat16: true
        case .int8, .int32, .bool: false
        }
    }
}
