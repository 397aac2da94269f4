import Kernels
import Testing

@Suite("Sums, averages and copies of whole arrays")
struct WholeArrayTests {
    static let paths = ElementwisePath.allCases.filter(\.isPresent)
    static let sizes = [0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 100, 16383, 16384, 16385, 50000]

    private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in bits.signedUnit() }
    }

    private func withBuffers<R>(_ arrays: [[Float]], _ body: ([UnsafeBufferPointer<Float>]) -> R) -> R {
        let buffers = arrays.map { array in
            let buffer = UnsafeMutableBufferPointer<Float>.allocate(capacity: max(1, array.count))
            _ = buffer.initialize(from: array)
            return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        return body(zip(buffers, arrays).map { UnsafeBufferPointer(start: $0.baseAddress, count: $1.count) })
    }

    @Test("sums of squares have the same bits on every path and any number of threads")
    func sums() {
        let x = Self.sizes.map { numbers($0, 1) }
        let y = Self.sizes.map { numbers($0, 2) }
        withBuffers(x) { x in
            withBuffers(y) { y in
                let pairs = Array(zip(x, y))
                let squares = x.map { $0.reduce(0.0) { $0 + Double($1) * Double($1) } }
                let differences = pairs.map { x, y in
                    zip(x, y).reduce(0.0) { $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1)) }
                }
                let first = WholeArrays.sumsOfSquares(x, pool: .single, path: .portable)
                let firstDifferences = WholeArrays.sumsOfSquaredDifferences(pairs, pool: .single, path: .portable)
                for (found, expected) in zip(first + firstDifferences, squares + differences) {
                    #expect(abs(found - expected) <= 1e-12 * expected)
                }
                for path in Self.paths {
                    for pool in [ThreadPool.single, ThreadPool(threads: 3)] {
                        #expect(WholeArrays.sumsOfSquares(x, pool: pool, path: path) == first)
                        #expect(
                            WholeArrays.sumsOfSquaredDifferences(pairs, pool: pool, path: path) == firstDifferences)
                    }
                }
                // What stands next to an array does not change its sum.
                #expect(x.map { WholeArrays.sumsOfSquares([$0])[0] } == first)
            }
        }
    }

    @Test("squares that overflow float32 do not overflow their sum", arguments: paths)
    func large(path: ElementwisePath) {
        withBuffers([[1e30, 1e-30, 3e38]]) {
            let expected = 1e60 + Double(Float(3e38)) * Double(Float(3e38))
            #expect(abs(WholeArrays.sumsOfSquares($0, pool: .single, path: path)[0] / expected - 1) < 1e-6)
        }
    }

    @Test("averages move, and bfloat16 rounds to the nearest, ties to even", arguments: paths)
    func copies(path: ElementwisePath) {
        for count in Self.sizes {
            let x = numbers(count, 3)
            let start = numbers(count, 4)
            var y = start
            x.withUnsafeBufferPointer { x in
                y.withUnsafeMutableBufferPointer { y in
                    WholeArrays.move([(y, x)], by: 0.25, pool: .single, path: path)
                }
            }
            for i in 0..<count { #expect(abs(y[i] - (0.75 * start[i] + 0.25 * x[i])) < 2e-7) }
        }
        let x: [Float] =
            [
                1, 1.00390625, 1.01171875, 1.0039064, -1.00390625, 0, -0.0, .infinity, 3.4e38, .leastNonzeroMagnitude,
                .nan,
            ]
            + numbers(30, 5)
        let rounded: [Float] = [1, 1, 1.015625, 1.0078125, -1, 0, -0.0, .infinity, .infinity, 0]
        var y = [Float](repeating: 9, count: x.count)
        x.withUnsafeBufferPointer { x in
            y.withUnsafeMutableBufferPointer { y in
                WholeArrays.roundToBFloat16([(y, x)], pool: .single, path: path)
            }
        }
        #expect(Array(y[..<10]) == rounded)
        #expect(y[10].isNaN)
        for (x, y) in zip(x[11...], y[11...]) {
            #expect(y.bitPattern & 0xffff == 0)
            #expect(abs(x - y) <= abs(x) / 256)
        }
    }
}
