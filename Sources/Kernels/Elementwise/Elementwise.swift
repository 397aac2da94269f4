/// What happens to numbers one by one between the matrix products of a model, on the calling thread.
///
/// Input and output may be the same memory. An element's bits depend on that element alone.
///
/// ```swift
/// Elementwise.activate(.silu, gate, times: up, into: hidden, count: 2048)      // SwiGLU
/// ```
public enum Elementwise {
    /// The nonlinearities of feed-forward layers.
    public enum Curve: String, CaseIterable, Sendable {
        /// x / (1 + e⁻ˣ).
        case silu
        /// x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))).
        ///
        /// - Source: Hendrycks and Gimpel, "Gaussian error linear units", 2016, section 2.
        case geluTanh
        /// x/2 (1 + erf(x / √2)).
        case gelu
        /// max(x, 0).
        case relu
    }

    /// y = f(x), times `factor` where there is one: a gated feed-forward. f is within 1.3e-7 max(1, |x|).
    public static func activate(
        _ curve: Curve, _ x: UnsafePointer<Float>, times factor: UnsafePointer<Float>? = nil,
        into y: UnsafeMutablePointer<Float>, count: Int
    ) {
        activate(curve, x, times: factor, into: y, count: count, path: .best)
    }

    /// y += x.
    public static func add(_ x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int) {
        add(x, to: y, count: count, path: .best)
    }

    /// y += factor · x.
    public static func add(
        _ factor: Float, times x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int
    ) {
        add(factor, times: x, to: y, count: count, path: .best)
    }

    /// x *= factor.
    public static func scale(_ x: UnsafeMutablePointer<Float>, by factor: Float, count: Int) {
        scale(x, by: factor, count: count, path: .best)
    }

    /// x = cap · tanh(x / cap): scores and logits of Gemma 2 stay within the cap.
    public static func softcap(_ x: UnsafeMutablePointer<Float>, at cap: Float, count: Int) {
        softcap(x, at: cap, count: count, path: .best)
    }

    /// The first index of the largest number; NaN counts as smaller than any, and 0 is the answer for nothing else.
    public static func argmax(_ x: UnsafePointer<Float>, count: Int) -> Int { argmax(x, count: count, path: .best) }

    /// Turns the first 2 · `pairs` numbers of each head by the angles of one position.
    ///
    /// - Parameters:
    ///   - x: `[heads, headWidth]`.
    ///   - isAdjacent: pairs are (2i, 2i + 1); else (i, i + pairs).
    ///   - cosines: `[pairs]`, and so `sines`.
    /// - Source: Su et al., RoFormer, 2021, equation 34.
    public static func rotate(
        _ x: UnsafeMutablePointer<Float>, heads: Int, headWidth: Int, pairs: Int, isAdjacent: Bool,
        cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>
    ) {
        rotate(
            x, heads: heads, headWidth: headWidth, pairs: pairs, isAdjacent: isAdjacent, cosines: cosines,
            sines: sines, path: .best)
    }
}

extension Elementwise {
    package static func activate(
        _ curve: Curve, _ x: UnsafePointer<Float>, times factor: UnsafePointer<Float>? = nil,
        into y: UnsafeMutablePointer<Float>, count: Int, path: ElementwisePath
    ) {
        let kernels = path.kernels
        switch curve {
        case .silu: kernels.silu(x, factor, y, count)
        case .geluTanh: kernels.geluTanh(x, factor, y, count)
        case .gelu: kernels.gelu(x, factor, y, count)
        case .relu: kernels.relu(x, factor, y, count)
        }
    }

    package static func add(
        _ x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int, path: ElementwisePath
    ) { path.kernels.add(x, y, count) }

    package static func add(
        _ factor: Float, times x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int,
        path: ElementwisePath
    ) { path.kernels.addScaled(factor, x, y, count) }

    package static func scale(
        _ x: UnsafeMutablePointer<Float>, by factor: Float, count: Int, path: ElementwisePath
    ) { path.kernels.scale(factor, x, count) }

    package static func softcap(
        _ x: UnsafeMutablePointer<Float>, at cap: Float, count: Int, path: ElementwisePath
    ) { path.kernels.softcap(cap, x, count) }

    package static func argmax(_ x: UnsafePointer<Float>, count: Int, path: ElementwisePath) -> Int {
        path.kernels.argmax(x, count)
    }

    package static func rotate(
        _ x: UnsafeMutablePointer<Float>, heads: Int, headWidth: Int, pairs: Int, isAdjacent: Bool,
        cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, path: ElementwisePath
    ) {
        let rotation = isAdjacent ? path.kernels.rotateAdjacent : path.kernels.rotateHalves
        rotation(x, heads, headWidth, pairs, cosines, sines)
    }
}
