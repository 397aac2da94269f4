import Tensors
import Testing

@Suite("Random tensors")
struct RandomTensorTests {
    @Test("an element depends on its place alone, not on how many are asked for")
    func prefixes() throws {
        let long = try Tensor<Float>.normal([100_001], seed: 3)
        #expect(try Tensor<Float>.normal([10, 7], seed: 3).elements == Array(long.elements.prefix(70)))
        let uniform = try Tensor<Double>.uniform([40_000], seed: 3).elements
        #expect(try Tensor<Double>.uniform([33_333], seed: 3).elements == Array(uniform.prefix(33_333)))
        let truncated = try Tensor<Float>.truncatedNormal([20_000], within: 3...4, seed: 3).elements
        #expect(try Tensor<Float>.truncatedNormal([17], within: 3...4, seed: 3).elements == Array(truncated.prefix(17)))
        let integers = try Tensor<Int32>.integers([20_000], in: 0..<3_000_000_000 - 1_000_000_000, seed: 3).elements
        #expect(
            try Tensor<Int32>.integers([777], in: 0..<2_000_000_000, seed: 3).elements == Array(integers.prefix(777)))
    }

    @Test("seeds and streams give other numbers, and the same ones again")
    func seeds() throws {
        let first = try Tensor<Float>.uniform([1_000], seed: 1)
        #expect(try Tensor<Float>.uniform([1_000], seed: 1) == first)
        for (seed, stream) in [(2, 0), (1, 1), (1 << 32 | 1, 0)] as [(UInt64, UInt32)] {
            let other = try Tensor<Float>.uniform([1_000], seed: seed, stream: stream)
            #expect(zip(first.elements, other.elements).filter { $0 == $1 }.count < 3)
        }
    }

    @Test("what is rounded up never reaches the upper bound")
    func upperBound() throws {
        let narrow = try Tensor<Float>.uniform([200_000], in: 1..<1.000_001, seed: 1).elements
        #expect(narrow.allSatisfy { Double($0) < 1.000_001 })
        #expect(try Tensor<Float16>.uniform([50_000], seed: 1).elements.allSatisfy { $0 >= 0 && $0 < 1 })
        #expect(try Tensor<BFloat16>.uniform([50_000], in: -3..<3, seed: 1).elements.allSatisfy { Float($0) < 3 })
    }

    @Test("every integer of a range is reached, and no other")
    func integers() throws {
        let dice = try Tensor<Int8>.integers([60_000], in: -3..<4, seed: 11).elements
        #expect(Set(dice) == Set(-3...3))
        var counts = [Int](repeating: 0, count: 7)
        for value in dice { counts[Int(value) + 3] += 1 }
        #expect(chiSquare(counts, expected: 60_000 / 7.0) < 22.46)  // 6 degrees of freedom, 0.1 %
        let whole = try Tensor<Int32>.integers([10_000], in: -2_147_483_648..<2_147_483_648, seed: 1).elements
        #expect(whole.min()! < -2_140_000_000 && whole.max()! > 2_140_000_000)
    }

    @Test("permutations hold every index once, and each order is equally likely")
    func permutations() throws {
        let order = try Tensor<Int32>.permutation(10_000, seed: 9).elements
        #expect(order.sorted() == Array(0..<10_000))
        #expect(order != order.sorted())
        var generator = PhiloxGenerator(seed: 4)
        var counts: [[Int]: Int] = [:]
        for _ in 0..<24_000 { counts[generator.permutation(4), default: 0] += 1 }
        #expect(counts.count == 24)
        #expect(chiSquare(Array(counts.values), expected: 1_000) < 49.73)  // 23 degrees of freedom, 0.1 %
    }

    @Test("wrong bounds are sentences")
    func failures() {
        func sentence(_ body: () throws -> Void) -> String {
            do {
                try body()
                return "(no error)"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            sentence { _ = try Tensor<Float>.normal([2], deviation: -1, seed: 1) }
                == "normal: [2] needs a finite mean and a standard deviation of at least 0.")
        #expect(
            sentence { _ = try Tensor<Int8>.integers([2], in: 0..<200, seed: 1) }
                == "integers: [2] needs a nonempty range within -128...127, not 0..<200.")
        #expect(
            sentence { _ = try Tensor<Bool>.bernoulli([2], probability: 1.5, seed: 1) }
                == "bernoulli: [2] needs a probability from 0 to 1, not 1.5.")
        #expect(
            sentence { _ = try Tensor<Float>.uniform([1 << 40, 1 << 40], seed: 1) }.hasPrefix("uniform: "))
        #expect(
            sentence { _ = try Tensor<Float>.uniform([2], in: 0..<Double.infinity, seed: 1) }.hasPrefix("uniform: "))
    }
}

/// Σ (observed - expected)² / expected.
func chiSquare(_ counts: [Int], expected: Double) -> Double {
    counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
}
