import Tensors
import Testing
import Training

@Suite("Gradients agree with differences")
struct GradientCheckTests {
    @Test("of every operation", arguments: OperationCase.all)
    func firstOrder(operation: OperationCase) throws {
        let failure = try GradientCheck().failure(of: operation.function, at: operation.tensors())
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }

    @Test("and again for the gradients themselves", arguments: OperationCase.all)
    func secondOrder(operation: OperationCase) throws {
        let failure = try GradientCheck().secondFailure(of: operation.function, at: operation.tensors())
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }

    @Test("and are the same when they are recorded, by whatever way", arguments: OperationCase.all)
    func recorded(operation: OperationCase) throws {
        let leaves = try operation.tensors().map(Variable.leaf)
        let result = try operation.function(leaves)
        let seed = try Tensor<Double>.uniform(result.shape, in: 0.5..<1.5, seed: 9)
        let plain = try result.gradients(for: leaves, seed: seed)
        let recorded = try result.gradients(for: leaves, seed: seed, recorded: true)
        for (a, b) in zip(plain, recorded) {
            #expect(!a.isRecorded)
            #expect(a.shape == b.shape)
            #expect(try abs(a.value - b.value).maximum().scalar ?? .nan < 1e-12)
        }
    }

    @Test("a planted fault in one entry is found and named")
    func plantedFault() throws {
        let failure = try GradientCheck().failure(
            of: { inputs throws(TensorError) in
                let x = inputs[1]
                let wrong = Variable(try Tensor<Double>([1, 1, 1.01, 1], shape: [2, 2]))
                return try inputs[0]
                    + .made(by: "faulty sin", sin(x.value), from: [x], saving: [x]) {
                        back throws(TensorError) in
                        [try back.gradient * cos(back.saved[0]) * wrong]
                    }
            }, at: [Tensor([5.0, 6.0]), Tensor([0.1, 0.2, 0.3, 0.4], shape: [2, 2])])
        let found = try #require(failure)
        #expect(found.input == 1)
        #expect(found.entry == [1, 0])
        #expect(found.output == [1, 0])
        #expect(found.sentence.contains("The derivative of output [1, 0] with respect to element [1, 0] of input 1 is"))
    }

    @Test("a gradient that is right only to first order is found by the second")
    func plantedSecondOrderFault() throws {
        func cubed(_ inputs: [Variable<Double>]) throws(TensorError) -> Variable<Double> {
            let x = inputs[0]
            let slope = Variable(try x.value * x.value * 3)
            return .made(by: "cubed", try x.value * x.value * x.value, from: [x]) { back throws(TensorError) in
                [try back.gradient * slope]
            }
        }
        let x = try Tensor([0.5, 0.7])
        #expect(try GradientCheck().failure(of: cubed, at: [x]) == nil)
        let failure = try #require(try GradientCheck().secondFailure(of: cubed, at: [x]))
        #expect(failure.analytic == 0)
    }

    @Test("what is not a number never agrees")
    func notANumber() throws {
        let failure = try GradientCheck().failure(
            of: { inputs throws(TensorError) in try sqrt(inputs[0]) }, at: [Tensor([-1.0])])
        #expect(failure?.analytic.isNaN == true)
    }
}
