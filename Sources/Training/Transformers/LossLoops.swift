internal import Glibc
internal import Tensors

/// Loops over one row of logits, compiled for the types that are trained in.
enum LossLoops {
    /// share · -log softmax(z)[target]; z becomes the gradient where that is wanted.
    ///
    /// - Parameter softcap: c of c · tanh(z / c), which the logits still lack.
    static func row<Scalar: FloatingAccumulator>(
        _ z: UnsafeMutablePointer<Scalar>, count: Int, target: Int, share: Scalar, softcap: Scalar?,
        differentiates: Bool
    ) -> Double {
        guard share != 0, target >= 0 else {
            z.update(repeating: 0, count: count)
            return 0
        }
        if let softcap { RowLoops.cap(z, at: softcap, into: z, count: count) }
        let own = z[target]
        let largest = maximum(z, count: count)
        if let softcap, differentiates {
            return share.float64 * capped(z, count: count, target: target, share: share, largest: largest, cap: softcap)
        }
        let sum = exponentials(z, count: count, largest: largest)
        if differentiates {
            scale(z, count: count, by: share / sum)
            z[target] -= share
        }
        return share.float64 * (logarithm(sum.float64) + largest.float64 - own.float64)
    }

    private static func maximum<Scalar: FloatingAccumulator>(_ z: UnsafePointer<Scalar>, count: Int) -> Scalar {
        if Scalar.dataType == .float32 { return Scalar(Lanes.maximum(Lanes.floats(z), count: count)) }
        var largest = z[0]
        for i in 1..<max(count, 1) { largest = max(largest, z[i]) }
        return largest
    }

    /// e^(z - largest) in place, and their sum.
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    private static func exponentials<Scalar: FloatingAccumulator>(
        _ z: UnsafeMutablePointer<Scalar>, count: Int, largest: Scalar
    ) -> Scalar {
        for i in 0..<count { z[i] = Elementary.exp(z[i] - largest) }
        if Scalar.dataType == .float32 { return Scalar(Lanes.sum(Lanes.floats(z), count: count)) }
        var sum: Scalar = 0
        for i in 0..<count { sum += z[i] }
        return sum
    }

    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    private static func scale<Scalar: FloatingAccumulator>(
        _ z: UnsafeMutablePointer<Scalar>, count: Int, by factor: Scalar
    ) {
        for i in 0..<count { z[i] *= factor }
    }

    /// The gradient through the cap: times 1 - (z / c)².
    @specialized(where Scalar == Float)
    @specialized(where Scalar == Double)
    private static func capped<Scalar: FloatingAccumulator>(
        _ z: UnsafeMutablePointer<Scalar>, count: Int, target: Int, share: Scalar, largest: Scalar, cap: Scalar
    ) -> Double {
        let own = z[target]
        var sum: Scalar = 0
        for i in 0..<count { sum += Elementary.exp(z[i] - largest) }
        for i in 0..<count {
            let t = z[i] / cap
            let wanted: Scalar = i == target ? share : 0
            z[i] = (Elementary.exp(z[i] - largest) * share / sum - wanted) * (1 - t * t)
        }
        return logarithm(sum.float64) + largest.float64 - own.float64
    }

    private static func logarithm(_ x: Double) -> Double { log(x) }
}

/// Reductions of float32 in sixteen lanes, whose order depends on the count alone.
private enum Lanes {
    static func floats<Scalar>(_ z: UnsafePointer<Scalar>) -> UnsafePointer<Float> {
        UnsafeRawPointer(z).assumingMemoryBound(to: Float.self)
    }

    static func maximum(_ z: UnsafePointer<Float>, count: Int) -> Float {
        var (largest, i) = (z[0], 0)
        if count >= 16 {
            var lanes = SIMD16<Float>(repeating: z[0])
            while i + 16 <= count {
                let next = UnsafeRawPointer(z + i).loadUnaligned(as: SIMD16<Float>.self)
                lanes.replace(with: next, where: next .> lanes)
                i += 16
            }
            largest = lanes.max()
        }
        for i in i..<count { largest = max(largest, z[i]) }
        return largest
    }

    static func sum(_ z: UnsafePointer<Float>, count: Int) -> Float {
        var (lanes, i) = (SIMD16<Float>(repeating: 0), 0)
        while i + 16 <= count {
            lanes += UnsafeRawPointer(z + i).loadUnaligned(as: SIMD16<Float>.self)
            i += 16
        }
        var sum = lanes.sum()
        for i in i..<count { sum += z[i] }
        return sum
    }
}
