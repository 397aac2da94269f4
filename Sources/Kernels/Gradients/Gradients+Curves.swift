internal import CKernels

extension Gradients {
    /// The curves of activations.
    public enum Curve: String, CaseIterable, Sendable {
        /// max(x, 0); its slope at 0 counts as 0.
        case relu
        /// x / (1 + e⁻ˣ).
        case silu
        /// x/2 (1 + erf(x / √2)).
        case gelu
        /// x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).
        ///
        /// - Source: Hendrycks and Gimpel, "Gaussian error linear units", 2016, section 2.
        case geluTanh
        case tanh

        var number: Int32 {
            switch self {
            case .relu: Int32(ORRERY_CURVE_RELU)
            case .silu: Int32(ORRERY_CURVE_SILU)
            case .gelu: Int32(ORRERY_CURVE_GELU)
            case .geluTanh: Int32(ORRERY_CURVE_GELU_TANH)
            case .tanh: Int32(ORRERY_CURVE_TANH)
            }
        }
    }

    /// y = f(x), times `factor` where there is one. f is within 2e-7 max(1, |x|) of its formula.
    public static func activate(
        _ curve: Curve, _ x: UnsafePointer<Float>, times factor: UnsafePointer<Float>? = nil,
        into y: UnsafeMutablePointer<Float>, count: Int, pool: ThreadPool = .shared
    ) { activate(curve, x, times: factor, into: y, count: count, pool: pool, path: .best) }

    /// dx = dy f'(x), times `factor` where there is one; dfactor = dy f(x). What is nil is not computed.
    public static func activateBackward(
        _ curve: Curve, _ dy: UnsafePointer<Float>, x: UnsafePointer<Float>, factor: UnsafePointer<Float>? = nil,
        dx: UnsafeMutablePointer<Float>?, dFactor: UnsafeMutablePointer<Float>? = nil, count: Int,
        pool: ThreadPool = .shared
    ) {
        activateBackward(
            curve, dy, x: x, factor: factor, dx: dx, dFactor: dFactor, count: count, pool: pool, path: .best)
    }

    package static func activate(
        _ curve: Curve, _ x: UnsafePointer<Float>, times factor: UnsafePointer<Float>? = nil,
        into y: UnsafeMutablePointer<Float>, count: Int, pool: ThreadPool = .single, path: GradientPath
    ) {
        let (kernel, number) = (path.kernels.curveForward, curve.number)
        inVectors(count, pool: pool) { first, count in
            kernel(number, x + first, factor.map { $0 + first }, y + first, count)
        }
    }

    package static func activateBackward(
        _ curve: Curve, _ dy: UnsafePointer<Float>, x: UnsafePointer<Float>, factor: UnsafePointer<Float>? = nil,
        dx: UnsafeMutablePointer<Float>?, dFactor: UnsafeMutablePointer<Float>? = nil, count: Int,
        pool: ThreadPool = .single, path: GradientPath
    ) {
        let (kernel, number) = (path.kernels.curveBackward, curve.number)
        inVectors(count, pool: pool) { first, count in
            kernel(
                number, dy + first, x + first, factor.map { $0 + first }, dx.map { $0 + first },
                dFactor.map { $0 + first }, count)
        }
    }

    /// Calls `body(first, count)` for chunks that begin at multiples of 64.
    static func inVectors(_ count: Int, pool: ThreadPool, _ body: (_ first: Int, _ count: Int) -> Void) {
        let chunk = 16384
        pool.run(chunks: (count + chunk - 1) / chunk) { index, _ in
            body(index * chunk, min(chunk, count - index * chunk))
        }
    }
}
