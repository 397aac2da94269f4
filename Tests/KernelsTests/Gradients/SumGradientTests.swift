import Kernels
import Testing

@Suite("Sums and masks of training")
struct SumGradientTests {
    @Test("column sums agree, on any number of threads", arguments: GradientSupport.paths)
    func columnSums(path: GradientPath) {
        for rows in GradientSupport.heights + [5000] {
            for columns in GradientSupport.widths {
                let x = GradientSupport.numbers(rows * columns, seed: UInt64(rows))
                let own = GradientSupport.guarded(columns) {
                    Gradients.columnSums(x, into: $0, rows: rows, columns: columns, path: path)
                }
                var expected = [Double](repeating: 0, count: columns)
                GradientTwin.columnSums(x.doubles, into: &expected, rows: rows, columns: columns)
                own.expect(expected, scale: Double(rows).squareRoot(), "\(rows) x \(columns)")
                var shared = own
                Gradients.columnSums(
                    x, into: &shared, rows: rows, columns: columns, pool: ThreadPool(threads: 2), path: path)
                #expect(shared == own)
            }
        }
    }

    @Test("a bias comes to every row", arguments: GradientSupport.paths)
    func bias(path: GradientPath) {
        for columns in GradientSupport.widths {
            let (x, bias) = (GradientSupport.numbers(5 * columns, seed: 1), GradientSupport.numbers(columns, seed: 2))
            let y = GradientSupport.guarded(5 * columns) {
                $0.update(from: x, count: x.count)
                Gradients.addBias(bias, to: $0, rows: 5, columns: columns, path: path)
            }
            #expect(y == x.indices.map { x[$0] + bias[$0 % columns] })
        }
    }

    @Test("rows are added to the rows of a table in their order", arguments: GradientSupport.paths)
    func scatter(path: GradientPath) {
        for width in GradientSupport.widths {
            let indices: [Int32] = (0..<50).map { Int32($0 * 7 % 11) }
            let rows = GradientSupport.numbers(50 * width, seed: 1)
            let start = GradientSupport.numbers(12 * width, seed: 2)
            var expected = start
            for i in 0..<50 * width { expected[Int(indices[i / width]) * width + i % width] += rows[i] }
            for pool in [ThreadPool.single, ThreadPool(threads: 2)] {
                let table = GradientSupport.guarded(12 * width) {
                    $0.update(from: start, count: start.count)
                    Gradients.scatterAdd(
                        rows, indices: indices, count: 50, into: $0, width: width, pool: pool, path: path)
                }
                #expect(table == expected)
            }
        }
    }

    @Test("a mask is the same on every path, for every size, and of the rate that was asked for")
    func dropout() {
        let mask = Gradients.Mask(
            key: SIMD2(1, 2), counter: SIMD3(3, 4, 5), threshold: UInt32(0.25 * 0x1p32), scale: 4 / 3.0)
        let x = GradientSupport.numbers(60_000, seed: 1, around: 5)
        var whole = x
        Gradients.dropout(x, mask, into: &whole, count: x.count, path: .portable)
        let kept = whole.count { $0 != 0 }
        #expect(abs(Double(kept) / 60_000 - 0.75) < 4 * (0.25 * 0.75 / 60_000).squareRoot())
        #expect(zip(x, whole).allSatisfy { $1 == 0 || $1 == $0 * Float(4 / 3.0) })
        for path in GradientSupport.paths {
            for count in GradientSupport.widths + [63, 64, 65, 16384, 16385, 60_000] {
                let own = GradientSupport.guarded(count) {
                    Gradients.dropout(x, mask, into: $0, count: count, pool: ThreadPool(threads: 2), path: path)
                }
                #expect(own == Array(whole.prefix(count)))
            }
        }
    }

    @Test("a rotation and its opposite are the identity", arguments: [false, true])
    func rotation(isAdjacent: Bool) {
        let (rows, positions, heads, width, pairs) = (6, 3, 2, 21, 9)
        let x = GradientSupport.numbers(rows * heads * width, seed: 1)
        let angles = GradientSupport.numbers(positions * pairs, seed: 2).doubles
        // cos² + sin² = 1 without a library: the points of the circle with rational coordinates.
        let cosines = angles.map { Float((1 - $0 * $0) / (1 + $0 * $0)) }
        let sines = angles.map { Float(2 * $0 / (1 + $0 * $0)) }
        var (y, back, expected) = (x, x, x.doubles)
        Gradients.rotate(
            x, cosines: cosines, sines: sines, isBack: false, isAdjacent: isAdjacent, into: &y, rows: rows,
            positions: positions, heads: heads, width: width, pairs: pairs)
        Gradients.rotate(
            y, cosines: cosines, sines: sines, isBack: true, isAdjacent: isAdjacent, into: &back, rows: rows,
            positions: positions, heads: heads, width: width, pairs: pairs)
        GradientTwin.rotate(
            x.doubles, cosines: cosines.doubles, sines: sines.doubles, sign: 1, isAdjacent: isAdjacent,
            into: &expected, rows: rows, positions: positions, heads: heads, width: width, pairs: pairs)
        y.expect(expected, "turned")
        back.expect(x.doubles, "turned back")
        #expect(zip(x, y).contains { $0 != $1 })
    }
}
