import Kernels
import Testing

@Suite("Cross-entropy of training")
struct CrossEntropyTests {
    struct Results {
        var logSumExp: [Float], losses: [Float], gradient: [Float]
    }

    private func run(
        _ logits: [Float], _ targets: [Int32], _ smoothing: Float, _ columns: Int, _ path: GradientPath,
        _ pool: ThreadPool = .single
    ) -> Results {
        let rows = targets.count
        var losses: [Float] = []
        let logSumExp = GradientSupport.guarded(rows) { logSumExp in
            losses = GradientSupport.guarded(rows) {
                Gradients.crossEntropy(
                    logits, targets: targets, smoothing: smoothing, logSumExp: logSumExp, losses: $0, rows: rows,
                    columns: columns, pool: pool, path: path)
            }
        }
        let gradient = GradientSupport.guarded(rows * columns) {
            Gradients.crossEntropyBackward(
                logits, targets: targets, smoothing: smoothing, factor: 0.5, logSumExp: logSumExp, into: $0,
                rows: rows, columns: columns, pool: pool, path: path)
        }
        return Results(logSumExp: logSumExp, losses: losses, gradient: gradient)
    }

    @Test(
        "losses and gradients agree with the formulas", arguments: GradientSupport.paths, [Float(0), 0.1, 1])
    func agree(path: GradientPath, smoothing: Float) {
        for (rows, columns) in [(1, 1), (3, 2), (5, 15), (5, 16), (5, 17), (7, 33), (3, 65), (40, 2048)] {
            let logits = GradientSupport.numbers(rows * columns, seed: UInt64(columns)).map { 6 * $0 }
            let targets = (0..<rows).map { $0 % 3 == 2 ? -1 : Int32($0 * 5 % columns) }
            let own = run(logits, targets, smoothing, columns, path)
            var (logSumExp, losses) = (own.losses.doubles, own.losses.doubles)
            var gradient = logits.doubles
            GradientTwin.crossEntropy(
                logits.doubles, targets: targets, smoothing: Double(smoothing), logSumExp: &logSumExp,
                losses: &losses, rows: rows, columns: columns)
            GradientTwin.crossEntropyBackward(
                logits.doubles, targets: targets, smoothing: Double(smoothing), factor: 0.5, logSumExp: logSumExp,
                into: &gradient, rows: rows, columns: columns)
            own.logSumExp.expect(logSumExp, "log-sum-exp of \(rows) x \(columns)")
            own.losses.expect(losses, scale: 8, "losses of \(rows) x \(columns)")
            own.gradient.expect(gradient, within: 2e-6, "gradient of \(rows) x \(columns)")
        }
    }

    @Test("large logits do not overflow, impossible classes count for nothing", arguments: GradientSupport.paths)
    func ends(path: GradientPath) {
        var logits = [Float](repeating: -.infinity, count: 40)
        logits[3] = 3e4
        logits[38] = 3e4
        let own = run(logits, [3], 0, 40, path)
        own.losses.expect([0.693147180559945], within: 1e-2, "ln 2 beside 30,000")
        #expect(own.gradient[3] == -0.25 || abs(own.gradient[3] + 0.25) < 1e-3)
        #expect(own.gradient[5] == 0)
    }

    @Test("NaN makes its own row NaN", arguments: GradientSupport.paths)
    func notANumber(path: GradientPath) {
        var logits = GradientSupport.numbers(3 * 20, seed: 1)
        logits[25] = .nan
        let own = run(logits, [0, 1, 2], 0, 20, path)
        #expect(own.losses.map(\.isNaN) == [false, true, false])
        #expect(own.gradient.enumerated().allSatisfy { $0.element.isNaN == (20..<40).contains($0.offset) })
    }

    @Test(
        "the gradient may take the place of the logits; two threads give the bits of one",
        arguments: GradientSupport.paths)
    func places(path: GradientPath) {
        let (rows, columns) = (900, 65)
        let logits = GradientSupport.numbers(rows * columns, seed: 1)
        let targets = (0..<rows).map { Int32($0 % columns) }
        let (one, two) = (
            run(logits, targets, 0.1, columns, path), run(logits, targets, 0.1, columns, path, ThreadPool(threads: 2))
        )
        #expect(one.losses == two.losses)
        #expect(one.gradient == two.gradient)
        var inPlace = logits
        inPlace.withUnsafeMutableBufferPointer {
            Gradients.crossEntropyBackward(
                $0.baseAddress!, targets: targets, smoothing: 0.1, factor: 0.5, logSumExp: one.logSumExp,
                into: $0.baseAddress!, rows: rows, columns: columns, path: path)
        }
        #expect(inPlace == one.gradient)
    }
}
