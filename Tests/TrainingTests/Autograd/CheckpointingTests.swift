import Tensors
import Testing
import Training

@Suite("Parts of a graph that are computed again")
struct CheckpointingTests {
    /// Blocks whose weight is used twice within, and once more outside.
    struct Model {
        let weights: [Parameter<Float>]
        let width: Int

        init(blocks: Int, width: Int = 16) throws {
            weights = try (0..<blocks).map {
                Parameter("w\($0)", try Tensor<Float>.normal([width, width], deviation: 0.2, seed: UInt64($0)))
            }
            self.width = width
        }

        func block(_ x: Variable<Float>, _ w: Parameter<Float>, _ pass: Pass) throws(TensorError) -> Variable<Float> {
            let hidden = try tanh(matmul(x, w.variable))
            let thinned = try dropout(hidden, rate: 0.25, pass)
            return try x + sin(matmul(thinned, w.variable.transposed())) * sigmoid(x)
        }

        func loss(_ x: Variable<Float>, _ pass: Pass, again: Bool) throws -> (loss: Variable<Float>, held: Int) {
            var x = x
            for w in weights {
                x =
                    again
                    ? try checkpointed([x], parameters: [w], pass) { inputs throws(TensorError) in
                        try block(inputs[0], w, pass)
                    } : try block(x, w, pass)
            }
            // What is outside uses the same weight.
            let loss = try (matmul(x, weights[0].variable) * x).mean()
            return (loss, loss.footprint.bytes)
        }
    }

    private func gradients(again: Bool) throws -> (
        loss: Float?, gradients: [Tensor<Float>?], input: [Float], held: Int, draws: UInt32
    ) {
        let model = try Model(blocks: 6)
        let input = Parameter("x", try Tensor<Float>.normal([8, 16], seed: 99))
        let pass = Pass(isTraining: true, seed: 5, step: 3)
        let (loss, held) = try model.loss(input.variable, pass, again: again)
        try loss.backward()
        return (loss.scalar, model.weights.map(\.gradient), input.gradient?.elements ?? [], held, pass.draws)
    }

    @Test("give the same bits, dropout and shared weights included, and hold less memory")
    func sameBits() throws {
        let (kept, again) = (try gradients(again: false), try gradients(again: true))
        #expect(kept.loss == again.loss)
        #expect(kept.gradients == again.gradients)
        #expect(kept.gradients.allSatisfy { $0 != nil })
        #expect(kept.input == again.input)
        #expect(kept.draws == again.draws)
        #expect(again.held * 3 < kept.held, "\(again.held) of \(kept.held) bytes")
    }

    @Test("checkpointed parts can be nested")
    func nested() throws {
        func gradient(again: Bool) throws -> [Float] {
            let model = try Model(blocks: 2)
            let pass = Pass(isTraining: true, seed: 5)
            let (first, second) = (model.weights[0], model.weights[1])
            let x = Variable(try Tensor<Float>.normal([4, 16], seed: 1))
            func whole(_ x: Variable<Float>) throws(TensorError) -> Variable<Float> {
                let middle =
                    again
                    ? try checkpointed([x], parameters: [first], pass) { v throws(TensorError) in
                        try model.block(v[0], first, pass)
                    } : try model.block(x, first, pass)
                return try model.block(middle, second, pass)
            }
            let y =
                again
                ? try checkpointed([x], parameters: model.weights, pass) { v throws(TensorError) in try whole(v[0]) }
                : try whole(x)
            try (y * y).sum().backward()
            return try #require(first.gradient).elements + #require(second.gradient).elements
        }
        #expect(try gradient(again: true) == gradient(again: false))
    }

    @Test("can be differentiated twice")
    func secondOrder() throws {
        let failure = try GradientCheck().secondFailure(
            of: { inputs throws(TensorError) in
                try checkpointed([inputs[0], inputs[1]], parameters: []) { v throws(TensorError) in
                    try tanh(v[0] * v[1]) * v[0]
                }
            }, at: [Tensor([0.3, -0.4]), Tensor([0.7, 0.2])])
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }

    @Test("of constants are constants")
    func constants() throws {
        let y = try checkpointed([Variable(Tensor([1.0]))], parameters: []) { v throws(TensorError) in try exp(v[0]) }
        #expect(!y.isRecorded)
    }

    @Test("checkpointed parts refuse inputs that are not declared")
    func undeclared() throws {
        let (x, hidden) = (Parameter("x", try Tensor([1.0])), Parameter("hidden", try Tensor([2.0])))
        let y = try checkpointed([x.variable], parameters: []) { v throws(TensorError) in try v[0] * hidden.variable }
        #expect(
            throws: TensorError(
                "checkpointed",
                problem: "the function uses parameter hidden, which is not one of its inputs or parameters")
        ) { try y.backward() }
    }
}
