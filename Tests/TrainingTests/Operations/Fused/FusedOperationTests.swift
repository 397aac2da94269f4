import Tensors
import Testing
import Training

@Suite("What fused operations promise")
struct FusedOperationTests {
    @Test("slices of one projection are attended to without being taken apart")
    func views() throws {
        let qkv = try Tensor<Float>.normal([2, 6, 36], seed: 1)
        let joined = try attention(qkv: Variable(qkv), heads: 4, kvHeads: 1, window: 4)
        let heads = try qkv.reshaped([2, 6, 6, 6])
        let apart = try attention(
            Variable(heads.sliced(axis: 2, 0..<4)), Variable(heads.sliced(axis: 2, 4..<5)),
            Variable(heads.sliced(axis: 2, 5..<6)), window: 4)
        #expect(try joined.value == apart.value.reshaped([2, 6, 24]))
    }

    @Test("rows that are left out weigh nothing; a loss of nothing is 0")
    func ignored() throws {
        let logits = try Tensor<Float>.normal([4, 5], seed: 1)
        let leaf = Variable.leaf(logits)
        let masked = try crossEntropy(leaf, Tensor<Int32>([1, -100, 3, -100]), ignoring: -100)
        let kept = try crossEntropy(Variable(logits[.every(2)]), Tensor<Int32>([1, 3]))
        #expect(masked.scalar == kept.scalar)
        try #expect(masked.gradients(for: [leaf])[0].value[1] == Tensor(repeating: 0, shape: [5]))
        let nothing = try crossEntropy(leaf, Tensor<Int32>([7, 7, 7, 7]), ignoring: 7)
        #expect(nothing.scalar == 0)
        try #expect(nothing.gradients(for: [leaf])[0].value == Tensor(repeating: 0, shape: [4, 5]))
    }

    @Test("equal logits cost the logarithm of the classes")
    func uniformLoss() throws {
        let loss = try crossEntropy(Variable(Tensor<Double>(repeating: 3, shape: [2, 65])), Tensor<Int32>([4, 64]))
        #expect(abs(loss.scalar! - 4.174387269895637) < 1e-12)
    }

    @Test("a mask depends on seed, step and draw alone, and is off outside of training")
    func dropoutMasks() throws {
        let x = Variable(try Tensor<Float>(repeating: 1, shape: [40, 50]))
        func masks(_ seed: UInt64, _ step: Int) throws -> [Tensor<Float>] {
            let pass = Pass(isTraining: true, seed: seed, step: step)
            return [try dropout(x, rate: 0.3, pass).value, try dropout(x, rate: 0.3, pass).value]
        }
        let first = try masks(1, 2)
        #expect(try masks(1, 2) == first)
        #expect(first[0] != first[1])
        #expect(try masks(1, 3)[0] != first[0])
        #expect(try masks(2, 2)[0] != first[0])
        #expect(Set(first[0].elements) == [0, 1 / 0.7])
        #expect(try dropout(x, rate: 0.3, .evaluation).value == x.value)
        let double = Variable(try Tensor<Double>(repeating: 1, shape: [40, 50]))
        let same = try dropout(double, rate: 0.3, Pass(isTraining: true, seed: 1, step: 2)).value
        #expect(same.elements.map { $0 != 0 } == first[0].elements.map { $0 != 0 })
    }

    @Test("nothing is kept where nothing is recorded")
    func constants() throws {
        for operation in try FusedCase<Float>.all() {
            #expect(try !operation.function(operation.inputs().map { Variable($0) }).isRecorded, "\(operation.name)")
        }
    }

    @Test("empty batches pass through")
    func empty() throws {
        let x = Variable.leaf(try Tensor<Float>(repeating: 0, shape: [0, 4]))
        let weight = Variable.leaf(try Tensor<Float>.normal([3, 4], seed: 1))
        let y = try linear(activated(layerNorm(x), .silu), weight: weight)
        #expect(y.shape == [0, 3])
        let gradient = try y.gradients(for: [weight], seed: y.value)[0]
        #expect(try gradient.value == Tensor(repeating: 0, shape: [3, 4]))
    }

    @Test("wrong use is answered with a sentence")
    func wrongUse() throws {
        let x = Variable(try Tensor<Float>(repeating: 1, shape: [2, 6]))
        let vector = Variable(try Tensor<Float>(repeating: 1, shape: [5]))
        let uses: [(String, () throws(TensorError) -> Variable<Float>)] = [
            (
                "linear: [2, 6] and [5] are incompatible: the weight must have the shape [out, 6].",
                { () throws(TensorError) in try linear(x, weight: vector) }
            ),
            (
                "linear: [2, 6] and [5] are incompatible: the bias must have the shape [2].",
                { () throws(TensorError) in try linear(x, weight: x, bias: vector) }
            ),
            (
                "layerNorm: [2, 6] and [5] are incompatible: the gain must have the shape [6].",
                { () throws(TensorError) in try layerNorm(x, gain: vector) }
            ),
            (
                "gated: [2, 6] and [5] are incompatible: gate and input must have the same shape.",
                { () throws(TensorError) in try gated(x, vector) }
            ),
            (
                "crossEntropy: [2] has target 6, but there are 6 classes.",
                { () throws(TensorError) in try crossEntropy(x, Tensor<Int32>([1, 6])) }
            ),
            (
                "crossEntropy: [2, 6] and [3] are incompatible: the logits need one more axis than the targets, "
                    + "for the classes.",
                { () throws(TensorError) in try crossEntropy(x, Tensor<Int32>([1, 2, 3])) }
            ),
            (
                "embedding: [2, 6] has no row 2: the vocabulary ends at 1.",
                { () throws(TensorError) in try embedding(x, Tensor<Int32>([0, 2])) }
            ),
            (
                "dropout: needs a rate of at least 0 and below 1, not 1.0.",
                { () throws(TensorError) in try dropout(x, rate: 1, .evaluation) }
            ),
            (
                "rotated: [2, 6] must be [batch, position, heads, width].",
                { () throws(TensorError) in try rotated(x, cosines: x.value, sines: x.value) }
            ),
        ]
        for (sentence, use) in uses {
            let error = #expect(throws: TensorError.self) { try use() }
            #expect(error?.sentence == sentence)
        }
    }
}
