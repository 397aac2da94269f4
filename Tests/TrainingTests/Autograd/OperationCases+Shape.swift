import Tensors
import Training

extension OperationCase {
    static let shapes: [OperationCase] = [
        OperationCase("reshaped", [2, 6]) { v throws(TensorError) in try v[0].reshaped([3, -1]) },
        OperationCase("flattened", [2, 3]) { v throws(TensorError) in try v[0].transposed().flattened() },
        OperationCase("flattened from axis 1", [2, 3, 2]) { v throws(TensorError) in try v[0].flattened(from: 1) },
        OperationCase("transposed", [2, 3, 2]) { v throws(TensorError) in try v[0].transposed(0, -1).transposed() },
        OperationCase("permuted", [2, 3, 4]) { v throws(TensorError) in try v[0].permuted([2, 0, -2]) },
        OperationCase("movingAxis", [2, 3, 4]) { v throws(TensorError) in try v[0].movingAxis(0, to: -1) },
        OperationCase("squeezed and expanded", [2, 1, 3]) { v throws(TensorError) in
            try v[0].squeezed(1).expanded(at: -1).squeezed()
        },
        OperationCase("flipped", [2, 3]) { v throws(TensorError) in try v[0].flipped(0, -1) },
        OperationCase("diagonal", [3, 3]) { v throws(TensorError) in try v[0].diagonal() },
        OperationCase("diagonal above, of axes 2 and 0", [2, 3, 4]) { v throws(TensorError) in
            try v[0].diagonal(1, axes: 2, 0)
        },
        OperationCase("diagonal below", [4, 2]) { v throws(TensorError) in try v[0].diagonal(-1) },
        OperationCase("a part", [3, 4]) { v throws(TensorError) in try v[0][1..., 1..<3] },
        OperationCase("an index and a new axis", [3, 4]) { v throws(TensorError) in try v[0][-1, .newAxis] },
        OperationCase("every second", [2, 5]) { v throws(TensorError) in try v[0][.all, .every(2)] },
        OperationCase("backward in steps of 2", [6]) { v throws(TensorError) in
            try v[0][.from(-2, to: 0, step: -2)]
        },
        OperationCase("backward", [5]) { v throws(TensorError) in try v[0][.every(-1)] },
        OperationCase("one axis in steps", [2, 7]) { v throws(TensorError) in
            try v[0].sliced(axis: -1, 1..<6, step: 3)
        },
        OperationCase("the same part twice", [4]) { v throws(TensorError) in try v[0][..<3] * v[0][1...] },
        OperationCase("concatenate", [2, 2], [2, 3]) { v throws(TensorError) in
            try concatenate([v[0], v[1], v[0]], axis: -1)
        },
        OperationCase("stack", [2, 3], [2, 3]) { v throws(TensorError) in try stack([v[0], v[1]], axis: -1) },
        OperationCase("split", [2, 5]) { v throws(TensorError) in
            let parts = try v[0].split([2, 3], axis: 1)
            return try parts[0].sum() * parts[1]
        },
        OperationCase("split into 2", [4, 2]) { v throws(TensorError) in
            let parts = try v[0].split(into: 2)
            return try parts[0] * parts[1]
        },
        OperationCase("padded", [2, 3]) { v throws(TensorError) in try v[0].padded([(1, 0), (2, 1)], with: 3) },
        OperationCase("repeated", [2, 3]) { v throws(TensorError) in try v[0].repeated(2, axis: -1) },
        OperationCase("tiled", [2, 3]) { v throws(TensorError) in try v[0].tiled([2, 3]) },
        OperationCase("rolled", [2, 5]) { v throws(TensorError) in try v[0].rolled(2, axis: 1) },
        OperationCase("gathered", [2, 4]) { v throws(TensorError) in
            try v[0].gathered(Tensor<Int32>([0, 0, -1, 2, 1, 1], shape: [2, 3]), along: 1)
        },
        OperationCase("gathered with stretched indices", [2, 4]) { v throws(TensorError) in
            try v[0].gathered(Tensor<Int32>([3, 0, 3], shape: [1, 3]), along: -1)
        },
        OperationCase("scatterAdding", [2, 4], [2, 3]) { v throws(TensorError) in
            try v[0].scatterAdding(v[1], at: Tensor<Int32>([0, 0, -1, 2, 1, 1], shape: [2, 3]), along: 1)
        },
        OperationCase("scatterAdding stretched values", [2, 4], [2, 1]) { v throws(TensorError) in
            try v[0].scatterAdding(v[1], at: Tensor<Int32>([0, 0, -1, 2, 1, 1], shape: [2, 3]), along: 1)
        },
        OperationCase("selecting rows", [4, 2]) { v throws(TensorError) in
            try v[0].selecting(Tensor<Int32>([0, 3, 3, -1, 1, 0], shape: [2, 3]))
        },
        OperationCase("selecting of axis 1", [2, 4, 2]) { v throws(TensorError) in
            try v[0].selecting(Tensor<Int32>([3, 0, 3]), axis: -2)
        },
        OperationCase("addingSlices", [4, 2], [3, 2]) { v throws(TensorError) in
            try v[0].addingSlices(v[1], at: Tensor<Int32>([3, 0, 3]))
        },
    ]

    static let losses: [OperationCase] = [
        OperationCase("meanSquaredError", [2, 3], [2, 3]) { v throws(TensorError) in try meanSquaredError(v[0], v[1]) },
        OperationCase("absoluteError", [2, 3], [2, 3]) { v throws(TensorError) in try absoluteError(v[0], v[1], .sum) },
        OperationCase("huber", [2, 3], [2, 3], range: -2..<2) { v throws(TensorError) in
            try huber(v[0], v[1], delta: 0.8, .none)
        },
        OperationCase("binaryCrossEntropy", [2, 3], [2, 3]) { v throws(TensorError) in
            try binaryCrossEntropy(logits: v[0], sigmoid(v[1]))
        },
        OperationCase("negativeLogLikelihood", [2, 2, 3]) { v throws(TensorError) in
            try negativeLogLikelihood(
                logSoftmax(v[0]), Tensor<Int32>([0, 2, -1, 1], shape: [2, 2]), ignoring: -1)
        },
        OperationCase("softCrossEntropy", [2, 3], [2, 3]) { v throws(TensorError) in
            try softCrossEntropy(v[0], softmax(v[1]))
        },
        OperationCase("klDivergence", [2, 3], [2, 3]) { v throws(TensorError) in
            try klDivergence(logProbabilities: logSoftmax(v[0]), targets: softmax(v[1]))
        },
        OperationCase("hinge", [4]) { v throws(TensorError) in
            try hinge(v[0], Variable(Tensor([1, -1, 1, -1])), margin: 0.3)
        },
        OperationCase("cosineSimilarity", [2, 3], [2, 3]) { v throws(TensorError) in try cosineSimilarity(v[0], v[1]) },
        OperationCase("cosineEmbedding", [2, 3], [2, 3]) { v throws(TensorError) in
            try cosineEmbedding(v[0], v[1], Tensor([1, -1]), margin: -1)
        },
    ]

    static let all = arithmetic + functions + choices + reductions + products + shapes + losses + fused
}
