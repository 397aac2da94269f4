internal import Glibc
public import Models
public import System
public import Tensors

/// A direction of the residual stream for steering, with its unit and origin.
///
/// ```swift
/// let toward = try SteeringVector.contrast(model, wanted: happy, unwanted: sad, hook: .residualPost(layer: 3))
/// let changes = toward.adding(1.5, at: .from(prompt.count))       // [Intervention<Float>]
/// ```
public struct SteeringVector: Equatable, Sendable {
    /// What a multiple of 1 is.
    public enum Unit: Hashable, Sendable {
        /// The vector as it is: c·v.
        case plain
        /// So long as rows of this hook are on average: c·‖h‖·v̂.
        case residualNorm(Float)
        /// As strong as a feature ever was: c·max·v, v a decoder row.
        case featureMaximum(Float)
    }

    public var hook: Hook
    /// `[1, D]`, added at every chosen position, or `[P, D]`, one row each for P positions that follow one another.
    public let rows: Tensor<Float>
    public var unit: Unit
    /// The name of the model that it was made with.
    public var model: String
    /// How it was made, in words.
    public var method: String

    /// - Parameter rows: `[D]`, `[1, D]` or `[P, D]`.
    /// - Throws: An error if it has an unsupported shape, length 0, or numbers that are not finite.
    public init(
        _ rows: Tensor<Float>, hook: Hook, unit: Unit = .plain, model: String = "", method: String = ""
    ) throws(Problem) {
        let matrix = rows.rank == 1 ? try telling { try rows.expanded(at: 0).contiguous() } : rows
        guard matrix.rank == 2, matrix.count > 0 else {
            throw Problem(
                .unsupported, "steering vector", "unsupported shape \(rows.shape)", remedy: "Use [D] or [positions, D]."
            )
        }
        guard Self.rowNorm(matrix) > 0, Self.rowNorm(matrix).isFinite else {
            throw Problem(
                .invalid, "steering vector", "length \(Self.rowNorm(matrix)) is out of range",
                remedy: "Use activations that differ.")
        }
        self.rows = matrix
        self.hook = hook
        self.unit = unit
        self.model = model
        self.method = method
    }

    /// D.
    public var width: Int { rows.shape[1] }
    /// Number of rows, for consecutive positions; 1 if one row applies to all positions.
    public var positionCount: Int { rows.shape[0] }
    /// The mean length of its rows.
    public var norm: Float { Self.rowNorm(rows) }

    /// c of h += c·v for this multiple of the unit.
    public func coefficient(_ multiple: Float) -> Float {
        switch unit {
        case .plain: multiple
        case .residualNorm(let mean): multiple * mean / norm
        case .featureMaximum(let maximum): multiple * maximum
        }
    }

    /// The one direction, `[D]`: the row, or the mean of several.
    public func direction() throws(Problem) -> Tensor<Float> {
        try telling { try positionCount == 1 ? rows[0] : rows.mean(0) }
    }

    private static func rowNorm(_ rows: Tensor<Float>) -> Float {
        let (elements, width) = (rows.elements, rows.shape[1])
        let norms = (0..<rows.shape[0]).map { row in
            elements[row * width..<(row + 1) * width].reduce(Float(0)) { $0 + $1 * $1 }.squareRoot()
        }
        return norms.reduce(0, +) / Float(norms.count)
    }
}
