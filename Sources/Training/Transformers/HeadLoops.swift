internal import Kernels
internal import Tensors

/// Loops over the heads of one row, compiled for the types that are trained in.
enum HeadLoops {
    /// x = x / √(mean(x²) + ε) · gain, for every head.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func norm<Scalar: FloatingAccumulator>(
        _ x: UnsafeMutablePointer<Scalar>, heads: Int, width: Int, gain: UnsafePointer<Scalar>, _ epsilon: Scalar
    ) {
        for head in 0..<heads {
            let x = x + head * width
            let scale = inverseRoot(x, width, epsilon)
            for i in 0..<width { x[i] = x[i] * scale * gain[i] }
        }
    }

    /// The gradient g of a head's norm becomes that of its input, in place; the gain's is added to.
    ///
    /// With r = 1/√(mean(x²) + ε), n = x r and h = g · gain: dx = r (h - n · mean(h n)), dgain += g n.
    ///
    /// - Source: Zhang and Sennrich, "Root mean square layer normalization", 2019, section 3.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    static func normBackward<Scalar: FloatingAccumulator>(
        _ g: UnsafeMutablePointer<Scalar>, input: UnsafePointer<Scalar>, heads: Int, width: Int,
        gain: UnsafePointer<Scalar>, gainGradient: UnsafeMutablePointer<Scalar>, _ epsilon: Scalar
    ) {
        for head in 0..<heads {
            let (g, x) = (g + head * width, input + head * width)
            let scale = inverseRoot(x, width, epsilon)
            var mean: Scalar = 0
            for i in 0..<width {
                gainGradient[i] += g[i] * x[i] * scale
                mean += g[i] * gain[i] * x[i] * scale
            }
            mean /= Scalar(width)
            for i in 0..<width { g[i] = scale * (g[i] * gain[i] - x[i] * scale * mean) }
        }
    }

    @inline(__always)
    private static func inverseRoot<Scalar: FloatingAccumulator>(
        _ x: UnsafePointer<Scalar>, _ width: Int, _ epsilon: Scalar
    ) -> Scalar {
        var square: Scalar = 0
        for i in 0..<width { square += x[i] * x[i] }
        return 1 / (square / Scalar(width) + epsilon).squareRoot()
    }

    /// Pairs of the first numbers of each head turn by the angles of one position.
    static func rotate<Scalar: FloatingAccumulator>(
        _ x: UnsafeMutablePointer<Scalar>, heads: Int, width: Int, pairs: Int, isAdjacent: Bool,
        cosines: UnsafePointer<Scalar>, sines: UnsafePointer<Scalar>
    ) {
        guard Scalar.dataType == .float32 else {
            return rotatePlainly(
                x, heads: heads, width: width, pairs: pairs, isAdjacent: isAdjacent, cosines: cosines, sines: sines)
        }
        Elementwise.rotate(
            UnsafeMutableRawPointer(x).assumingMemoryBound(to: Float.self), heads: heads, headWidth: width,
            pairs: pairs, isAdjacent: isAdjacent,
            cosines: UnsafeRawPointer(cosines).assumingMemoryBound(to: Float.self),
            sines: UnsafeRawPointer(sines).assumingMemoryBound(to: Float.self))
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    private static func rotatePlainly<Scalar: FloatingAccumulator>(
        _ x: UnsafeMutablePointer<Scalar>, heads: Int, width: Int, pairs: Int, isAdjacent: Bool,
        cosines: UnsafePointer<Scalar>, sines: UnsafePointer<Scalar>
    ) {
        for head in 0..<heads {
            let x = x + head * width
            for pair in 0..<pairs {
                let (first, second) = isAdjacent ? (2 * pair, 2 * pair + 1) : (pair, pair + pairs)
                let (a, b) = (x[first], x[second])
                x[first] = a * cosines[pair] - b * sines[pair]
                x[second] = a * sines[pair] + b * cosines[pair]
            }
        }
    }
}
