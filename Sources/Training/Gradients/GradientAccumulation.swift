public import Tensors

/// One large batch in parts: the gradients of its micro-batches, each with the weight it has in the whole.
///
/// ```swift
/// var batch = GradientAccumulation<Float>()
/// for part in parts {
///     let loss = try meanLoss(part)                       // over the part's tokens
///     try batch.backward(loss, weight: Double(part.tokens))
/// }
/// let loss = try batch.finish(parameters)                 // the gradients are now those of the mean over all tokens
/// ```
///
/// Gradients add up in the parameters as for any backward pass; nothing else is kept.
public struct GradientAccumulation<Scalar: FloatingAccumulator> {
    private var weights = 0.0
    private var weightedLoss = 0.0

    public init() {}

    /// Adds weight times the gradient of a mean loss.
    ///
    /// - Parameter weight: what the mean is over: examples or tokens.
    /// - Throws: `TensorError` for a loss of several elements or a weight that is not above 0.
    public mutating func backward(_ loss: Variable<Scalar>, weight: Double = 1) throws(TensorError) {
        guard let value = loss.scalar else {
            throw TensorError("accumulation", loss.shape, problem: "is not a scalar loss")
        }
        guard weight.isFinite, weight > 0 else {
            throw TensorError("accumulation", problem: "needs a weight above 0, not \(weight)")
        }
        try loss.backward(seed: Tensor(repeating: Scalar(weight), shape: loss.shape))
        weights += weight
        weightedLoss += weight * value.float64
    }

    /// Divides the gradients by the sum of the weights, and starts again.
    ///
    /// - Returns: the mean loss of the whole; NaN where there was no part.
    public mutating func finish(_ parameters: [Parameter<Scalar>]) throws(TensorError) -> Double {
        defer { self = GradientAccumulation() }
        if weights > 0, weights != 1 { try scaleGradients(of: parameters, by: 1 / weights) }
        return weightedLoss / weights
    }
}
