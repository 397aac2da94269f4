import Tensors
import Testing
import Training

@Suite("Batch norm")
struct BatchNormTests {
    private func input(_ seed: UInt64) throws -> Tensor<Double> {
        try Tensor.normal([6, 2, 3], mean: 5, deviation: 3, seed: seed)
    }

    @Test("gives each channel mean 0 and variance 1 while training")
    func normalized() throws {
        let norm = try BatchNorm<Double>("n", channels: 2)
        let y = try norm(Variable(input(1)), Pass(isTraining: true)).value
        #expect(try abs(y.mean(0, 2)).maximum().scalar ?? .nan < 1e-12)
        #expect(try abs(y.variance(0, 2) - 1).maximum().scalar ?? .nan < 1e-4)
    }

    @Test("gathers what it uses in evaluation, as torch does")
    func running() throws {
        let norm = try BatchNorm<Double>("n", channels: 2)
        let x = try input(1)
        _ = try norm(Variable(x), Pass(isTraining: true))
        let (mean, variance) = (try x.mean(0, 2), try x.variance(0, 2, correction: 1))
        #expect(try abs(norm.runningMean.value - mean * 0.1).maximum().scalar ?? .nan < 1e-12)
        #expect(try abs(norm.runningVariance.value - (variance * 0.1 + 0.9)).maximum().scalar ?? .nan < 1e-12)
        let y = try norm(Variable(x), .evaluation).value
        let expected =
            try (x - norm.runningMean.value.reshaped([1, 2, 1]))
            * reciprocalSqrt(norm.runningVariance.value.reshaped([1, 2, 1]) + 1e-5)
        #expect(try abs(y - expected).maximum().scalar ?? .nan < 1e-12)
        #expect(norm.runningMean.gradient == nil)
    }

    @Test("gathers once where it is computed again")
    func gathersOnce() throws {
        let (kept, again) = (try BatchNorm<Double>("n", channels: 2), try BatchNorm<Double>("n", channels: 2))
        let x = Variable(try input(1))
        let pass = Pass(isTraining: true)
        try (kept(x, pass).power(3)).sum().backward()
        try (Checkpointed(again)(x, pass).power(3)).sum().backward()
        #expect(kept.runningMean.value == again.runningMean.value)
        #expect(kept.runningVariance.value == again.runningVariance.value)
        #expect(kept.gain.gradient == again.gain.gradient)
    }

    @Test("has the right gradient, through the statistics too")
    func gradient() throws {
        let failure = try GradientCheck().failure(
            of: { inputs throws(TensorError) in
                let norm = try BatchNorm<Double>("n", channels: 2)
                return try norm(inputs[0], Pass(isTraining: true)) * inputs[1]
            }, at: [Tensor.normal([3, 2, 2], seed: 3), Tensor.normal([3, 2, 2], seed: 4)])
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }
}
