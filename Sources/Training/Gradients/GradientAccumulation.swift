public import Tensors

/// Gradient accumulation: one large batch, computed in micro-batches whose gradients are averaged by weight.
///
/// ```swift
/// var batch = GradientAccumulation<Float>()
/// for part in parts {
///     let loss = try meanLoss(part)                       // mean over the part's tokens
///     try batch.backward(loss, weight: Double(part.tokens))
/// }
/// let loss = try batch.finish(parameters)                 // gradients of the mean over all tokens
/// ```
///
/// Gradients accumulate in the parameters, so the accumulation itself needs no memory for them.
public struct GradientAccumulation<Scalar: FloatingAccumulator> {
    private var weights = 0.0
    private var weightedLoss = 0.0

    /// Creates an accumulation without micro-batches.
    public init() {}

    /// Adds the gradient of a micro-batch's mean loss, multiplied by its weight.
    ///
    /// - Parameters:
    ///   - loss: Mean loss of the micro-batch, a scalar.
    ///   - weight: Number of examples or tokens in the mean.
    /// - Throws: `TensorError` if the loss has several elements or the weight is not above 0.
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

    /// Divides the gradients by the sum of the weights, and starts a new batch.
    ///
    /// - Returns: Mean loss of the batch; NaN if there were no micro-batches.
    public mutating func finish(_ parameters: [Parameter<Scalar>]) throws(TensorError) -> Double {
        defer { self = GradientAccumulation() }
        if weights > 0, weights != 1 { try scaleGradients(of: parameters, by: 1 / weights) }
        return weightedLoss / weights
    }
}
