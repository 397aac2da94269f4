import JSON
import Tensors
import TestFixtures
import Training

/// A random graph of operations and what torch says about it: Goldens/autograd/composite_graphs.py.
struct CompositeGraph {
    struct Step {
        let name: String
        let taken: [Int]
    }

    let inputs: [Tensor<Float>]
    let steps: [Step]
    let last: [Float]
    let loss: Float
    let gradients: [[Float]]

    static func all() throws -> [CompositeGraph] {
        let folder = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
        let text = File.text(folder + "/Goldens/autograd/composite_graphs.json") ?? ""
        return try JSONDocument(parsing: text).withRoot { root in
            try (root["graphs"]?.elements.map { $0 } ?? []).map { try CompositeGraph($0) }
        }
    }

    private init(_ node: JSONNode) throws {
        func numbers(_ node: JSONNode?) -> [Float] { node?.elements.map { Float($0.double ?? .nan) } ?? [] }
        let given = node["inputs"]?.elements.map { numbers($0) } ?? []
        inputs = try zip(given, [[4, 4], [4, 4], [4, 1]]).map { try Tensor($0, shape: $1) }
        steps =
            node["steps"]?.elements.map { step in
                Step(
                    name: step.element(at: 0)?.string ?? "",
                    taken: step.elements.dropFirst().map { Int($0.int ?? -1) })
            } ?? []
        last = numbers(node["last"])
        loss = Float(node["loss"]?.double ?? .nan)
        gradients = node["gradients"]?.elements.map { numbers($0) } ?? []
    }

    /// The same steps in our operations.
    func run(_ inputs: [Variable<Float>]) throws -> (last: Variable<Float>, loss: Variable<Float>) {
        var values = inputs
        for step in steps { values.append(try result(of: step.name, step.taken.map { values[$0] })) }
        var loss = try values[values.count - 1].power(3).sum() * 0.1
        for value in values.suffix(3) { loss = try loss + (value * value).sum() }
        return (values[values.count - 1], loss)
    }

    private func result(of name: String, _ values: [Variable<Float>]) throws -> Variable<Float> {
        let x = values[0]
        switch name {
        case "tanh": return try tanh(x)
        case "sigmoid": return try sigmoid(x)
        case "relu": return try relu(x)
        case "gelu": return try gelu(x)
        case "silu": return try silu(x)
        case "softplus": return try softplus(x)
        case "softmax": return try softmax(x)
        case "sin": return try sin(x)
        case "root": return try sqrt(x * x + 1)
        case "transposed": return try x.transposed()
        case "cumulativeSum": return try x.cumulativeSum(0) * 0.5
        case "rolled": return try x.rolled(1, axis: 1)
        case "halves": return try concatenate([x[.all, 2...], x[.all, ..<2]], axis: 1)
        case "reshaped": return try x.reshaped([2, 8]).transposed().reshaped([4, 4])
        case "rows": return try x.selecting(Tensor<Int32>([3, 0, 3, 1]))
        case "triangle": return try x.lowerTriangle()
        case "sum": return try x.sum(1, keepingAxes: true) * 0.5
        case "mean": return try x.mean(0, keepingAxes: true)
        case "maximum": return try x.maximum(1, keepingAxes: true)
        case "logSumExp": return try x.logSumExp(0, keepingAxes: true)
        case "deviation": return try sqrt(x.variance(1, keepingAxes: true) + 1e-3)
        case "+": return try x + values[1]
        case "-": return try x - values[1]
        case "*": return try x * values[1]
        case "/": return try x / (values[1] * values[1] + 1)
        case "larger": return try .maximum(x, values[1])
        case "matmul": return try matmul(x, values[1]) * 0.5
        default: throw TensorError(name, problem: "is not a known step")
        }
    }
}
