public import Tensors

/// Compares gradients with what central differences say: the check that every operation has to pass.
///
/// ```swift
/// let failure = try GradientCheck().failure(of: { inputs throws(TensorError) in
///     try tanh(inputs[0]) * inputs[1]
/// }, at: [x, y])
/// print(failure?.sentence ?? "agrees")
/// ```
/// Every entry of the Jacobian must hold |analytic - numeric| ≤ absolute + relative |numeric|. The constants are those
/// of torch's `gradcheck`, and float64 is needed for them. Keep inputs away from kinks by far more than `epsilon`.
public struct GradientCheck: Sendable {
    /// How far inputs are moved to either side.
    public var epsilon: Double
    public var absoluteTolerance: Double
    public var relativeTolerance: Double

    public typealias Function = ([Variable<Double>]) throws(TensorError) -> Variable<Double>

    public init(epsilon: Double = 1e-6, absoluteTolerance: Double = 1e-5, relativeTolerance: Double = 1e-3) {
        self.epsilon = epsilon
        self.absoluteTolerance = absoluteTolerance
        self.relativeTolerance = relativeTolerance
    }

    /// The worst entry of a Jacobian that does not agree.
    public struct Failure: Equatable, Sendable {
        /// Which of the inputs, from 0.
        public let input: Int
        /// The element of this input, and that of the output.
        public let entry: [Int]
        public let output: [Int]
        public let analytic: Double
        public let numeric: Double

        /// What disagrees, where and by how much.
        public var sentence: String {
            "The derivative of output \(output) with respect to element \(entry) of input \(input) is \(analytic), "
                + "but finite differences give \(numeric)."
        }
    }

    /// The worst entry of the Jacobian; `nil` if all agree.
    ///
    /// It calls the function twice for every element of the inputs, and takes a backward pass for each of the output.
    public func failure(of function: Function, at inputs: [Tensor<Double>]) throws(TensorError) -> Failure? {
        let leaves = inputs.map(Variable.leaf)
        let result = try function(leaves)
        // Rows of analytic derivatives: [output][input][element]
        var analytic: [[[Double]]] = []
        for place in 0..<result.count {
            var seed = try Tensor<Double>(repeating: 0, shape: result.shape)
            try seed.withMutableElements { $0[place] = 1 }
            analytic.append(try result.gradients(for: leaves, seed: seed).map { $0.value.elements })
        }
        var worst: (excess: Double, failure: Failure)?
        for input in inputs.indices {
            for element in 0..<inputs[input].count {
                let (low, high) = (
                    try moved(function, inputs, input, element, -epsilon),
                    try moved(function, inputs, input, element, epsilon)
                )
                for output in 0..<result.count {
                    let numeric = (high[output] - low[output]) / (2 * epsilon)
                    let found = analytic[output][input][element]
                    let excess = Swift.abs(found - numeric) - absoluteTolerance - relativeTolerance * Swift.abs(numeric)
                    // What is not a number is worse than any.
                    let badness = excess.isNaN ? .infinity : excess
                    guard badness > 0, badness > worst?.excess ?? 0 else { continue }
                    worst = (
                        badness,
                        Failure(
                            input: input, entry: place(element, inputs[input].shape),
                            output: place(output, result.shape), analytic: found, numeric: numeric)
                    )
                }
            }
        }
        return worst?.failure
    }

    /// The same for the gradient of the function: whether it can be differentiated again.
    ///
    /// The inputs of what is checked are those of the function and, after them, the seed of its gradient; its output is
    /// the gradients of all inputs, one after the other.
    public func secondFailure(of function: Function, at inputs: [Tensor<Double>]) throws(TensorError) -> Failure? {
        let shape = try function(inputs.map { Variable($0) }).shape
        let seed = try Tensor<Double>.uniform(shape, in: 0.5..<1.5, seed: 2)
        return try failure(
            of: { all throws(TensorError) in
                let leaves = Array(all.dropLast())
                let gradients = try function(leaves).gradients(for: leaves, seed: all[all.count - 1], recorded: true)
                var flat: [Variable<Double>] = []
                for gradient in gradients { try flat.append(gradient.flattened()) }
                return try concatenate(flat)
            }, at: inputs + [seed])
    }

    /// The function's output with one element moved.
    private func moved(
        _ function: Function, _ inputs: [Tensor<Double>], _ input: Int, _ element: Int, _ distance: Double
    ) throws(TensorError) -> [Double] {
        var inputs = inputs
        try inputs[input].withMutableElements { $0[element] += distance }
        return try function(inputs.map(Variable.leaf)).value.elements
    }

    /// The index of an element, the last axis running fastest.
    private func place(_ element: Int, _ shape: [Int]) -> [Int] {
        var rest = element
        var index: [Int] = []
        for size in shape.reversed() {
            index.insert(rest % max(1, size), at: 0)
            rest /= max(1, size)
        }
        return index
    }
}
