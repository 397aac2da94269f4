import Kernels
import Testing

@Suite("Activations of training")
struct CurveGradientTests {
    static let line =
        (0..<8001).map { Float($0 - 4000) / 250 } + [-0.0, 1e-30, -1e-30, 80, -80, 300, -300, 1e18, -1e18]

    @Test("curves and slopes agree with their formulas", arguments: Gradients.Curve.allCases, GradientSupport.paths)
    func agree(curve: Gradients.Curve, path: GradientPath) {
        let x = Self.line
        let dy = GradientSupport.numbers(x.count, seed: 1)
        let y = GradientSupport.guarded(x.count) { Gradients.activate(curve, x, into: $0, count: x.count, path: path) }
        let dx = GradientSupport.guarded(x.count) {
            Gradients.activateBackward(curve, dy, x: x, dx: $0, count: x.count, path: path)
        }
        for i in x.indices {
            let (value, slope) = curve.point(Double(x[i]))
            let size = max(1, abs(Double(x[i])))
            #expect(abs(Double(y[i]) - value) <= 2e-7 * size, "\(curve) of \(x[i])")
            #expect(abs(Double(dx[i]) - Double(dy[i]) * slope) <= 1e-6, "slope of \(curve) at \(x[i])")
        }
    }

    @Test("a gate multiplies, both ways, at every size", arguments: Gradients.Curve.allCases, GradientSupport.paths)
    func gates(curve: Gradients.Curve, path: GradientPath) {
        for count in GradientSupport.widths {
            let x = GradientSupport.numbers(count, seed: 1)
            let (factor, dy) = (GradientSupport.numbers(count, seed: 2), GradientSupport.numbers(count, seed: 3))
            let y = GradientSupport.guarded(count) {
                Gradients.activate(curve, x, times: factor, into: $0, count: count, path: path)
            }
            var dFactor: [Float] = []
            let dx = GradientSupport.guarded(count) { dx in
                dFactor = GradientSupport.guarded(count) {
                    Gradients.activateBackward(
                        curve, dy, x: x, factor: factor, dx: dx, dFactor: $0, count: count, path: path)
                }
            }
            var expected = (y: y.doubles, dx: y.doubles, dFactor: y.doubles)
            GradientTwin.activate(curve, x.doubles, times: factor.doubles, into: &expected.y, count: count)
            GradientTwin.activateBackward(
                curve, dy.doubles, x: x.doubles, factor: factor.doubles, dx: &expected.dx, dFactor: &expected.dFactor,
                count: count)
            y.expect(expected.y, "y")
            dx.expect(expected.dx, within: 2e-6, "dx")
            dFactor.expect(expected.dFactor, "dfactor")
            var alone = x
            Gradients.activateBackward(curve, dy, x: x, factor: factor, dx: &alone, count: count, path: path)
            #expect(alone == dx)
        }
    }

    @Test("NaN stays where it is", arguments: Gradients.Curve.allCases, GradientSupport.paths)
    func notANumber(curve: Gradients.Curve, path: GradientPath) {
        var x = GradientSupport.numbers(37, seed: 1)
        x[5] = .nan
        x[36] = .nan
        var y = x
        Gradients.activate(curve, x, into: &y, count: 37, path: path)
        #expect(zip(x, y).allSatisfy { $0.isNaN == $1.isNaN })
    }

    @Test("two threads give the bits of one", arguments: GradientSupport.paths)
    func threads(path: GradientPath) {
        let x = GradientSupport.numbers(50_001, seed: 1)
        let dy = GradientSupport.numbers(50_001, seed: 2)
        func run(_ pool: ThreadPool) -> [Float] {
            var (y, dx) = (x, x)
            Gradients.activate(.geluTanh, x, into: &y, count: x.count, pool: pool, path: path)
            Gradients.activateBackward(.geluTanh, dy, x: x, dx: &dx, count: x.count, pool: pool, path: path)
            return y + dx
        }
        #expect(run(.single) == run(ThreadPool(threads: 2)))
    }
}
