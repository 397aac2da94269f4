import Tensors
import Testing
import Training

/// A critic whose slope by its input is part of its loss (Gulrajani et al., "Improved training of Wasserstein GANs",
/// 2017): the gradient of a gradient.
@Suite("A gradient penalty")
struct GradientPenaltyTests {
    private static let shapes = [
        ("w1", [16, 2]), ("b1", [16]), ("norm.weight", [16]), ("norm.bias", [16]), ("w2", [16, 16]), ("b2", [16]),
        ("w3", [1, 16]),
    ]

    private func score(
        _ x: Variable<Float>, _ w: [Variable<Float>], _ curve: Activation
    ) throws(TensorError) -> Variable<Float> {
        let first = try layerNorm(linear(x, weight: w[0], bias: w[1]), gain: w[2], bias: w[3])
        let second = try linear(activated(first, curve), weight: w[4], bias: w[5])
        return try linear(activated(second, curve), weight: w[6])
    }

    @Test("has torch's gradients, through layers whose way back is a kernel", arguments: Activation.allCases)
    func penalty(curve: Activation) throws {
        let parameters = try Self.shapes.map { try ParityNumbers.parameter("critic", $0.0, $0.1) }
        let w = parameters.map(\.variable)
        let real = try ParityNumbers.tensor("critic/real", [8, 2], -1..<1)
        let fake = try ParityNumbers.tensor("critic/fake", [8, 2], -1..<1)
        let mix = try ParityNumbers.tensor("critic/mix", [8, 1], 0..<1)
        let between = Variable.leaf(try mix * real + (1 - mix) * fake)

        let slope = try score(between, w, curve).sum().gradients(for: [between], recorded: true)[0]
        let excess = try sqrt((slope * slope).sum(1)) - 1
        let difference = try score(Variable(fake), w, curve).mean() - score(Variable(real), w, curve).mean()
        let loss = try difference + (excess * excess).mean() * 10
        try loss.backward()

        let golden = try ParityGolden("penalty", curve.rawValue)
        #expect(golden.worstLoss([loss.scalar ?? .nan]) < 2e-5)
        #expect(try golden.worstGradient(parameters.map { ($0.name, $0.gradient) }) < 1e-5)
    }

    @Test("of a critic over images passes through convolutions, pools and norms")
    func images() throws {
        let x = try Tensor<Double>.uniform([2, 1, 6, 6], in: -1..<1, seed: 3)
        let weight = try Tensor<Double>.uniform([3, 1, 3, 3], in: -1..<1, seed: 4)
        let head = try Tensor<Double>.uniform([1, 27], in: -1..<1, seed: 5)
        let failure = try GradientCheck().failure(
            of: { v throws(TensorError) in
                let image = Variable.leaf(x)
                let hidden = try activated(conv2d(image, v[0], Window(padding: 1)), .silu)
                let flat = try averagePool2d(hidden, (2, 2)).flattened(from: 1)
                let slope = try linear(flat, weight: v[1]).sum().gradients(for: [image], recorded: true)[0]
                return try (slope * slope).sum()
            }, at: [weight, head])
        #expect(failure == nil, "\(failure?.sentence ?? "")")
    }
}
