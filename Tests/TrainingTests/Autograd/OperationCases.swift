import Tensors
import Training

extension OperationCase {
    static let arithmetic: [OperationCase] = [
        OperationCase("a + b, stretched", [2, 3], [3]) { v throws(TensorError) in try v[0] + v[1] },
        OperationCase("x + 2", [3]) { v throws(TensorError) in try 2 + (v[0] + 2) },
        OperationCase("a - b, stretched", [2, 1], [2, 3]) { v throws(TensorError) in try v[0] - v[1] },
        OperationCase("x - 2 and 2 - x", [3]) { v throws(TensorError) in try 2 - (v[0] - 2) },
        OperationCase("-x", [3]) { v throws(TensorError) in try -v[0] },
        OperationCase("a * b, stretched", [2, 3], [2, 1]) { v throws(TensorError) in try v[0] * v[1] },
        OperationCase("x * x", [3]) { v throws(TensorError) in try v[0] * v[0] },
        OperationCase("x * constant", [3]) { v throws(TensorError) in
            try v[0] * Variable(Tensor([1, 2, 3])) + Variable(Tensor([3, 2, 1])) * v[0]
        },
        OperationCase("x * 3", [3]) { v throws(TensorError) in try 3 * (v[0] * 0.5) },
        OperationCase("a / b, stretched", [2, 3], [3], gap: 0.5) { v throws(TensorError) in try v[0] / v[1] },
        OperationCase("x / 3 and 3 / x", [3], gap: 0.5) { v throws(TensorError) in try 3 / (v[0] / 3) },
        OperationCase("power 3", [3]) { v throws(TensorError) in try v[0].power(3) },
        OperationCase("power 2, 1 and 0", [3]) { v throws(TensorError) in
            try v[0].power(2) + v[0].power(1) + v[0].power(0)
        },
        OperationCase("power -1.5", [3], range: 0.5..<2) { v throws(TensorError) in try v[0].power(-1.5) },
        OperationCase("a to the power of b", [2, 3], [3], range: 0.5..<2) { v throws(TensorError) in
            try v[0].power(v[1])
        },
    ]

    static let functions: [OperationCase] = [
        OperationCase("abs", [4]) { v throws(TensorError) in try abs(v[0]) },
        OperationCase("exp", [4]) { v throws(TensorError) in try exp(v[0]) },
        OperationCase("expm1", [4]) { v throws(TensorError) in try expm1(v[0]) },
        OperationCase("log", [4], range: 0.5..<2) { v throws(TensorError) in try log(v[0]) },
        OperationCase("log1p", [4], range: -0.5..<2) { v throws(TensorError) in try log1p(v[0]) },
        OperationCase("sqrt", [4], range: 0.5..<2) { v throws(TensorError) in try sqrt(v[0]) },
        OperationCase("reciprocalSqrt", [4], range: 0.5..<2) { v throws(TensorError) in try reciprocalSqrt(v[0]) },
        OperationCase("reciprocal", [4], gap: 0.5) { v throws(TensorError) in try reciprocal(v[0]) },
        OperationCase("sin", [4]) { v throws(TensorError) in try sin(v[0]) },
        OperationCase("cos", [4]) { v throws(TensorError) in try cos(v[0]) },
        OperationCase("tanh", [4]) { v throws(TensorError) in try tanh(v[0]) },
        OperationCase("erf", [4]) { v throws(TensorError) in try erf(v[0]) },
        OperationCase("sigmoid", [4]) { v throws(TensorError) in try sigmoid(v[0]) },
        OperationCase("relu", [6]) { v throws(TensorError) in try relu(v[0]) },
        OperationCase("leakyRelu", [6]) { v throws(TensorError) in try leakyRelu(v[0], slope: 0.2) },
        OperationCase("silu", [4]) { v throws(TensorError) in try silu(v[0]) },
        OperationCase("gelu", [4], range: -2..<2) { v throws(TensorError) in try gelu(v[0]) },
        OperationCase("gelu by tanh", [4], range: -2..<2) { v throws(TensorError) in try gelu(v[0], .tanh) },
        OperationCase("softplus", [4]) { v throws(TensorError) in try softplus(v[0]) },
        OperationCase("softmax", [2, 3]) { v throws(TensorError) in try softmax(v[0]) },
        OperationCase("softmax over axis 0", [2, 3]) { v throws(TensorError) in try softmax(v[0], axis: 0) },
        OperationCase("logSoftmax", [2, 3]) { v throws(TensorError) in try logSoftmax(v[0]) },
    ]

    static let choices: [OperationCase] = [
        OperationCase("select", [2, 3], [3]) { v throws(TensorError) in
            try select(Tensor([true, false, true]), v[0], v[1])
        },
        OperationCase("minimum of two", [2, 3], [3]) { v throws(TensorError) in try .minimum(v[0], v[1]) },
        OperationCase("maximum of two", [2, 3], [3]) { v throws(TensorError) in try .maximum(v[0], v[1]) },
        OperationCase("minimum and maximum with a number", [6]) { v throws(TensorError) in
            try Variable.minimum(.maximum(v[0], 0), 0.7)
        },
        OperationCase("clamped", [6], range: -2..<2) { v throws(TensorError) in try v[0].clamped(-1, 1) },
        OperationCase("filled", [2, 3]) { v throws(TensorError) in
            try v[0].filled(where: Tensor([true, false, true]), with: 7)
        },
        OperationCase("lowerTriangle", [3, 3]) { v throws(TensorError) in try v[0].lowerTriangle(-1) },
        OperationCase("upperTriangle", [2, 3, 3]) { v throws(TensorError) in try v[0].upperTriangle(1) },
    ]

    static let reductions: [OperationCase] = [
        OperationCase("sum", [2, 3]) { v throws(TensorError) in try v[0].sum() },
        OperationCase("sum over axis 1", [2, 3]) { v throws(TensorError) in try v[0].sum(1) },
        OperationCase("sum over axes -1 and 0, kept", [2, 3, 2]) { v throws(TensorError) in
            try v[0].sum(-1, 0, keepingAxes: true)
        },
        OperationCase("mean over axis 0", [2, 3]) { v throws(TensorError) in try v[0].mean(0) },
        OperationCase("mean", [2, 3]) { v throws(TensorError) in try v[0].mean() },
        OperationCase("variance", [2, 3]) { v throws(TensorError) in try v[0].variance(-1) },
        OperationCase("variance of a sample", [2, 3]) { v throws(TensorError) in try v[0].variance(correction: 1) },
        OperationCase("standardDeviation", [2, 3]) { v throws(TensorError) in
            try v[0].standardDeviation(1, correction: 1, keepingAxes: true)
        },
        OperationCase("maximum over an axis", [2, 3]) { v throws(TensorError) in try v[0].maximum(1) },
        OperationCase("minimum", [2, 3]) { v throws(TensorError) in try v[0].minimum() },
        OperationCase("product over an axis of 5", [2, 5]) { v throws(TensorError) in try v[0].product(1) },
        OperationCase("product with zeros", [4], gap: 0) { v throws(TensorError) in
            try (v[0] * Variable(Tensor([1, 0, 1, 1]))).product()
        },
        OperationCase("product over axes 0 and 2, kept", [2, 3, 2]) { v throws(TensorError) in
            try v[0].product(0, -1, keepingAxes: true)
        },
        OperationCase("logSumExp", [2, 3]) { v throws(TensorError) in try v[0].logSumExp(0) },
        OperationCase("cumulativeSum", [2, 3]) { v throws(TensorError) in try v[0].cumulativeSum(-1) },
        OperationCase("topK", [2, 5]) { v throws(TensorError) in try v[0].topK(2).values },
        OperationCase("broadcast", [3, 1]) { v throws(TensorError) in try v[0].broadcast(to: [2, 3, 2]) },
        OperationCase("summed", [2, 3, 2]) { v throws(TensorError) in try v[0].summed(to: [3, 1]) },
    ]

    static let products: [OperationCase] = [
        OperationCase("matrix by matrix", [2, 3], [3, 4]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("matrix by vector", [2, 3], [3]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("vector by matrix", [3], [3, 2]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("vector by matrices", [3], [2, 3, 2]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("matrices by vector", [2, 2, 3], [3]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("dot", [3], [3]) { v throws(TensorError) in try dot(v[0], v[1]) },
        OperationCase("matrices by matrix", [2, 2, 3], [3, 2]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("matrix by matrices", [2, 3], [2, 3, 2]) { v throws(TensorError) in try matmul(v[0], v[1]) },
        OperationCase("matrices, stretched", [2, 1, 2, 3], [3, 3, 2]) { v throws(TensorError) in
            try matmul(v[0], v[1])
        },
        OperationCase("matrix by a constant", [2, 3]) { v throws(TensorError) in
            try matmul(matmul(v[0], Variable(Tensor(repeating: 0.5, shape: [3, 2]))), v[0])
        },
        OperationCase("outer", [2], [3]) { v throws(TensorError) in try outer(v[0], v[1]) },
        OperationCase("einsum of three", [2, 3], [3, 4], [4]) { v throws(TensorError) in
            try einsum("ij,jk,k->ik", v[0], v[1], v[2])
        },
        OperationCase("einsum of heads", [2, 3, 2, 2], [2, 2, 2, 2]) { v throws(TensorError) in
            try einsum("bqhd,bkhd->bhqk", v[0], v[1])
        },
        OperationCase("einsum with a letter alone", [2, 3], [4, 2]) { v throws(TensorError) in
            try einsum("ij,ki->k", v[0], v[1])
        },
        OperationCase("einsum of diagonals", [3, 2, 3], [3]) { v throws(TensorError) in
            try einsum("iji,i->ji", v[0], v[1])
        },
        OperationCase("einsum without an arrow", [2, 3], [3, 2]) { v throws(TensorError) in
            try einsum("ab,bc", v[0], v[1])
        },
    ]
}
