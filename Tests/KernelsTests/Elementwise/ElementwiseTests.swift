import Glibc
import Kernels
import Testing

/// The formulas in float64.
enum ElementwiseTwin {
    static func curve(_ curve: Elementwise.Curve, _ x: Double) -> Double {
        switch curve {
        case .silu: x / (1 + exp(-x))
        case .geluTanh: x / 2 * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
        case .gelu: x / 2 * (1 + erf(x / 2.0.squareRoot()))
        case .relu: max(x, 0)
        }
    }
}

@Suite("Elementwise kernels")
struct ElementwiseTests {
    static let paths = ElementwisePath.allCases.filter(\.isPresent)

    @Test("activations agree with their formulas", arguments: Elementwise.Curve.allCases, paths)
    func curves(curve: Elementwise.Curve, path: ElementwisePath) {
        let x = (0..<8001).map { Float($0 - 4000) / 250 } + [0, -0.0, 1e-30, -1e-30, 300, -300, 1e30, -1e30]
        var y = [Float](repeating: .nan, count: x.count)
        Elementwise.activate(curve, x, into: &y, count: x.count, path: path)
        for (x, y) in zip(x, y) {
            let expected = ElementwiseTwin.curve(curve, Double(x))
            #expect(abs(Double(y) - expected) <= 1.3e-7 * max(1, abs(Double(x))), "\(curve) of \(x)")
        }
    }

    @Test(
        "a factor is multiplied in, and every size ends where it should", arguments: Elementwise.Curve.allCases, paths)
    func gates(curve: Elementwise.Curve, path: ElementwisePath) {
        for count in [1, 2, 15, 16, 17, 31, 32, 33, 100] {
            let x = (0..<count).map { Float($0) / 7 - 3 }
            let factor = (0..<count).map { Float($0 % 5) - 2.5 }
            var plain = [Float](repeating: 0, count: count)
            var gated = [Float](repeating: 99, count: count + 1)
            Elementwise.activate(curve, x, into: &plain, count: count, path: path)
            Elementwise.activate(curve, x, times: factor, into: &gated, count: count, path: path)
            #expect(Array(gated.dropLast()) == zip(plain, factor).map(*))
            #expect(gated[count] == 99)
        }
    }

    @Test("NaN stays NaN, and the ends of the line are where they belong", arguments: paths)
    func special(path: ElementwisePath) {
        for curve in Elementwise.Curve.allCases {
            var y: [Float] = [0, 0]
            Elementwise.activate(curve, [.nan, .infinity], into: &y, count: 2, path: path)
            #expect(curve == .relu || y[0].isNaN)
            #expect(y[1] == .infinity)
        }
    }

    @Test("sums, multiples and caps", arguments: paths)
    func vectors(path: ElementwisePath) {
        for count in [1, 7, 16, 17, 40] {
            let x = (0..<count).map { Float($0) * 0.37 - 5 }
            var sum = [Float](repeating: 2, count: count)
            Elementwise.add(x, to: &sum, count: count, path: path)
            #expect(sum == x.map { $0 + 2 })
            var scaledSum = [Float](repeating: 2, count: count)
            Elementwise.add(0.5, times: x, to: &scaledSum, count: count, path: path)
            #expect(scaledSum == x.map { $0 / 2 + 2 })
            var scaled = x
            Elementwise.scale(&scaled, by: 0.25, count: count, path: path)
            #expect(scaled == x.map { $0 / 4 })
        }
        let x = (0..<4001).map { Float($0 - 2000) / 10 } + [0, -0.0, 1e-20, 5e8, -5e8, .infinity]
        var capped = x
        Elementwise.softcap(&capped, at: 30, count: x.count, path: path)
        for (x, y) in zip(x, capped) {
            let expected = 30 * tanh(Double(x) / 30)
            #expect(abs(Double(y) - expected) <= 2.5e-7 * abs(expected))
        }
    }

    @Test("the first of the largest numbers", arguments: paths)
    func argmax(path: ElementwisePath) {
        var bits = SeededBits(seed: 7)
        for count in 1..<70 {
            let numbers = (0..<count).map { _ in (bits.signedUnit() * 8).rounded() }
            #expect(Elementwise.argmax(numbers, count: count, path: path) == numbers.firstIndex(of: numbers.max()!))
        }
        let odd: [Float] = [.nan, -.infinity, .nan, -3, .nan, -3]
        #expect(Elementwise.argmax(odd, count: 6, path: path) == 3)
        #expect(Elementwise.argmax([.nan, .nan], count: 2, path: path) == 0)
        #expect(Elementwise.argmax([-.infinity, -.infinity], count: 2, path: path) == 0)
    }

    @Test("pairs turn by their angle, the rest of a head stays", arguments: [false, true], paths)
    func rotation(isAdjacent: Bool, path: ElementwisePath) {
        for (heads, width, pairs) in [(1, 2, 1), (3, 8, 4), (2, 40, 17), (2, 64, 32), (1, 67, 33), (5, 20, 6)] {
            let x = (0..<heads * width).map { Float($0 % 13) - 6.5 }
            let angles = (0..<pairs).map { Double($0) * 0.7 + 0.1 }
            let (cosines, sines) = (angles.map { Float(cos($0)) }, angles.map { Float(sin($0)) })
            var y = x
            Elementwise.rotate(
                &y, heads: heads, headWidth: width, pairs: pairs, isAdjacent: isAdjacent, cosines: cosines,
                sines: sines,
                path: path)
            for head in 0..<heads {
                for pair in 0..<pairs {
                    let first = head * width + (isAdjacent ? 2 * pair : pair)
                    let second = isAdjacent ? first + 1 : first + pairs
                    let (a, b) = (Double(x[first]), Double(x[second]))
                    let (c, s) = (Double(cosines[pair]), Double(sines[pair]))
                    #expect(abs(Double(y[first]) - (a * c - b * s)) < 2e-6)
                    #expect(abs(Double(y[second]) - (b * c + a * s)) < 2e-6)
                }
                for rest in 2 * pairs..<width { #expect(y[head * width + rest] == x[head * width + rest]) }
            }
        }
    }
}
