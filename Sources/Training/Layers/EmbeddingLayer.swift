public import Tensors

/// A vector for each of a number of things: rows of a table, found by their indices.
///
/// It is no `Layer`: what goes in are integers, which have no gradient.
public final class Embedding<Scalar: FloatingAccumulator> {
    public let weight: Parameter<Scalar>

    /// - Parameter initializer: torch's default is the normal distribution with deviation 1; language models take .02.
    public init(
        _ name: String, count: Int, width: Int, initializer: Initializer = .normal(), random: inout RandomStreams
    ) throws(TensorError) {
        try requirePositive("Embedding \(name)", ("rows", count), ("width", width))
        weight = Parameter("\(name).weight", try initializer.tensor([count, width], random: &random))
    }

    public var parameters: [Parameter<Scalar>] { [weight] }

    /// The rows of these indices: their shape, and the width behind it.
    public func callAsFunction(_ indices: Tensor<Int32>) throws(TensorError) -> Variable<Scalar> {
        try embedding(weight.variable, indices)
    }
}
