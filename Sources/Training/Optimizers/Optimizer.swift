public import Tensors

/// A rule by which gradients change parameters.
///
/// An optimizer owns what it remembers of each parameter (momentum, second moments), by the parameter's name: that is
/// what a checkpoint holds next to the weights.
public protocol Optimizer<Scalar> {
    associatedtype Scalar: FloatingAccumulator
    /// Steps made so far.
    var steps: Int { get }
    /// Changes every trainable parameter that has a gradient; gradients stay as they are.
    ///
    /// - Parameter rate: the learning rate of this step, as the schedule says.
    mutating func step(_ parameters: [Parameter<Scalar>], rate: Double) throws(TensorError)
    /// What it remembers, by parameter and kind: `blk.0.attn_q.weight/momentum`.
    var state: [(name: String, value: Tensor<Scalar>)] { get }
    /// Takes up what another of its kind remembered.
    ///
    /// - Throws: `TensorError` that names what is missing or does not fit.
    mutating func restore(_ state: [String: Tensor<Scalar>], steps: Int) throws(TensorError)
}
