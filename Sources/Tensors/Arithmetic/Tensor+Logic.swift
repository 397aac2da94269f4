extension Tensor where Scalar == Bool {
    /// Whether both elements are true. Shapes stretch to fit.
    public static func .& (a: Tensor, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "and") { ArithmeticLoops.map($0, $1, $2, $3, $4, $5) { $0 && $1 } }
    }

    /// Whether one of the elements is true. Shapes stretch to fit.
    public static func .| (a: Tensor, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "or") { ArithmeticLoops.map($0, $1, $2, $3, $4, $5) { $0 || $1 } }
    }

    /// Whether exactly one of the elements is true. Shapes stretch to fit.
    public static func .^ (a: Tensor, b: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.pair(a, b, for: "exclusive or") { ArithmeticLoops.map($0, $1, $2, $3, $4, $5) { $0 != $1 } }
    }

    /// What is false.
    public static prefix func .! (a: Tensor) throws(TensorError) -> Tensor {
        try Elementwise.map(a, for: "not") { from, stride, to, count in
            for i in 0..<count { to[i] = !from[i * stride] }
        }
    }
}

/// The elements of `a` where the condition is true and those of `b` where it is not. Shapes stretch to fit.
public func select<Scalar>(
    _ condition: Tensor<Bool>, _ a: Tensor<Scalar>, _ b: Tensor<Scalar>
) throws(TensorError) -> Tensor<Scalar> {
    let values = try Shape.broadcast(a.shape, b.shape, "select")
    let shape = try Shape.broadcast(condition.shape, values, "select")
    let count = try Shape.count(shape, "select")
    let walk = Walk(
        shape, Shape.stretched(condition.strides, of: condition.shape, to: shape),
        Shape.stretched(a.strides, of: a.shape, to: shape), Shape.stretched(b.strides, of: b.shape, to: shape),
        Shape.strides(shape))
    defer { withExtendedLifetime((condition, a, b)) {} }
    return try Tensor(filling: shape, count: count, for: "select") { result in
        walk.forEachRow { place, count in
            SelectLoops.row(
                condition.base + place.a, walk.row.a, a.base + place.b, walk.row.b, b.base + place.c, walk.row.c,
                result + place.d, count)
        }
    }
}

/// The elements of `a` where the condition is true and `b` where it is not. Shapes stretch to fit.
public func select<Scalar>(
    _ condition: Tensor<Bool>, _ a: Tensor<Scalar>, _ b: Scalar
) throws(TensorError) -> Tensor<Scalar> {
    try select(condition, a, Tensor(b))
}

private enum SelectLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    @specialized(where S == Bool)
    static func row<S: TensorScalar>(
        _ condition: UnsafePointer<Bool>, _ conditionStride: Int, _ a: UnsafePointer<S>, _ aStride: Int,
        _ b: UnsafePointer<S>, _ bStride: Int, _ result: UnsafeMutablePointer<S>, _ count: Int
    ) {
        for i in 0..<count {
            result[i] = condition[i * conditionStride] ? a[i * aStride] : b[i * bStride]
        }
    }
}
