internal import Tensors

/// Loops over one row of scores, compiled for the types that are trained in.
enum PlainAttentionLoops {
    /// Raw scores become weights: scaled, capped, exponentials over their sum; 0 outside `first..<last`.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func softmax<Scalar: FloatingAccumulator>(
        _ x: UnsafeMutablePointer<Scalar>, count: Int, first: Int, last: Int, scale: Scalar, softcap: Scalar?
    ) {
        var largest = -Scalar.infinity
        for i in first..<last {
            x[i] *= scale
            if let softcap { x[i] = softcap * Elementary.tanh(x[i] / softcap) }
            largest = max(largest, x[i])
        }
        var sum: Scalar = 0
        for i in first..<last {
            x[i] = Elementary.exp(x[i] - largest)
            sum += x[i]
        }
        for i in 0..<first { x[i] = 0 }
        for i in first..<last { x[i] /= sum }
        for i in last..<max(count, last) { x[i] = 0 }
    }

    /// g = s · p (g - Σ g p).
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func softmaxBackward<Scalar: FloatingAccumulator>(
        _ g: UnsafeMutablePointer<Scalar>, weights p: UnsafePointer<Scalar>, count: Int, scale: Scalar
    ) {
        var sum: Scalar = 0
        for i in 0..<count { sum += g[i] * p[i] }
        for i in 0..<count { g[i] = scale * p[i] * (g[i] - sum) }
    }

    /// g *= 1 - tanh²(s x / c).
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func capBackward<Scalar: FloatingAccumulator>(
        _ g: UnsafeMutablePointer<Scalar>, scores x: UnsafePointer<Scalar>, count: Int, scale: Scalar, softcap: Scalar
    ) {
        for i in 0..<count where g[i] != 0 {
            let t = Elementary.tanh(scale * x[i] / softcap)
            g[i] *= 1 - t * t
        }
    }
}
