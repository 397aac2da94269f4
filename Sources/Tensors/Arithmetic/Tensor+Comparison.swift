/// The questions about two numbers.
enum Comparison: String {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
}

extension Tensor where Scalar: NumericScalar {
    /// Whether elements are equal, one by one; a NaN equals nothing. Shapes stretch to fit.
    public static func .== (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> { try a.compared(.equal, b) }
    public static func .!= (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> { try a.compared(.notEqual, b) }
    public static func .< (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> { try a.compared(.less, b) }
    public static func .<= (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> {
        try a.compared(.lessOrEqual, b)
    }
    public static func .> (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> { try a.compared(.greater, b) }
    public static func .>= (a: Tensor, b: Tensor) throws(TensorError) -> Tensor<Bool> {
        try a.compared(.greaterOrEqual, b)
    }

    public static func .== (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> { try a.compared(.equal, b) }
    public static func .!= (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> { try a.compared(.notEqual, b) }
    public static func .< (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> { try a.compared(.less, b) }
    public static func .<= (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> {
        try a.compared(.lessOrEqual, b)
    }
    public static func .> (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> { try a.compared(.greater, b) }
    public static func .>= (a: Tensor, b: Scalar) throws(TensorError) -> Tensor<Bool> {
        try a.compared(.greaterOrEqual, b)
    }

    /// Which elements are not a number.
    public func isNaN() throws(TensorError) -> Tensor<Bool> { try self .!= self }

    private func compared(_ question: Comparison, _ b: Tensor) throws(TensorError) -> Tensor<Bool> {
        try Elementwise.pair(self, b, for: question.rawValue) { ComparisonLoops.row(question, $0, $1, $2, $3, $4, $5) }
    }

    private func compared(_ question: Comparison, _ b: Scalar) throws(TensorError) -> Tensor<Bool> {
        try Elementwise.pair(self, b, for: question.rawValue) { ComparisonLoops.row(question, $0, $1, $2, $3, $4, $5) }
    }
}

enum ComparisonLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    static func row<S: NumericScalar>(
        _ question: Comparison, _ a: UnsafePointer<S>, _ aStride: Int, _ b: UnsafePointer<S>, _ bStride: Int,
        _ result: UnsafeMutablePointer<Bool>, _ count: Int
    ) {
        switch question {
        case .equal: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 == $1 }
        case .notEqual: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 != $1 }
        case .less: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 < $1 }
        case .lessOrEqual: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 <= $1 }
        case .greater: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 > $1 }
        case .greaterOrEqual: ArithmeticLoops.map(a, aStride, b, bStride, result, count) { $0 >= $1 }
        }
    }
}
