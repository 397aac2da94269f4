public import Tensors

/// A part of a model: parameters, and the operation that they belong to.
///
/// ```swift
/// let hidden = try Linear<Float>("hidden", inputs: 64, outputs: 128, random: &random)
/// let y = try hidden(x, pass)                     // [batch, 64] → [batch, 128]
/// ```
public protocol Layer<Scalar> {
    associatedtype Scalar: FloatingAccumulator
    /// In the order in which the data flow.
    var parameters: [Parameter<Scalar>] { get }
    /// The layer's output for `x`, recorded where parameters or `x` are.
    func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar>
}

extension Layer {
    /// How many numbers the layer has, those that are not trained among them.
    public var parameterCount: Int { parameters.reduce(0) { $0 + $1.count } }
}

/// One walk through a model: whether it is training, and where its random numbers come from.
///
/// Random masks depend on the seed, the step and the order of the layers alone, so that a run that is resumed, or a
/// layer that is computed again, draws the same ones.
public final class Pass {
    /// Dropout works, batch norms gather statistics.
    public let isTraining: Bool
    public let seed: UInt64
    public let step: Int
    /// Where the next layer's random numbers begin. Computing a layer again begins by setting it back.
    package var draws: UInt32 = 0
    /// A part is computed again for its gradient: statistics were gathered the first time.
    package var isRepeating = false

    public init(isTraining: Bool, seed: UInt64 = 0, step: Int = 0) {
        self.isTraining = isTraining
        self.seed = seed
        self.step = step
    }

    /// Dropout off, nothing gathered.
    public static var evaluation: Pass { Pass(isTraining: false) }
}
