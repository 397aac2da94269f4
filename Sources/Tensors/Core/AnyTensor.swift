/// A tensor of a type that is known only when it runs: what a file holds.
public enum AnyTensor: Sendable, Equatable {
    case float32(Tensor<Float>)
    case float64(Tensor<Double>)
    case float16(Tensor<Float16>)
    case bfloat16(Tensor<BFloat16>)
    case int8(Tensor<Int8>)
    case int32(Tensor<Int32>)
    case bool(Tensor<Bool>)

    public init<Scalar>(_ tensor: Tensor<Scalar>) {
        switch tensor {
        case let tensor as Tensor<Float>: self = .float32(tensor)
        case let tensor as Tensor<Double>: self = .float64(tensor)
        case let tensor as Tensor<Float16>: self = .float16(tensor)
        case let tensor as Tensor<BFloat16>: self = .bfloat16(tensor)
        case let tensor as Tensor<Int8>: self = .int8(tensor)
        case let tensor as Tensor<Int32>: self = .int32(tensor)
        case let tensor as Tensor<Bool>: self = .bool(tensor)
        default: preconditionFailure("TensorScalar supports only the seven types of DataType.")
        }
    }

    public var dataType: DataType {
        switch self {
        case .float32: .float32
        case .float64: .float64
        case .float16: .float16
        case .bfloat16: .bfloat16
        case .int8: .int8
        case .int32: .int32
        case .bool: .bool
        }
    }

    public var shape: [Int] { body(Shapes()) }
    public var count: Int { shape.reduce(1, *) }

    /// The tensor, where its elements are of this type; else nil.
    public func `as`<Scalar>(_ type: Scalar.Type) -> Tensor<Scalar>? { body(Casting<Scalar>()) }

    /// The tensor with its elements converted to this type; itself where they are of it already.
    public func converted<Scalar>(to type: Scalar.Type) throws(TensorError) -> Tensor<Scalar> {
        switch self {
        case .float32(let tensor): try tensor.converted(to: type)
        case .float64(let tensor): try tensor.converted(to: type)
        case .float16(let tensor): try tensor.converted(to: type)
        case .bfloat16(let tensor): try tensor.converted(to: type)
        case .int8(let tensor): try tensor.converted(to: type)
        case .int32(let tensor): try tensor.converted(to: type)
        case .bool(let tensor): try tensor.converted(to: type)
        }
    }

    private func body<Visitor: TensorVisitor>(_ visitor: Visitor) -> Visitor.Result {
        switch self {
        case .float32(let tensor): visitor.visit(tensor)
        case .float64(let tensor): visitor.visit(tensor)
        case .float16(let tensor): visitor.visit(tensor)
        case .bfloat16(let tensor): visitor.visit(tensor)
        case .int8(let tensor): visitor.visit(tensor)
        case .int32(let tensor): visitor.visit(tensor)
        case .bool(let tensor): visitor.visit(tensor)
        }
    }
}

private protocol TensorVisitor {
    associatedtype Result
    func visit<Scalar>(_ tensor: Tensor<Scalar>) -> Result
}

private struct Shapes: TensorVisitor {
    func visit<Scalar>(_ tensor: Tensor<Scalar>) -> [Int] { tensor.shape }
}

private struct Casting<Wanted: TensorScalar>: TensorVisitor {
    func visit<Scalar>(_ tensor: Tensor<Scalar>) -> Tensor<Wanted>? { tensor as? Tensor<Wanted> }
}
