import Tensors
import Testing
import Training

@Suite("Where a derivative is not defined, it is torch's")
struct TieTests {
    struct Tie: CustomTestStringConvertible, Sendable {
        let name: String
        let x: [Double]
        /// Of the sum of the operation's results, by torch 2.13.
        let gradient: [Double]
        let function: @Sendable (Variable<Double>) throws(TensorError) -> Variable<Double>
        var testDescription: String { name }
    }

    static let ties = [
        Tie(name: "maximum of all", x: [1, 3, 3, 3], gradient: [0, 1.0 / 3, 1.0 / 3, 1.0 / 3]) {
            x throws(TensorError) in try x.maximum()
        },
        Tie(name: "minimum over an axis", x: [2, 2, 5], gradient: [0.5, 0.5, 0]) { x throws(TensorError) in
            try x.minimum(0)
        },
        Tie(name: "maximum with a number", x: [0, 1, 2], gradient: [0, 0.5, 1]) { x throws(TensorError) in
            try .maximum(x, 1)
        },
        Tie(name: "minimum of itself", x: [0, 1], gradient: [1, 1]) { x throws(TensorError) in try .minimum(x, x) },
        Tie(name: "relu", x: [-1, 0, 1], gradient: [0, 0, 1]) { x throws(TensorError) in try relu(x) },
        Tie(name: "leakyRelu", x: [-1, 0, 1], gradient: [0.5, 0.5, 1]) { x throws(TensorError) in
            try leakyRelu(x, slope: 0.5)
        },
        Tie(name: "abs", x: [-1, 0, 1], gradient: [-1, 0, 1]) { x throws(TensorError) in try abs(x) },
        Tie(name: "clamped", x: [-2, -1, 0, 1, 2], gradient: [0, 0, 1, 0, 0]) { x throws(TensorError) in
            try x.clamped(-1, 1)
        },
        Tie(name: "topK", x: [3, 3, 3], gradient: [1, 1, 0]) { x throws(TensorError) in try x.topK(2).values },
        Tie(name: "standardDeviation without any", x: [2, 2], gradient: [0, 0]) { x throws(TensorError) in
            try x.standardDeviation()
        },
        Tie(name: "power 0 of 0", x: [0, 2], gradient: [0, 0]) { x throws(TensorError) in try x.power(0) },
        Tie(name: "0 to the power of x", x: [2, 0], gradient: [0, 0]) { x throws(TensorError) in
            try Variable(Tensor([0.0, 0])).power(x)
        },
        Tie(name: "product of zeros", x: [0, 0, 3], gradient: [0, 0, 0]) { x throws(TensorError) in try x.product() },
        Tie(name: "product with one zero", x: [0, 2, 3], gradient: [6, 0, 0]) { x throws(TensorError) in
            try x.product()
        },
    ]

    @Test("of", arguments: ties)
    func tie(_ tie: Tie) throws {
        let x = Variable.leaf(try Tensor(tie.x))
        let gradient = try tie.function(x).sum().gradients(for: [x])[0]
        #expect(gradient.value.elements == tie.gradient)
    }
}
