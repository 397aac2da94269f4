/// 1 / (1 + e^-x).
public func sigmoid<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.sigmoid) }

/// x above zero, else 0; NaN stays.
public func relu<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.relu) }

/// x sigmoid(x), also called swish (Elfwing et al. 2017).
public func silu<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.silu) }

/// The two spellings of the Gaussian error linear unit.
public enum GELU: Sendable {
    /// x Φ(x) with Φ by the error function.
    case exact
    /// x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))): what GPT-2 was trained with.
    case tanh
}

/// The Gaussian error linear unit (Hendrycks & Gimpel 2016).
public func gelu<S: FloatingScalar>(_ x: Tensor<S>, _ form: GELU = .exact) throws(TensorError) -> Tensor<S> {
    try x.applying(form == .exact ? Activation.gelu : .geluTanh)
}

/// log(1 + e^x), which does not overflow.
public func softplus<S: FloatingScalar>(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> { try x.applying(.softplus) }

/// Activations that take an exponential or more.
enum Activation: String {
    case sigmoid, silu, gelu, geluTanh, softplus
}

extension FunctionLoops {
    @specialized(where S == Float)
    @specialized(where S == Double)
    @specialized(where S == Float16)
    @specialized(where S == BFloat16)
    static func row<S: FloatingScalar>(
        _ function: Activation, _ a: UnsafePointer<S>, _ stride: Int, _ result: UnsafeMutablePointer<S>, _ count: Int
    ) {
        switch function {
        case .sigmoid: map(a, stride, result, count) { Elementary.sigmoid($0) }
        case .silu: map(a, stride, result, count) { $0 * Elementary.sigmoid($0) }
        // Closures of this size are not inlined: these loops call functions that always are.
        case .gelu where stride == 1:
            for i in 0..<count { result[i] = S(rounding: exactGELU(a[i].accumulator)) }
        case .gelu: map(a, stride, result, count) { exactGELU($0) }
        case .geluTanh where stride == 1:
            for i in 0..<count { result[i] = S(rounding: tanhGELU(a[i].accumulator)) }
        case .geluTanh: map(a, stride, result, count) { tanhGELU($0) }
        case .softplus:
            map(a, stride, result, count) { ($0 > 0 ? $0 : 0) + Elementary.log1p(Elementary.exp(-$0.magnitude)) }
        }
    }

    @inline(__always)
    private static func exactGELU<A: FloatingAccumulator>(_ x: A) -> A {
        x * 0.5 * (1 + Elementary.erf(x * 0.7071067811865476))
    }

    @inline(__always)
    private static func tanhGELU<A: FloatingAccumulator>(_ x: A) -> A {
        0.5 * x * (1 + Elementary.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))
    }
}

extension Tensor where Scalar: FloatingScalar {
    fileprivate func applying(_ function: Activation) throws(TensorError) -> Tensor {
        try Elementwise.map(self, for: function.rawValue, grain: 1 << 13) {
            FunctionLoops.row(function, $0, $1, $2, $3)
        }
    }
}
