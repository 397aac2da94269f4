import Tensors
import Testing
import Training

@Suite("Layers")
struct LayerTests {
    /// A layer with an input that it takes, and what is to come out.
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let input: [Int]
        let output: [Int]
        let parameters: [String]
        let count: Int
        let make: @Sendable (inout RandomStreams) throws(TensorError) -> any Layer<Float>
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "Linear", input: [2, 5, 4], output: [2, 5, 3], parameters: ["l.weight", "l.bias"], count: 15) {
            random throws(TensorError) in try Linear<Float>("l", inputs: 4, outputs: 3, random: &random)
        },
        Case(name: "Linear without bias", input: [4], output: [3], parameters: ["l.weight"], count: 12) {
            random throws(TensorError) in
            try Linear<Float>("l", inputs: 4, outputs: 3, hasBias: false, initializer: .xavierNormal(), random: &random)
        },
        Case(name: "LayerNorm", input: [3, 4], output: [3, 4], parameters: ["n.weight", "n.bias"], count: 8) {
            _ throws(TensorError) in try LayerNorm<Float>("n", width: 4)
        },
        Case(name: "RMSNorm", input: [3, 4], output: [3, 4], parameters: ["n.weight"], count: 4) {
            _ throws(TensorError) in try RMSNorm<Float>("n", width: 4)
        },
        Case(
            name: "BatchNorm", input: [5, 3, 2, 2], output: [5, 3, 2, 2],
            parameters: ["n.weight", "n.bias", "n.running_mean", "n.running_var"], count: 12
        ) { _ throws(TensorError) in try BatchNorm<Float>("n", channels: 3) },
        Case(
            name: "MultiHeadAttention", input: [2, 5, 8], output: [2, 5, 8],
            parameters: ["a.qkv.weight", "a.qkv.bias", "a.output.weight", "a.output.bias"], count: 8 * 24 + 24 + 64 + 8
        ) { random throws(TensorError) in
            try MultiHeadAttention<Float>("a", width: 8, heads: 2, random: &random)
        },
        Case(
            name: "MultiHeadAttention with shared keys", input: [1, 3, 8], output: [1, 3, 8],
            parameters: ["a.qkv.weight", "a.output.weight"], count: 8 * (4 + 2) * 3 + 12 * 8
        ) { random throws(TensorError) in
            try MultiHeadAttention<Float>(
                "a", width: 8, heads: 4, keyValueHeads: 1, headWidth: 3, isCausal: false, hasBias: false,
                random: &random)
        },
        Case(
            name: "MLP", input: [7, 4], output: [7, 2],
            parameters: ["m.0.weight", "m.0.bias", "m.1.weight", "m.1.bias"], count: 4 * 6 + 6 + 6 * 2 + 2
        ) { random throws(TensorError) in
            try MLP<Float>("m", widths: [4, 6, 2], activation: .tanh, random: &random)
        },
        Case(
            name: "SwiGLU", input: [7, 4], output: [7, 4],
            parameters: ["s.gate.weight", "s.up.weight", "s.down.weight"], count: 3 * 4 * 6
        ) { random throws(TensorError) in try SwiGLU<Float>("s", width: 4, hidden: 6, random: &random) },
        Case(name: "Dropout", input: [50], output: [50], parameters: [], count: 0) { _ throws(TensorError) in
            try Dropout<Float>(0.5)
        },
        Case(
            name: "Conv2d of two groups", input: [2, 4, 5, 6], output: [2, 6, 3, 3],
            parameters: ["c.weight", "c.bias"], count: 6 * 2 * 3 * 3 + 6
        ) { random throws(TensorError) in
            try Conv2d<Float>(
                "c", inputs: 4, outputs: 6, size: (3, 3), window: Window(stride: 2, padding: 1), groups: 2,
                random: &random)
        },
        Case(
            name: "Conv1d", input: [2, 4, 6], output: [2, 3, 4], parameters: ["c.weight"], count: 3 * 4 * 3
        ) { random throws(TensorError) in
            try Conv1d<Float>("c", inputs: 4, outputs: 3, size: 3, hasBias: false, random: &random)
        },
        Case(name: "MaxPool", input: [2, 3, 4, 6], output: [2, 3, 2, 2], parameters: [], count: 0) { _ in
            MaxPool<Float>((2, 3))
        },
        Case(name: "Activated", input: [5], output: [5], parameters: [], count: 0) { _ in Activated<Float>(.silu) },
        Case(name: "Flatten", input: [2, 3, 4], output: [2, 12], parameters: [], count: 0) { _ in Flatten<Float>() },
        Case(
            name: "Sequential with a residual and a part that is computed again", input: [3, 4], output: [3, 2],
            parameters: ["n.weight", "n.bias", "a.weight", "a.bias", "b.weight"], count: 8 + 20 + 8
        ) { random throws(TensorError) in
            Sequential<Float>([
                Checkpointed(
                    Residual([
                        try LayerNorm("n", width: 4), try Linear("a", inputs: 4, outputs: 4, random: &random),
                        try Dropout(0.25),
                    ])), try Linear("b", inputs: 4, outputs: 2, hasBias: false, random: &random),
            ])
        },
    ]

    @Test("have the shapes, names and counts they promise, and every parameter gets a gradient", arguments: cases)
    func promises(_ layer: Case) throws {
        var random = RandomStreams(seed: 7)
        let made = try layer.make(&random)
        #expect(made.parameters.map { $0.name } == layer.parameters)
        #expect(made.parameterCount == layer.count)
        let x = Parameter("x", try Tensor<Float>.normal(layer.input, seed: 1))
        let y = try made(x.variable, Pass(isTraining: true, seed: 3))
        #expect(y.shape == layer.output)
        try (y * Variable(Tensor<Float>.normal(layer.output, seed: 2))).sum().backward()
        for parameter in made.parameters + [x] where parameter.isTrainable {
            let gradient = try #require(parameter.gradient, "\(parameter.name)")
            #expect(gradient.shape == parameter.shape)
            #expect(gradient.elements.contains { $0 != 0 }, "\(parameter.name)")
        }
    }

    @Test("the same seed makes the same layer")
    func seeded() throws {
        func weights(_ seed: UInt64) throws -> [Tensor<Float>] {
            var random = RandomStreams(seed: seed)
            return try MLP<Float>("m", widths: [4, 4, 4], random: &random).parameters.map { $0.value }
        }
        let first = try weights(1)
        #expect(try first == weights(1))
        #expect(Set(first.map { $0.elements }).count == 4)
        #expect(try first != weights(2))
    }

    @Test("a small network learns exclusive or")
    func learns() throws {
        var random = RandomStreams(seed: 1)
        let model = try MLP<Float>("m", widths: [2, 8, 1], activation: .tanh, random: &random)
        let x = Variable(try Tensor<Float>(rows: [[0, 0], [0, 1], [1, 0], [1, 1]]))
        let y = Variable(try Tensor<Float>(rows: [[0], [1], [1], [0]]))
        var loss = Float.infinity
        for step in 0..<1_000 {
            let wrong = try binaryCrossEntropy(logits: model(x, Pass(isTraining: true, step: step)), y)
            try wrong.backward()
            for parameter in model.parameters {
                try parameter.value -= #require(parameter.gradient) * 0.5
                parameter.gradient = nil
            }
            loss = wrong.scalar ?? .nan
        }
        #expect(loss < 0.05)
    }

    @Test("a causal attention does not see what comes later")
    func causal() throws {
        var random = RandomStreams(seed: 7)
        let layer = try MultiHeadAttention<Float>("a", width: 8, heads: 2, random: &random)
        let x = try Tensor<Float>.normal([1, 5, 8], seed: 1)
        var changed = x
        try changed.set(9, at: [0, 4, 3])
        let (y, z) = (try layer(Variable(x), .evaluation), try layer(Variable(changed), .evaluation))
        #expect(try y[.all, ..<4].value == z[.all, ..<4].value)
        #expect(try y[.all, 4].value != z[.all, 4].value)
    }

    @Test("attention is what its parts are")
    func attentionByParts() throws {
        var random = RandomStreams(seed: 7)
        let layer = try MultiHeadAttention<Double>("a", width: 4, heads: 2, keyValueHeads: 1, random: &random)
        let x = Variable(try Tensor<Double>.normal([2, 3, 4], seed: 1))
        let all = try layer.inputs(x, .evaluation)
        let (k, v) = (try all[.all, .all, 4..<6], try all[.all, .all, 6..<8])
        var heads: [Variable<Double>] = []
        for head in 0..<2 {
            let q = try all[.all, .all, 2 * head..<2 * head + 2]
            let scores = try matmul(q, k.transposed()) / 2.0.squareRoot()
            let later = try Tensor<Double>.ones(3, 3).upperTriangle(1) .> 0
            heads.append(try matmul(softmax(scores.filled(where: later, with: -.infinity)), v))
        }
        let expected = try layer.output(concatenate(heads, axis: -1), .evaluation)
        let found = try layer(x, .evaluation)
        #expect(try abs(found.value - expected.value).maximum().scalar ?? .nan < 1e-12)
    }

    @Test("embeddings are rows, and their gradients gather where an index comes twice")
    func embeddings() throws {
        var random = RandomStreams(seed: 7)
        let table = try Embedding<Float>("tokens", count: 5, width: 3, random: &random)
        let y = try table(Tensor<Int32>([4, 0, 4], shape: [1, 3]))
        #expect(y.shape == [1, 3, 3])
        #expect(try y.value[0, 1] == table.weight.value[0])
        try y.sum().backward()
        #expect(table.weight.gradient?.elements == [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 2])
    }

    @Test("wrong shapes and sizes are answered with a sentence")
    func wrongUse() throws {
        var random = RandomStreams(seed: 7)
        func sentence(_ body: () throws -> Void) -> String {
            do { try body() } catch let error as TensorError { return error.sentence } catch {}
            return "no error"
        }
        #expect(
            sentence { _ = try Linear<Float>("l", inputs: 0, outputs: 3, random: &random) }
                == "Linear l: inputs must be at least 1, not 0.")
        #expect(
            sentence { _ = try MultiHeadAttention<Float>("a", width: 8, heads: 3, random: &random) }
                == "MultiHeadAttention a: has a width of 8, which is not a multiple of 3 heads.")
        #expect(
            sentence { _ = try MultiHeadAttention<Float>("a", width: 8, heads: 4, keyValueHeads: 3, random: &random) }
                == "MultiHeadAttention a: has 4 heads, which is not a multiple of 3 key and value heads.")
        #expect(
            sentence { _ = try Conv2d<Float>("c", inputs: 1 << 40, outputs: 9, size: (1 << 40, 3), random: &random) }
                == "initializer: [9, 1099511627776, 1099511627776, 3] has too many elements for memory.")
        #expect(
            sentence { _ = try MLP<Float>("m", widths: [4], random: &random) }
                == "MLP m: needs at least two widths, including inputs and outputs.")
        #expect(
            sentence { _ = try Dropout<Float>(1) }
                == "Dropout: needs a rate of at least 0 and below 1, not 1.0.")
        #expect(
            sentence { _ = try Conv2d<Float>("c", inputs: 4, outputs: 3, size: (1, 1), groups: 2, random: &random) }
                == "Conv2d c: has 4 inputs and 3 outputs, which are not divisible by 2 groups.")
        let norm = try BatchNorm<Float>("n", channels: 3)
        #expect(
            sentence { _ = try norm(Variable(Tensor([1, 2])), .evaluation) }
                == "BatchNorm: [2] is not [batch, 3 channels, ...].")
        let one = Variable(try Tensor<Float>([1, 2, 3], shape: [1, 3]))
        #expect(
            sentence { _ = try norm(one, Pass(isTraining: true)) }
                == "BatchNorm: [1, 3] has one value per channel, so the variance is undefined.")
        let residual = try Residual<Float>(Linear("l", inputs: 3, outputs: 2, random: &random))
        #expect(
            sentence { _ = try residual(one, .evaluation) }
                == "Residual: [1, 3] and [1, 2] are incompatible: a residual layer must keep the shape of its input.")
        let linear = try Linear<Float>("l", inputs: 4, outputs: 2, random: &random)
        #expect(sentence { _ = try linear(one, .evaluation) }.contains("[1, 3]"))
    }
}
