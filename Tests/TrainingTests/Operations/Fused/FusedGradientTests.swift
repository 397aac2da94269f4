import Kernels
import Tensors
import Testing
import Training

@Suite("Fused operations")
struct FusedGradientTests {
    @Test("gradients agree with differences")
    func gradientCheck() throws {
        for operation in try FusedCase<Double>.all() {
            let failure = try GradientCheck().failure(of: operation.function, at: operation.inputs())
            #expect(failure == nil, "\(operation.name): \(failure?.sentence ?? "")")
        }
    }

    @Test("a gradient that is wrong is found")
    func faultIsFound() throws {
        let wrong: GradientCheck.Function = { x throws(TensorError) in
            let y = try activated(x[0], .silu)
            return Variable.made(by: "wrong", y.value, from: [x[0]]) { back throws(TensorError) in
                [try back.gradient * 0.99]
            }
        }
        #expect(try GradientCheck().failure(of: wrong, at: [Tensor([0.5, 2, -1])]) != nil)
    }

    @Test("float32 gives what float64 gives, forward and back")
    func precisions() throws {
        for (single, double) in zip(try FusedCase<Float>.all(), try FusedCase<Double>.all()) {
            let inputs = (
                single: try single.inputs().map(Variable.leaf), double: try double.inputs().map(Variable.leaf)
            )
            let results = (single: try single.function(inputs.single), double: try double.function(inputs.double))
            expectClose(results.single.value, results.double.value, single.name)
            let seed = try Tensor<Float>.normal(results.single.shape, seed: 50)
            let gradients = (
                single: try results.single.gradients(for: inputs.single, seed: seed),
                double: try results.double.gradients(for: inputs.double, seed: seed.converted())
            )
            for (index, pair) in zip(gradients.single, gradients.double).enumerated() {
                expectClose(pair.0.value, pair.1.value, "\(single.name), gradient \(index)")
            }
        }
    }

    @Test("gradients that are not requested are not computed, and change nothing")
    func wanted() throws {
        for operation in try FusedCase<Float>.all() where operation.shapes.count > 1 {
            let inputs = try operation.inputs()
            let leaves = inputs.map(Variable.leaf)
            let whole = try operation.function(leaves)
            let seed = try Tensor<Float>.normal(whole.shape, seed: 50)
            let gradients = try whole.gradients(for: leaves, seed: seed)
            for chosen in inputs.indices {
                let leaf = Variable.leaf(inputs[chosen])
                let mixed = inputs.indices.map { $0 == chosen ? leaf : Variable(inputs[$0]) }
                let alone = try operation.function(mixed).gradients(for: [leaf], seed: seed)[0]
                #expect(alone.value == gradients[chosen].value, "\(operation.name), input \(chosen)")
            }
        }
    }

    @Test("a chain of them has the same bits on one thread and on two")
    func threads() throws {
        func run() throws -> [Tensor<Float>] {
            let x = Variable.leaf(try Tensor<Float>.normal([3, 70, 48], seed: 1))
            let weights = try [[144, 48], [192, 48], [48, 192]].enumerated().map {
                Variable.leaf(try Tensor<Float>.normal($1, seed: UInt64($0 + 2)) * 0.1)
            }
            let h = try attention(qkv: linear(layerNorm(x), weight: weights[0]), heads: 4) + x
            let y = try linear(activated(linear(rmsNorm(h), weight: weights[1]), .geluTanh), weight: weights[2])
            return try y.gradients(for: [x] + weights, seed: Tensor<Float>.normal(y.shape, seed: 9)).map(\.value)
        }
        let shared = try run()
        // A pool that is busy lets a caller do all chunks alone.
        var alone: [Tensor<Float>] = []
        var failure: (any Error)?
        ThreadPool.shared.run(chunks: 2) { chunk, _ in
            guard chunk == 0 else { return }
            do { alone = try run() } catch { failure = error }
        }
        #expect(failure == nil)
        #expect(shared == alone)
    }
}

/// Checks shapes, then that float32 is within rounding of float64.
func expectClose(
    _ a: Tensor<Float>, _ b: Tensor<Double>, within tolerance: Double = 4e-6, _ what: String,
    at location: SourceLocation = #_sourceLocation
) {
    guard a.shape == b.shape else {
        Issue.record("\(what): \(a.shape) rather than \(b.shape)", sourceLocation: location)
        return
    }
    for (index, pair) in zip(a.elements, b.elements).enumerated() {
        let error = abs(Double(pair.0) - pair.1) / max(1, abs(pair.1))
        guard error <= tolerance else {
            Issue.record("\(what), element \(index): \(pair.0) rather than \(pair.1)", sourceLocation: location)
            return
        }
    }
}
