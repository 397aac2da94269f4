internal import Kernels
internal import Tensors

/// Norms of tensors, summed in float64.
///
/// The order of summation depends only on shapes, so results do not depend on the number of threads.
enum GradientSums {
    /// Returns Σ x² of each tensor.
    static func squares<Scalar: FloatingAccumulator>(_ tensors: [Tensor<Scalar>]) throws(TensorError) -> [Double] {
        var dense: [Tensor<Scalar>] = []
        for tensor in tensors { dense.append(try tensor.contiguous()) }
        defer { withExtendedLifetime(dense) {} }
        guard Scalar.self == Float.self else {
            return dense.map { tensor in (0..<tensor.count).reduce(0) { $0 + square(tensor.base[$1].float64) } }
        }
        return WholeArrays.sumsOfSquares(dense.map { floats($0) })
    }

    /// Returns Σ (x - y)² of each pair of tensors with equal shapes.
    static func squaredDifferences<Scalar: FloatingAccumulator>(
        _ pairs: [(Tensor<Scalar>, Tensor<Scalar>)]
    ) throws(TensorError) -> [Double] {
        var dense: [(Tensor<Scalar>, Tensor<Scalar>)] = []
        for (x, y) in pairs { dense.append((try x.contiguous(), try y.contiguous())) }
        defer { withExtendedLifetime(dense) {} }
        guard Scalar.self == Float.self else {
            return dense.map { x, y in
                (0..<x.count).reduce(0) { $0 + square(x.base[$1].float64 - y.base[$1].float64) }
            }
        }
        return WholeArrays.sumsOfSquaredDifferences(dense.map { (floats($0), floats($1)) })
    }

    /// Returns √Σ x² over all tensors.
    static func norm<Scalar: FloatingAccumulator>(_ tensors: [Tensor<Scalar>]) throws(TensorError) -> Double {
        try squares(tensors).reduce(0, +).squareRoot()
    }

    private static func square(_ x: Double) -> Double { x * x }

    private static func floats<Scalar>(_ tensor: Tensor<Scalar>) -> UnsafeBufferPointer<Float> {
        let start = UnsafeRawPointer(tensor.base).assumingMemoryBound(to: Float.self)
        return UnsafeBufferPointer(start: start, count: tensor.count)
    }
}
