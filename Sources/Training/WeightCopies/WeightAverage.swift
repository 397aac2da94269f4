internal import Kernels
public import Tensors

/// An exponential moving average of a model's weights: a' = decay · a + (1 - decay) w.
///
/// ```swift
/// var average = try WeightAverage<Float>(decay: 0.999)
/// try average.update(parameters)                     // after each step
/// average.swap(with: parameters)                     // the model has the averages
/// let loss = try evaluate(model)
/// average.swap(with: parameters)                     // the model has its weights again
/// ```
///
/// - Source: Polyak and Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
public struct WeightAverage<Scalar: FloatingAccumulator> {
    /// Weight of the previous average, 0 to below 1.
    public let decay: Double
    private var averages: [String: Tensor<Scalar>] = [:]
    /// Whether the model currently has the averages, and this value the weights.
    public private(set) var isSwapped = false

    /// Creates an average without weights; the first update copies them.
    ///
    /// - Throws: `TensorError` for a decay outside 0..<1.
    public init(decay: Double) throws(TensorError) {
        if let problem = Hyperparameter.Range.fraction.problem(with: decay, named: "decay") {
            throw TensorError("weight average", problem: problem)
        }
        self.decay = decay
    }

    /// Moves the averages toward the weights. The average of a new parameter starts at its weights.
    ///
    /// - Throws: `TensorError` if the weights are swapped, a shape has changed, or memory runs out.
    public mutating func update(_ parameters: [Parameter<Scalar>]) throws(TensorError) {
        guard !isSwapped else {
            throw TensorError(
                "weight average", problem: "cannot update while the model holds the averages. Swap back first")
        }
        var moves: [(y: UnsafeMutableBufferPointer<Scalar>, x: UnsafeBufferPointer<Scalar>)] = []
        var sources: [Tensor<Scalar>] = []
        var met: Set<String> = []
        for parameter in parameters where parameter.isTrainable && met.insert(parameter.name).inserted {
            let weights = try parameter.value.contiguous()
            guard let shape = averages[parameter.name]?.shape else {
                averages[parameter.name] = weights
                continue
            }
            guard shape == weights.shape else {
                throw TensorError(
                    "weight average", weights.shape, shape,
                    problem: "differ: the shape of \(parameter.name) has changed")
            }
            sources.append(weights)
            let target = try averages[parameter.name]!.withMutableElements { $0 }
            moves.append((target, UnsafeBufferPointer(start: weights.base, count: weights.count)))
        }
        defer { withExtendedLifetime(sources) {} }
        guard Scalar.self == Float.self else {
            for (y, x) in moves { for i in y.indices { y[i] += (x[i] - y[i]) * Scalar(1 - decay) } }
            return
        }
        let floats = moves.map { move in
            (
                y: UnsafeMutableRawBufferPointer(move.y).bindMemory(to: Float.self),
                x: UnsafeRawBufferPointer(move.x).bindMemory(to: Float.self)
            )
        }
        WholeArrays.move(floats, by: Float(1 - decay))
    }

    /// Exchanges averages and weights. A parameter without an average keeps its weights.
    public mutating func swap(with parameters: [Parameter<Scalar>]) {
        var met: Set<String> = []
        for parameter in parameters where met.insert(parameter.name).inserted {
            guard let average = averages[parameter.name], average.shape == parameter.shape else { continue }
            averages[parameter.name] = parameter.value
            parameter.value = average
        }
        isSwapped.toggle()
    }

    /// Averages for a checkpoint, sorted by name: `blk.0.attn_q.weight/average`.
    public var state: [(name: String, value: Tensor<Scalar>)] {
        averages.keys.sorted().map { (name: "\($0)/average", value: averages[$0]!) }
    }

    /// Restores averages from a checkpoint.
    ///
    /// - Throws: `TensorError` if an entry is not a stored average.
    public mutating func restore(_ state: [String: Tensor<Scalar>]) throws(TensorError) {
        let ending = "/average"
        if let other = state.keys.sorted().first(where: { !$0.hasSuffix(ending) }) {
            throw TensorError("weight average", problem: "has no average named \(other)")
        }
        averages = Dictionary(uniqueKeysWithValues: state.map { (String($0.key.dropLast(ending.count)), $0.value) })
        isSwapped = false
    }
}
