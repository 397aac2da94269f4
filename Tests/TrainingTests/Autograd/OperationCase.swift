import Tensors
import Testing
import Training

/// One operation with inputs at which it can be differentiated.
struct OperationCase: CustomTestStringConvertible, Sendable {
    let name: String
    /// The inputs' shapes and the range that they are drawn from.
    let inputs: [Input]
    let function: @Sendable ([Variable<Double>]) throws(TensorError) -> Variable<Double>

    struct Input: Sendable {
        var shape: [Int]
        var range: Range<Double> = -1..<1
        /// Drawn numbers are moved this far away from zero, where many functions have a kink.
        var gap = 0.1
    }

    init(
        _ name: String, _ shapes: [Int]..., range: Range<Double> = -1..<1, gap: Double = 0.1,
        _ function: @escaping @Sendable ([Variable<Double>]) throws(TensorError) -> Variable<Double>
    ) {
        self.name = name
        inputs = shapes.map { Input(shape: $0, range: range, gap: gap) }
        self.function = function
    }

    var testDescription: String { name }

    func tensors() throws(TensorError) -> [Tensor<Double>] {
        var result: [Tensor<Double>] = []
        for (place, input) in inputs.enumerated() {
            let drawn = try Tensor<Double>.uniform(input.shape, in: input.range, seed: UInt64(41 + place))
            result.append(try drawn + sign(drawn) * input.gap)
        }
        return result
    }
}
