import Tensors
import Training

extension OperationCase {
    /// Operations whose way back is one kernel; a gradient that must be differentiated again takes a different path.
    static let fused: [OperationCase] =
        Activation.allCases.map { activation in
            OperationCase("activated by \(activation)", [2, 3]) { v throws(TensorError) in
                try activated(v[0], activation)
            }
        } + [
            OperationCase("linear", [2, 2, 3], [4, 3], [4]) { v throws(TensorError) in
                try linear(v[0], weight: v[1], bias: v[2])
            },
            OperationCase("layerNorm", [2, 4], [4], [4]) { v throws(TensorError) in
                try layerNorm(v[0], gain: v[1], bias: v[2])
            },
            OperationCase("rmsNorm", [2, 4], [4]) { v throws(TensorError) in
                try rmsNorm(v[0], gain: v[1])
            },
            OperationCase("attention with shared keys", [1, 3, 4, 2], [1, 3, 2, 2], [1, 3, 2, 2]) {
                v throws(TensorError) in try attention(v[0], v[1], v[2])
            },
            OperationCase("attention over all, packed", [2, 3, 12]) { v throws(TensorError) in
                try attention(qkv: v[0], heads: 2, isCausal: false)
            },
            OperationCase("rotated", [1, 2, 2, 4]) { v throws(TensorError) in
                let angles = try Tensor<Double>([0, 0, 1, 0.1], shape: [2, 2])
                return try rotated(v[0], cosines: cos(angles), sines: sin(angles))
            },
            OperationCase("gated", [2, 3], [2, 3]) { v throws(TensorError) in try gated(v[0], v[1]) },
            OperationCase("crossEntropy", [4, 3]) { v throws(TensorError) in
                try crossEntropy(v[0], Tensor<Int32>([2, -1, 0, 1]), ignoring: -1, labelSmoothing: 0.1)
            },
            OperationCase("embedding", [4, 2]) { v throws(TensorError) in
                try embedding(v[0], Tensor<Int32>([3, 0, 3]))
            },
            OperationCase("dropout", [20]) { v throws(TensorError) in
                try dropout(v[0], rate: 0.5, Pass(isTraining: true, seed: 4))
            },
            OperationCase("conv2d", [1, 2, 4, 4], [2, 1, 3, 2], [2]) { v throws(TensorError) in
                try conv2d(v[0], v[1], bias: v[2], Window(stride: 2, padding: 1), groups: 2)
            },
            OperationCase("conv1d", [2, 2, 5], [3, 2, 3], [3]) { v throws(TensorError) in
                try conv1d(v[0], v[1], bias: v[2], Window(padding: 1, dilation: 2))
            },
            OperationCase("maxPool2d", [1, 2, 4, 4]) { v throws(TensorError) in
                try maxPool2d(v[0], (2, 2))
            },
            OperationCase("reluMaxPool2d", [1, 2, 4, 4]) { v throws(TensorError) in
                try reluMaxPool2d(v[0], (2, 2))
            },
            OperationCase("averagePool2d", [1, 1, 5, 4]) { v throws(TensorError) in
                try averagePool2d(v[0], (2, 3), Window(padding: 1))
            },
        ]
}
