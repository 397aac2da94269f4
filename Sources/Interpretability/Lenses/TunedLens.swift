public import System
public import Tensors

/// A correction of the residual stream for each point of its way, so that the final norm and W_U can read it:
/// h + h A + b.
///
/// A and b start at 0, which is the logit lens.
///
/// - Source: Belrose et al., "Eliciting latent predictions from transformers with the tuned lens", 2023.
public struct TunedLens<Scalar: FloatingAccumulator>: Sendable {
    /// The points that are corrected, in the order of the pass.
    public let points: [ResidualPart]
    /// A of each point, `[D, D]`, acting on rows.
    public internal(set) var matrices: [Tensor<Scalar>]
    /// b of each point, `[D]`.
    public internal(set) var biases: [Tensor<Scalar>]

    /// A lens that corrects nothing yet.
    ///
    /// - Parameter points: Points of the stream, usually before each block.
    public init(points: [ResidualPart], width: Int) throws(Problem) {
        self.points = points
        (matrices, biases) = try telling {
            let matrix = try Tensor<Scalar>.zeros(width, width)
            let bias = try Tensor<Scalar>.zeros(width)
            return (
                [Tensor](repeating: matrix, count: points.count), [Tensor](repeating: bias, count: points.count)
            )
        }
    }

    init(points: [ResidualPart], matrices: [Tensor<Scalar>], biases: [Tensor<Scalar>]) {
        self.points = points
        self.matrices = matrices
        self.biases = biases
    }

    /// D.
    public var width: Int { biases.first?.count ?? 0 }

    /// Rows `[N, D]` of a point, corrected; of points that this lens does not know, as they are.
    public func apply(_ rows: Tensor<Scalar>, at point: ResidualPart) throws(Problem) -> Tensor<Scalar> {
        guard let place = points.firstIndex(of: point) else { return rows }
        guard rows.shape.last == width else {
            throw Problem(
                .invalid, "tuned lens",
                "width \(width) does not match the residual stream of width \(rows.shape.last ?? 0)",
                remedy: "Train a lens on this model.")
        }
        return try telling { try rows + matmul(rows, matrices[place]) + biases[place] }
    }
}
