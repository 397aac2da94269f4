public import System
public import Tensors

/// The difference of two means as a classifier: nothing is fitted, so nothing can be overfitted.
///
/// θ = μ₁ − μ₀, or Σ⁻¹(μ₁ − μ₀) with the covariance within the classes; a row x is of the class where
/// θ·x > θ·(μ₁ + μ₀)/2.
///
/// - Source: Marks and Tegmark, "The geometry of truth", 2023, section 5.1.
public struct MassMeanProbe: Equatable, Sendable {
    /// θ, `[d]`.
    public let direction: Tensor<Double>
    /// θ·(μ₁ + μ₀)/2.
    public let threshold: Double

    /// - Parameters:
    ///   - rows: `[n, d]`.
    ///   - labels: Label of each row; `true` for the class that the direction points to.
    ///   - ridge: Added to the diagonal of the covariance, which is singular if there are fewer rows than columns.
    public static func fit(
        _ rows: Tensor<Float>, labels: [Bool], usingCovariance: Bool = false, ridge: Double = 0
    ) throws(Problem) -> MassMeanProbe {
        guard rows.rank == 2, rows.shape[0] == labels.count else {
            throw Problem(.invalid, "probe", "rows of shape \(rows.shape) do not match \(labels.count) labels")
        }
        guard labels.contains(true), labels.contains(false) else {
            throw Problem(.invalid, "probe", "all rows have the same class", remedy: "Label some rows differently.")
        }
        let wide = try telling { try rows.converted(to: Double.self) }
        let groups = [true, false].map { wanted in labels.indices.filter { labels[$0] == wanted } }
        let parts = try telling { try groups.map { try wide.selecting($0) } }
        let means = try telling { try parts.map { try $0.mean(0) } }
        var direction = try telling { try means[0] - means[1] }
        if usingCovariance {
            let covariance = try telling {
                let centered = try zip(parts, means).map { try $0 - $1 }
                let sum =
                    try matmul(centered[0].transposed(), centered[0])
                    + matmul(centered[1].transposed(), centered[1])
                return try sum / Double(labels.count) + Tensor<Double>.eye(wide.shape[1]) * ridge
            }
            do {
                direction = try CholeskyDecomposition(covariance).solve(direction)
            } catch {
                throw Problem(
                    .invalid, "covariance", "singular for \(labels.count) rows of \(wide.shape[1]) numbers",
                    remedy: "Use more rows, or add a ridge to the diagonal.")
            }
        }
        let middle = try telling { try dot(direction, (means[0] + means[1]) * 0.5).scalar ?? 0 }
        return MassMeanProbe(direction: direction, threshold: middle)
    }

    /// θ·x − threshold of each row: above 0 for the class.
    public func decisions(_ rows: Tensor<Float>) throws(Problem) -> [Double] {
        try telling { try matmul(rows.converted(to: Double.self), direction).elements.map { $0 - threshold } }
    }

    public func predict(_ rows: Tensor<Float>) throws(Problem) -> [Bool] {
        try decisions(rows).map { $0 > 0 }
    }
}
