import Kernels
import Testing

@Suite("Norms of training")
struct NormGradientTests {
    /// A pass of a norm forward and backward, in whatever type.
    struct Results {
        var y: [Float] = [], dx: [Float] = [], dGain: [Float] = [], dBias: [Float] = []
    }

    struct Problem: CustomTestStringConvertible {
        var rows: Int, columns: Int, isCentered: Bool
        var testDescription: String { "\(rows) x \(columns), \(isCentered ? "layer norm" : "RMS norm")" }

        static let all = GradientSupport.heights.flatMap { rows in
            GradientSupport.widths.flatMap { columns in
                [true, false].map { Problem(rows: rows, columns: columns, isCentered: $0) }
            }
        }

        var x: [Float] { GradientSupport.numbers(rows * columns, seed: 1, around: 3) }
        var dy: [Float] { GradientSupport.numbers(rows * columns, seed: 2) }
        var gain: [Float] { GradientSupport.numbers(columns, seed: 3, around: 1) }
        var bias: [Float] { GradientSupport.numbers(columns, seed: 4) }

        func run(_ path: GradientPath, _ pool: ThreadPool = .single) -> Results {
            let means = UnsafeMutablePointer<Float>.allocate(capacity: rows)
            let scales = UnsafeMutablePointer<Float>.allocate(capacity: rows)
            defer {
                means.deallocate()
                scales.deallocate()
            }
            var results = Results()
            results.y = GradientSupport.guarded(rows * columns) { y in
                Gradients.norm(
                    x, gain: gain, bias: bias, epsilon: 1e-5, into: y, means: isCentered ? means : nil,
                    scales: scales, rows: rows, columns: columns, pool: pool, path: path)
            }
            results.dx = GradientSupport.guarded(rows * columns) { dx in
                results.dGain = GradientSupport.guarded(columns) { dGain in
                    results.dBias = GradientSupport.guarded(columns) { dBias in
                        Gradients.normBackward(
                            dy, x: x, gain: gain, means: isCentered ? UnsafePointer(means) : nil, scales: scales,
                            dx: dx, dGain: dGain, dBias: dBias, rows: rows, columns: columns, pool: pool, path: path)
                    }
                }
            }
            return results
        }

        /// The same by the formulas in float64.
        func twin() -> (y: [Double], dx: [Double], dGain: [Double], dBias: [Double]) {
            let means = UnsafeMutablePointer<Double>.allocate(capacity: rows)
            let scales = UnsafeMutablePointer<Double>.allocate(capacity: rows)
            defer {
                means.deallocate()
                scales.deallocate()
            }
            var y = [Double](repeating: 0, count: rows * columns)
            var (dx, dGain, dBias) = (y, bias.doubles, bias.doubles)
            GradientTwin.norm(
                x.doubles, gain: gain.doubles, bias: bias.doubles, epsilon: Double(Float(1e-5)), into: &y,
                means: isCentered ? means : nil, scales: scales, rows: rows, columns: columns)
            GradientTwin.normBackward(
                dy.doubles, x: x.doubles, gain: gain.doubles, means: isCentered ? UnsafePointer(means) : nil,
                scales: scales, dx: &dx, dGain: &dGain, dBias: &dBias, rows: rows, columns: columns)
            return (y, dx, dGain, dBias)
        }
    }

    @Test("forward and gradients agree with the formulas", arguments: GradientSupport.paths)
    func agree(path: GradientPath) {
        for problem in Problem.all {
            let (own, twin) = (problem.run(path), problem.twin())
            // A single column has no variance: its normal form is 0 times 1 / √ε, which magnifies the mean's rounding.
            let scale = problem.columns == 1 && problem.isCentered ? 300.0 : 1
            // Sums of n terms, and 1 / √variance where a row is short.
            let steep = max(scale, twin.dx.reduce(0) { max($0, abs($1)) })
            own.y.expect(twin.y, scale: 4 * scale, "y of \(problem.testDescription)")
            // Three numbers close to each other have hardly a spread to divide by.
            own.dx.expect(
                twin.dx, within: problem.columns < 15 ? 4e-6 : 1e-6, scale: steep, "dx of \(problem.testDescription)")
            own.dGain.expect(
                twin.dGain, scale: 4 * scale * Double(problem.rows).squareRoot(), "dgain of \(problem.testDescription)")
            own.dBias.expect(
                twin.dBias, scale: Double(problem.rows).squareRoot(), "dbias of \(problem.testDescription)")
        }
    }

    @Test("a mean that is large next to the spread costs no digits", arguments: GradientSupport.paths)
    func largeMean(path: GradientPath) {
        let x = (0..<100).map { 4096 + Float($0 % 7) / 8 }
        var (y, mean, scale) = ([Float](repeating: 0, count: 100), Float(0), Float(0))
        Gradients.norm(
            x, gain: nil, bias: nil, epsilon: 1e-5, into: &y, means: &mean, scales: &scale, rows: 1, columns: 100,
            path: path)
        var (expected, mean64, scale64) = ([Double](repeating: 0, count: 100), 0.0, 0.0)
        GradientTwin.norm(
            x.doubles, gain: nil, bias: nil, epsilon: 1e-5, into: &expected, means: &mean64, scales: &scale64, rows: 1,
            columns: 100)
        y.expect(expected, within: 2e-3, "y")
    }

    @Test("what is not requested is not written, and the rest is the same", arguments: GradientSupport.paths)
    func parts(path: GradientPath) {
        let problem = Problem(rows: 5, columns: 33, isCentered: true)
        let whole = problem.run(path)
        var (y, means, scales) = (problem.x, [Float](repeating: 0, count: 5), [Float](repeating: 0, count: 5))
        Gradients.norm(
            problem.x, gain: problem.gain, bias: problem.bias, epsilon: 1e-5, into: &y, means: &means, scales: &scales,
            rows: 5, columns: 33, path: path)
        var (dx, dGain) = (problem.x, problem.gain)
        Gradients.normBackward(
            problem.dy, x: problem.x, gain: problem.gain, means: means, scales: scales, dx: &dx, dGain: nil,
            dBias: nil, rows: 5, columns: 33, path: path)
        Gradients.normBackward(
            problem.dy, x: problem.x, gain: problem.gain, means: means, scales: scales, dx: nil, dGain: &dGain,
            dBias: nil, rows: 5, columns: 33, path: path)
        #expect(dx == whole.dx)
        #expect(dGain == whole.dGain)
    }

    @Test("NaN makes its own row NaN, and no other", arguments: GradientSupport.paths)
    func notANumber(path: GradientPath) {
        var x = GradientSupport.numbers(3 * 17, seed: 1)
        x[20] = .nan
        var (y, means, scales) = (x, [Float](repeating: 0, count: 3), [Float](repeating: 0, count: 3))
        Gradients.norm(
            x, gain: nil, bias: nil, epsilon: 1e-5, into: &y, means: &means, scales: &scales, rows: 3, columns: 17,
            path: path)
        #expect(y.enumerated().allSatisfy { $0.element.isNaN == (17..<34).contains($0.offset) })
    }

    @Test("two threads give the bits of one", arguments: GradientSupport.paths)
    func threads(path: GradientPath) {
        let problem = Problem(rows: 700, columns: 130, isCentered: true)
        let (one, two) = (problem.run(path), problem.run(path, ThreadPool(threads: 2)))
        #expect(one.y == two.y)
        #expect(one.dx == two.dx)
        #expect(one.dGain == two.dGain)
        #expect(one.dBias == two.dBias)
    }
}
