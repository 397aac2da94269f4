extension Tensor where Scalar: FloatingScalar {
    func applying(_ function: SimpleFunction) throws(TensorError) -> Tensor {
        try Elementwise.map(self, for: function.rawValue) { FunctionLoops.row(function, $0, $1, $2, $3) }
    }

    func applying(_ function: ElementaryFunction) throws(TensorError) -> Tensor {
        try Elementwise.map(self, for: function.rawValue, grain: 1 << 13) {
            FunctionLoops.row(function, $0, $1, $2, $3)
        }
    }

    /// The elements with their signs changed.
    public static prefix func - (a: Tensor) throws(TensorError) -> Tensor { try a.applying(.negate) }
}

extension Tensor where Scalar: NumericScalar, Scalar.Accumulator == Int64 {
    /// The elements with their signs changed; the smallest integer stays as it is.
    public static prefix func - (a: Tensor) throws(TensorError) -> Tensor { try Scalar(rounding: Int64(0)) - a }
}

/// The absolute values.
public func abs<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.absolute) }

/// The absolute values; that of the smallest integer is itself.
public func abs<S: NumericScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> where S.Accumulator == Int64 {
    try Tensor.maximum(x, -x)
}

/// -1, 0 or 1 by the sign of each element; NaN stays.
public func sign<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.sign) }

/// e to the power of each element.
public func exp<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.exp) }

/// e to the power of each element, less 1, exact near zero.
public func expm1<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.expm1) }

/// The natural logarithms.
public func log<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.log) }

/// The natural logarithms of 1 + x, exact near zero.
public func log1p<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.log1p) }

/// The square roots; NaN below zero.
public func sqrt<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.sqrt) }

/// 1 / √x.
public func reciprocalSqrt<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> {
    try x.applying(.reciprocalSqrt)
}

/// 1 / x.
public func reciprocal<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> {
    try x.applying(.reciprocal)
}

/// The sines of angles in radians.
public func sin<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.sin) }

/// The cosines of angles in radians.
public func cos<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.cos) }

/// The hyperbolic tangents.
public func tanh<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.tanh) }

/// The error function: 2/√π times the integral of e^(-t²) from 0 to x.
public func erf<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.erf) }

/// The largest integers that are not above.
public func floor<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.floor) }

/// The smallest integers that are not below.
public func ceil<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.ceil) }

/// The nearest integers, ties to even.
public func round<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.round) }
