import Glibc
import Tensors
import Testing

/// Statistics of fixed seeds: a bound is missed by chance once in a thousand seeds, and these are not that one.
@Suite("Distributions")
struct DistributionTests {
    private static let count = 200_000

    /// The largest distance between the empirical distribution and `cumulative`, times √n: 1.95 in one of a thousand.
    private func kolmogorovSmirnov(_ values: [Double], _ cumulative: (Double) -> Double) -> Double {
        var worst = 0.0
        let n = Double(values.count)
        for (index, value) in values.sorted().enumerated() {
            let expected = cumulative(value)
            worst = max(worst, abs(expected - Double(index) / n), abs(Double(index + 1) / n - expected))
        }
        return worst * n.squareRoot()
    }

    private func normalCumulative(_ x: Double) -> Double { 0.5 * erfc(-x / 2.0.squareRoot()) }

    /// Mean, variance, skewness and kurtosis against those of the normal distribution, in standard errors.
    private func expectNormalMoments(_ values: [Double]) {
        let n = Double(values.count)
        let mean = values.reduce(0, +) / n
        func moment(_ power: Double) -> Double { values.reduce(0) { $0 + pow($1 - mean, power) } / n }
        let variance = moment(2)
        #expect(abs(mean) < 3.3 / n.squareRoot())
        #expect(abs(variance - 1) < 3.3 * (2 / n).squareRoot())
        #expect(abs(moment(3) / pow(variance, 1.5)) < 3.3 * (6 / n).squareRoot())
        #expect(abs(moment(4) / (variance * variance) - 3) < 3.3 * (24 / n).squareRoot())
    }

    @Test("normal numbers are normal", arguments: [1, 42, 0xFFFF_FFFF_FFFF] as [UInt64])
    func normal(seed: UInt64) throws {
        let wide = try Tensor<Double>.normal([Self.count], seed: seed).elements
        expectNormalMoments(wide)
        #expect(kolmogorovSmirnov(wide, normalCumulative) < 1.95)
        let narrow = try Tensor<Float>.normal([Self.count], seed: seed).elements.map(Double.init)
        expectNormalMoments(narrow)
        #expect(kolmogorovSmirnov(narrow, normalCumulative) < 1.95)
        #expect(narrow.map(abs).max()! < 6.67)
    }

    @Test("neighbors in a tensor are independent")
    func correlation() throws {
        let values = try Tensor<Double>.normal([Self.count], seed: 8).elements
        for lag in [1, 2, 3, 4, 8, 512] {
            let sum = zip(values, values.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }
            #expect(abs(sum) < 3.3 * Double(Self.count).squareRoot())
        }
    }

    @Test("mean and deviation move and stretch")
    func scaled() throws {
        let values = try Tensor<Double>.normal([1_000], mean: 10, deviation: 3, seed: 5).elements
        let plain = try Tensor<Double>.normal([1_000], seed: 5).elements
        #expect(values == plain.map { 10 + 3 * $0 })
    }

    @Test("uniform numbers are uniform, in value and in every bit")
    func uniform() throws {
        let values = try Tensor<Double>.uniform([Self.count], seed: 6).elements
        #expect(kolmogorovSmirnov(values) { $0 } < 1.95)
        var counts = [Int](repeating: 0, count: 256)
        for value in values { counts[Int(value * 256)] += 1 }
        #expect(chiSquare(counts, expected: Double(Self.count) / 256) < 330.5)  // 255 degrees of freedom, 0.1 %
        let floats = try Tensor<Float>.uniform([Self.count], seed: 6).elements
        for bit in 0..<24 {
            let ones = floats.filter { Int($0 * 16_777_216) >> bit & 1 == 1 }.count
            #expect(abs(Double(ones) - Double(Self.count) / 2) < 3.7 * Double(Self.count).squareRoot() / 2)
        }
    }

    @Test(
        "normal numbers between bounds have the shape of the whole",
        arguments: [(-2, 2), (-0.5, 1), (1, 1.2), (3, .infinity), (-9, -8), (-.infinity, 0.1), (0, 40)])
    func truncated(low: Double, high: Double) throws {
        let values = try Tensor<Double>.truncatedNormal([20_000], within: low...high, seed: 2).elements
        #expect(values.allSatisfy { $0 >= low && $0 <= high })
        // Mirrored where the bounds are below zero, for the tail above it has all its digits.
        let sign: Double = low < 0 && high <= 0 ? -1 : 1
        let (near, far) = sign < 0 ? (-high, -low) : (low, high)
        func upper(_ x: Double) -> Double { 0.5 * erfc(x / 2.0.squareRoot()) }
        let whole = upper(near) - upper(far)
        #expect(kolmogorovSmirnov(values.map { sign * $0 }) { (upper(near) - upper($0)) / whole } < 1.95)
    }

    @Test("bounds are in deviations from the mean")
    func truncatedAndScaled() throws {
        let values = try Tensor<Float>.truncatedNormal([5_000], mean: 100, deviation: 0.02, seed: 2).elements
        #expect(values.allSatisfy { abs($0 - 100) <= 0.040_01 })
        #expect(values.min()! < 99.963 && values.max()! > 100.037)
    }

    @Test("a probability is kept", arguments: [0, 0.001, 0.3, 0.5, 1])
    func bernoulli(probability: Double) throws {
        let values = try Tensor<Bool>.bernoulli([Self.count], probability: probability, seed: 3).elements
        let n = Double(Self.count)
        let deviation = (n * probability * (1 - probability)).squareRoot()
        #expect(abs(Double(values.filter { $0 }.count) - n * probability) <= 3.3 * deviation)
    }
}
