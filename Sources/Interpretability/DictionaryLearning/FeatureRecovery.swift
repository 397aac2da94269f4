internal import Kernels
public import System
public import Tensors

/// How much of known features a dictionary has found.
public struct FeatureRecovery: Hashable, Sendable {
    /// For each true feature the largest cosine with a row of the decoder.
    public let maxCosines: [Double]

    /// - Parameters:
    ///   - truth: `[features, d]`.
    ///   - decoder: `[F, d]`.
    public init(of truth: Tensor<Float>, in decoder: Tensor<Float>) throws(Problem) {
        guard truth.rank == 2, decoder.rank == 2, truth.shape[1] == decoder.shape[1], decoder.shape[0] > 0 else {
            throw Problem(
                .invalid, "features",
                "the widths of the features \(truth.shape) and the decoder \(decoder.shape) differ")
        }
        let cosines = try telling { try matmul(Self.unit(truth), Self.unit(decoder).transposed()).elements }
        let columns = decoder.shape[0]
        maxCosines = (0..<truth.shape[0]).map { row in
            Double(cosines[row * columns..<(row + 1) * columns].max() ?? 0)
        }
    }

    /// MMCS: the mean over true features.
    public var meanMaxCosine: Double { maxCosines.reduce(0, +) / Double(max(1, maxCosines.count)) }

    /// The share of true features with a cosine above a bound.
    public func recovered(above bound: Double = 0.95) -> Double {
        Double(maxCosines.count { $0 > bound }) / Double(max(1, maxCosines.count))
    }

    private static func unit(_ rows: Tensor<Float>) throws(TensorError) -> Tensor<Float> {
        let width = rows.shape[1]
        var unit = try rows.contiguous()
        try unit.withMutableElements { elements in
            for start in stride(from: 0, to: elements.count, by: max(1, width)) {
                var sum: Float = 0
                for i in start..<start + width { sum += elements[i] * elements[i] }
                guard sum > 0 else { continue }
                for i in start..<start + width { elements[i] /= sum.squareRoot() }
            }
        }
        return unit
    }
}
