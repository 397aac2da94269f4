import Tensors
import Training

/// A fused operation as a function of its inputs, with shapes that they may have.
struct FusedCase<S: FloatingAccumulator> {
    let name: String
    let shapes: [[Int]]
    let function: ([Variable<S>]) throws(TensorError) -> Variable<S>

    init(_ name: String, _ shapes: [[Int]], _ function: @escaping ([Variable<S>]) throws(TensorError) -> Variable<S>) {
        self.name = name
        self.shapes = shapes
        self.function = function
    }

    /// Seeded inputs; in float64 those of float32, to the bit.
    func inputs() throws -> [Tensor<S>] {
        var inputs: [Tensor<S>] = []
        for (index, shape) in shapes.enumerated() {
            inputs.append(try Tensor<Float>.normal(shape, seed: UInt64(index + 1)).converted())
        }
        return inputs
    }
}

extension FusedCase {
    static func all() throws -> [FusedCase] {
        try linear + norms + curves + attention() + rotary() + losses() + others()
    }

    private static var linear: [FusedCase] {
        [
            FusedCase("linear", [[2, 3, 5], [4, 5], [4]]) { x throws(TensorError) in
                try Training.linear(x[0], weight: x[1], bias: x[2])
            },
            FusedCase("linear without bias", [[7, 5], [17, 5]]) { x throws(TensorError) in
                try Training.linear(x[0], weight: x[1])
            },
            FusedCase("linear of a transposed input", [[5, 7], [3, 5]]) { x throws(TensorError) in
                try Training.linear(x[0].transposed(), weight: x[1])
            },
            FusedCase("linear of a vector", [[5], [3, 5], [3]]) { x throws(TensorError) in
                try Training.linear(x[0], weight: x[1], bias: x[2])
            },
        ]
    }

    private static var norms: [FusedCase] {
        [
            FusedCase("layer norm", [[2, 3, 9], [9], [9]]) { x throws(TensorError) in
                try layerNorm(x[0], gain: x[1], bias: x[2])
            },
            FusedCase("layer norm without parameters", [[4, 6]]) { x throws(TensorError) in try layerNorm(x[0]) },
            FusedCase("layer norm with a bias alone", [[4, 6], [6]]) { x throws(TensorError) in
                try layerNorm(x[0], bias: x[1])
            },
            FusedCase("RMS norm", [[3, 17], [17]]) { x throws(TensorError) in try rmsNorm(x[0], gain: x[1]) },
            FusedCase("RMS norm without gain", [[3, 5]]) { x throws(TensorError) in try rmsNorm(x[0]) },
        ]
    }

    private static var curves: [FusedCase] {
        Activation.allCases.flatMap { activation in
            [
                FusedCase("\(activation)", [[3, 7]]) { x throws(TensorError) in try activated(x[0], activation) },
                FusedCase("gated by \(activation)", [[3, 6], [3, 6]]) { x throws(TensorError) in
                    try gated(x[0], x[1], activation)
                },
            ]
        }
    }

    private static func attention() -> [FusedCase] {
        [
            FusedCase("attention", [[2, 5, 2, 3], [2, 5, 2, 3], [2, 5, 2, 3]]) { x throws(TensorError) in
                try Training.attention(x[0], x[1], x[2])
            },
            FusedCase("attention to all, shared keys", [[1, 3, 4, 2], [1, 5, 2, 2], [1, 5, 2, 2]]) {
                x throws(TensorError) in try Training.attention(x[0], x[1], x[2], isCausal: false, scale: 0.4)
            },
            FusedCase("attention in a window", [[1, 7, 1, 2], [1, 7, 1, 2], [1, 7, 1, 2]]) { x throws(TensorError) in
                try Training.attention(x[0], x[1], x[2], window: 3)
            },
            FusedCase("attention of queries before the first key", [[1, 4, 1, 2], [1, 2, 1, 2], [1, 2, 1, 2]]) {
                x throws(TensorError) in try Training.attention(x[0], x[1], x[2])
            },
            FusedCase("attention of one projection", [[2, 4, 16]]) { x throws(TensorError) in
                try Training.attention(qkv: x[0], heads: 2, kvHeads: 1)
            },
        ]
    }

    private static func rotary() throws -> [FusedCase] {
        let cosines: Tensor<S> = try Tensor<Float>.uniform([3, 2], in: -1..<1, seed: 8).converted()
        let sines: Tensor<S> = try Tensor<Float>.uniform([3, 2], in: -1..<1, seed: 9).converted()
        return RotaryPairing.allCases.map { pairing in
            FusedCase("rotary, \(pairing)", [[2, 3, 2, 5]]) { x throws(TensorError) in
                try rotated(x[0], cosines: cosines, sines: sines, pairing: pairing)
            }
        }
    }

    private static func losses() throws -> [FusedCase] {
        let targets = try Tensor<Int32>([2, 0, 4, 2, 4, 1], shape: [2, 3])
        return [
            FusedCase("cross-entropy", [[2, 3, 5]]) { x throws(TensorError) in try crossEntropy(x[0], targets) },
            FusedCase("cross-entropy, smoothed, with rows left out", [[2, 3, 5]]) { x throws(TensorError) in
                try crossEntropy(x[0], targets, ignoring: 4, labelSmoothing: 0.2)
            },
            FusedCase("cross-entropy of a part of a batch", [[2, 3, 5]]) { x throws(TensorError) in
                try crossEntropy(x[0], targets, divisor: 100)
            },
        ]
    }

    private static func others() throws -> [FusedCase] {
        let indices = try Tensor<Int32>([1, 0, 1, 5, 5, 5], shape: [2, 3])
        return [
            FusedCase("embedding", [[6, 4]]) { x throws(TensorError) in try embedding(x[0], indices) },
            FusedCase("dropout", [[5, 20]]) { x throws(TensorError) in
                try dropout(x[0], rate: 0.4, Pass(isTraining: true, seed: 3, step: 7))
            },
        ]
    }
}
