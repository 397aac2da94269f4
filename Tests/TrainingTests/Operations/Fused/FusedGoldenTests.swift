import Tensors
import Testing
import Training

/// What torch says: Goldens/fused/fused.py.
@Suite("Fused operations and torch")
struct FusedGoldenTests {
    typealias Function = ([Variable<Float>]) throws(TensorError) -> Variable<Float>

    /// Names of cases in the file, each with the operation and how many inputs it has.
    static func cases() throws -> [(name: String, inputs: Int, function: Function)] {
        let targets = try Tensor<Int32>([4, 0, -100, 16, 3, 3])
        let rows = try Tensor<Int32>([4, 0, 0, 16, 3, 3])
        return [
            ("linear", 3, { x throws(TensorError) in try linear(x[0], weight: x[1], bias: x[2]) }),
            ("layerNorm", 3, { x throws(TensorError) in try layerNorm(x[0], gain: x[1], bias: x[2]) }),
            ("rmsNorm", 2, { x throws(TensorError) in try rmsNorm(x[0], gain: x[1]) }),
            ("attention", 1, { x throws(TensorError) in try attention(qkv: x[0], heads: 4) }),
            (
                "attentionShared", 1,
                { x throws(TensorError) in try attention(qkv: x[0], heads: 4, kvHeads: 1, window: 5) }
            ),
            ("swiGLU", 2, { x throws(TensorError) in try gated(x[0], x[1], .silu) }),
            ("crossEntropy", 1, { x throws(TensorError) in try crossEntropy(x[0], targets, ignoring: -100) }),
            (
                "crossEntropySmoothed", 1,
                { x throws(TensorError) in try crossEntropy(x[0], targets, ignoring: -100, labelSmoothing: 0.1) }
            ),
            ("embedding", 1, { x throws(TensorError) in try embedding(x[0], rows) }),
        ]
            + Activation.allCases.map { activation in
                (activation.rawValue, 1, { x throws(TensorError) in try activated(x[0], activation) })
            }
    }

    @Test("outputs and gradients are torch's")
    func agree() throws {
        let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let file = try TensorFile.open("\(folder)/Goldens/fused/fused.safetensors")
        for (name, count, function) in try Self.cases() {
            var leaves: [Variable<Float>] = []
            for index in 0..<count { leaves.append(.leaf(try file.tensor(named: "\(name)/\(index)", as: Float.self))) }
            let y = try function(leaves)
            expectClose(y.value, try file.tensor(named: "\(name)/y", as: Float.self).converted(), name)
            let seed = try file.tensor(named: "\(name)/seed", as: Float.self)
            for (index, gradient) in try y.gradients(for: leaves, seed: seed).enumerated() {
                let expected: Tensor<Double> = try file.tensor(named: "\(name)/d\(index)", as: Float.self).converted()
                expectClose(gradient.value, expected, "\(name), gradient \(index)")
            }
        }
    }
}
