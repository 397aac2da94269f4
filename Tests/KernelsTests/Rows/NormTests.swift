import Kernels
import Testing

@Suite("Layer norm and RMS norm of rows")
struct NormTests {
    @Test("gives a layer norm of mean 0 and variance 1, then gain and bias")
    func example() {
        let x: [Float] = [1, 2, 3, 4]
        var y = [Float](repeating: .nan, count: 4)
        Rows.layerNorm(x, into: &y, gain: [1, 1, 2, 2], bias: [0, 1, 0, 1], rows: 1, columns: 4)
        let expected: [Float] = [-1.3416354, 0.5527882, 0.8944236, 3.6832708]
        #expect(zip(y, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("gives an RMS norm of mean square 1")
    func rmsExample() {
        let x: [Float] = [3, 4]
        var y: [Float] = [.nan, .nan]
        Rows.rmsNorm(x, into: &y, gain: [1, 10], epsilon: 0, rows: 1, columns: 2)
        #expect(abs(y[0] - 0.84852814) < 1e-6 && abs(y[1] - 11.313708) < 1e-5)
    }

    /// Whether there is a gain and whether there is a bias.
    static let parameters = [(false, false), (true, false), (false, true), (true, true)]

    @Test(
        "layer norm agrees with float64 at every width, with and without gain and bias", arguments: RowKernel.layerNorm)
    func layerNormWidths(kernel: RowKernel) {
        for (hasGain, hasBias) in Self.parameters {
            for columns in Array(1...70) + [127, 128, 129, 1000, 2500] {
                let x = randomNumbers(3 * columns, spread: 3, about: 1, seed: UInt64(columns))
                let gain = hasGain ? randomNumbers(columns, about: 2, seed: 8) : nil
                let bias = hasBias ? randomNumbers(columns, seed: 9) : nil
                let y = kernel(x, columns: columns, gain: gain, bias: bias)
                for row in 0..<3 {
                    let range = row * columns..<(row + 1) * columns
                    let twin = layerNormTwin(x[range], gain: gain, bias: bias)
                    #expect(worstError(y[range], twin) <= 1, "row \(row) of \(columns), \(hasGain), \(hasBias)")
                }
            }
        }
    }

    @Test("RMS norm agrees with float64 at every width, with and without gain", arguments: RowKernel.rmsNorm)
    func rmsNormWidths(kernel: RowKernel) {
        for hasGain in [false, true] {
            for columns in Array(1...70) + [127, 128, 129, 1000, 2500] {
                let x = randomNumbers(3 * columns, spread: 3, about: 1, seed: UInt64(columns))
                let gain = hasGain ? randomNumbers(columns, about: 2, seed: 8) : nil
                let y = kernel(x, columns: columns, gain: gain)
                for row in 0..<3 {
                    let range = row * columns..<(row + 1) * columns
                    var twin: [RowTwin.Element] = []
                    withPointer(gain) { gain in
                        twin = x[range].withUnsafeBufferPointer { RowTwin.rmsNorm($0, gain: gain, epsilon: 1e-6) }
                    }
                    #expect(worstError(y[range], twin) <= 1, "row \(row) of \(columns), \(hasGain)")
                }
            }
        }
    }

    /// mean(x²) - mean(x)² has no digit left in such rows.
    @Test("keeps its digits where the mean is large next to the spread", arguments: RowKernel.layerNorm)
    func largeMean(kernel: RowKernel) {
        let columns = 1024
        for (spread, mean) in [(Float(1), Float(1e4)), (1, -1e4), (1e-3, 100), (0.5, 1e6), (1e4, 0), (1e-4, 0)] {
            let x = randomNumbers(2 * columns, spread: spread, about: mean, seed: 11)
            let y = kernel(x, columns: columns)
            for range in [0..<columns, columns..<2 * columns] {
                #expect(worstError(y[range], layerNormTwin(x[range])) <= 1, "\(spread) about \(mean)")
            }
        }
    }

    /// A shift taken from the first numbers is of no use here: one pass alone leaves an error of 4e-4.
    @Test("keeps its digits where the first numbers are unlike the others", arguments: RowKernel.layerNorm)
    func misleadingBeginning(kernel: RowKernel) {
        for columns in [1000, 65536] {
            var x = randomNumbers(columns, about: 1e4, seed: 12)
            for i in 0..<16 { x[i] = 0 }
            for (found, element) in zip(kernel(x, columns: columns), layerNormTwin(x[...])) {
                guard abs(Double(found) - element.expected) > 3e-5 * (1 + abs(element.expected)) else { continue }
                Issue.record("\(found) is not \(element.expected) in \(columns) columns")
                break
            }
        }
    }

    @Test("gives zeros for a row without spread, whatever its mean", arguments: RowKernel.layerNorm)
    func constantRow(kernel: RowKernel) {
        for value in [Float(0), 7, -1e4] {
            for columns in [1, 15, 16, 64, 200] {
                let y = kernel([Float](repeating: value, count: columns), columns: columns)
                #expect(y.allSatisfy { $0 == 0 }, "\(columns) times \(value)")
            }
        }
    }

    @Test("passes NaN and infinity on to their row and to no other")
    func strangeNumbers() {
        let columns = 130
        for kernel in RowKernel.layerNorm + RowKernel.rmsNorm {
            let plain = randomNumbers(5 * columns, seed: 13)
            let expected = kernel(plain, columns: columns)
            for strange in [Float.nan, .infinity, -.infinity] {
                var x = plain
                x[2 * columns + 129] = strange
                let y = kernel(x, columns: columns)
                #expect(y[2 * columns + 129].isNaN, "\(strange) in \(kernel.name)")
                for row in [0, 1, 3, 4] {
                    let range = row * columns..<(row + 1) * columns
                    #expect(y[range] == expected[range], "\(strange) in \(kernel.name), row \(row)")
                }
            }
        }
    }

    private func layerNormTwin(
        _ x: ArraySlice<Float>, gain: [Float]? = nil, bias: [Float]? = nil
    ) -> [RowTwin.Element] {
        var twin: [RowTwin.Element] = []
        withPointer(gain) { gain in
            withPointer(bias) { bias in
                twin = x.withUnsafeBufferPointer { RowTwin.layerNorm($0, gain: gain, bias: bias, epsilon: 1e-5) }
            }
        }
        return twin
    }
}
