import Tensors
import Testing
import Training

@Suite("First numbers of parameters")
struct InitializerTests {
    struct Moments: CustomTestStringConvertible, Sendable {
        let initializer: Initializer
        let shape: [Int]
        let mean: Double
        let deviation: Double
        /// Every number is within.
        var bound = Double.infinity
        var testDescription: String { "\(initializer) of \(shape)" }
    }

    /// Expected by the formulas of torch.nn.init: fans of [400, 300] are 300 and 400, those of [40, 30, 5, 5] 750 and
    /// 1,000.
    static let moments = [
        Moments(initializer: .normal(mean: 2, deviation: 3), shape: [400, 300], mean: 2, deviation: 3),
        Moments(initializer: .uniform(-1..<3), shape: [400, 300], mean: 1, deviation: 4 / 12.0.squareRoot(), bound: 3),
        // The deviation of a normal distribution cut at ±2 is .87963.
        Moments(
            initializer: .truncatedNormal(deviation: 0.5), shape: [400, 300], mean: 0, deviation: 0.439813, bound: 1),
        Moments(
            initializer: .xavierUniform(), shape: [400, 300], mean: 0, deviation: 0.0534522,
            bound: 0.0925821),
        Moments(initializer: .xavierNormal(gain: 2), shape: [400, 300], mean: 0, deviation: 0.1069045),
        Moments(
            initializer: .kaimingUniform(), shape: [40, 30, 5, 5], mean: 0, deviation: 0.0516398,
            bound: 0.0894428),
        Moments(
            initializer: .kaimingNormal(.fanOut, .relu), shape: [40, 30, 5, 5], mean: 0, deviation: 0.0447214),
        Moments(
            initializer: .kaimingNormal(.fanIn, .tanh), shape: [400, 300], mean: 0, deviation: 0.0962250),
        Moments(initializer: .layerDefault, shape: [400, 300], mean: 0, deviation: 0.0333333, bound: 0.0577351),
    ]

    @Test("have the mean, the deviation and the bounds of their distribution", arguments: moments)
    func distribution(_ expected: Moments) throws {
        var random = RandomStreams(seed: 11)
        let x: Tensor<Float> = try expected.initializer.tensor(expected.shape, random: &random)
        // Five deviations of the estimates from at least 30,000 numbers.
        let mean = Double(try x.mean().scalar ?? .nan)
        let deviation = Double(try x.standardDeviation().scalar ?? .nan)
        #expect(Swift.abs(mean - expected.mean) < 5 * expected.deviation / Double(x.count).squareRoot())
        #expect(Swift.abs(deviation / expected.deviation - 1) < 5 / Double(2 * x.count).squareRoot())
        #expect(x.elements.allSatisfy { Swift.abs(Double($0)) <= expected.bound })
        if expected.bound.isFinite {
            #expect(x.elements.contains { Swift.abs(Double($0)) > 0.98 * expected.bound })
        }
    }

    @Test("are constants where that is asked for")
    func constants() throws {
        var random = RandomStreams(seed: 1)
        for (initializer, number) in [(Initializer.zeros, 0.0), (.ones, 1), (.constant(0.25), 0.25)] {
            let x: Tensor<Double> = try initializer.tensor([2, 3], random: &random)
            #expect(x.elements == [Double](repeating: number, count: 6))
        }
    }

    @Test("orthogonal ones keep lengths on the shorter side", arguments: [[5, 3], [3, 5], [4, 4], [3, 2, 2, 2]])
    func orthogonal(shape: [Int]) throws {
        var random = RandomStreams(seed: 3)
        let x: Tensor<Double> = try Initializer.orthogonal(gain: 2).tensor(shape, random: &random)
        #expect(x.shape == shape)
        let matrix = try x.reshaped([shape[0], -1])
        let short = min(matrix.shape[0], matrix.shape[1])
        let products =
            try shape[0] == short
            ? matmul(matrix, matrix.transposed()) : matmul(matrix.transposed(), matrix)
        let error = try abs(products - Tensor<Double>.eye(short) * 4).maximum().scalar ?? .nan
        #expect(error < 1e-12)
    }

    @Test(
        "gains are torch's",
        arguments: [
            (Nonlinearity.linear, 1), (.sigmoid, 1), (.tanh, 5.0 / 3), (.relu, 1.4142135623730951),
            (.leakyRelu(slope: 0.2), 1.386750490563073), (.selu, 0.75),
        ])
    func gains(nonlinearity: Nonlinearity, gain: Double) {
        #expect(Swift.abs(nonlinearity.gain - gain) < 1e-15)
    }

    @Test("depend on the seed and the order alone; every tensor has its own")
    func streams() throws {
        func draw(_ seed: UInt64) throws -> [Tensor<Float>] {
            var random = RandomStreams(seed: seed)
            return try (0..<3).map { _ in try Initializer.normal().tensor([4], random: &random) }
        }
        let first = try draw(1)
        #expect(try first == draw(1))
        #expect(first[0] != first[1] && first[1] != first[2])
        #expect(try first[0] != draw(2)[0])
    }

    @Test("a vector has no fans")
    func noFans() {
        var random = RandomStreams(seed: 1)
        #expect(
            throws: TensorError(
                "initializer", [3],
                problem: "has no fan-in or fan-out: a weight must have shape [outputs, inputs, ...]")
        ) {
            try Initializer.kaimingUniform().tensor([3], random: &random) as Tensor<Float>
        }
    }
}
