import Kernels
import Testing

@Suite("Kernels of sparse features")
struct SparseFeatureTests {
    static let paths = SparseFeaturePath.allCases.filter(\.isPresent)
    static let sizes = [1, 15, 16, 17, 40, 64, 100, 257, 1000]

    private func numbers(_ count: Int, _ seed: UInt64) -> [Float] {
        var bits = SeededBits(seed: seed)
        return (0..<count).map { _ in bits.signedUnit() }
    }

    @Test("the kth largest is what sorting says; a bound is below it and reached by k", arguments: paths)
    func largest(path: SparseFeaturePath) {
        for count in Self.sizes {
            let x = numbers(count, 3).map { max(0, $0) }
            let sorted = x.sorted(by: >)
            for k in [1, 2, count / 2, count] where k > 0 && k <= count {
                let exact = SparseFeatures.largest(k, of: x, count: count, path: path)
                let bound = SparseFeatures.largest(k, of: x, count: count, isBound: true, path: path)
                #expect(exact == sorted[k - 1])
                let reached = x.count { $0 >= bound }
                #expect(bound <= exact && (reached == k || reached > k && bound >= exact * 0.98))
            }
            #expect(SparseFeatures.largest(count + 1, of: x, count: count, path: path) == 0)
        }
    }

    @Test("maxima of groups bound the kth largest; the bias is added", arguments: paths)
    func maxima(path: SparseFeaturePath) {
        for count in Self.sizes {
            for groups in [16, 64] {
                let (x, bias) = (numbers(count, 4), numbers(count, 5))
                var (changed, maxima) = (x, [Float](repeating: -1, count: groups))
                SparseFeatures.maxima(
                    of: &changed, adding: bias, count: count, groups: groups, into: &maxima, path: path)
                #expect(changed == zip(x, bias).map { $0 + $1 })
                for group in 0..<groups {
                    let members = stride(from: group, to: count, by: groups).map { changed[$0] }
                    #expect(maxima[group] == max(0, members.max() ?? 0))
                }
            }
        }
    }

    @Test("gathers places and numbers in order, by one floor and by many", arguments: paths)
    func gather(path: SparseFeaturePath) {
        for count in Self.sizes {
            let (x, floors) = (numbers(count, 6), numbers(count, 7))
            var places = [UInt32](repeating: 0, count: count)
            var found = [Float](repeating: 0, count: count)
            for floor in [-1, 0, 0.5] as [Float] {
                let many = SparseFeatures.gather(
                    x, from: floor, count: count, places: &places, numbers: &found, path: path)
                let expected = x.indices.filter { x[$0] > 0 && x[$0] >= floor }
                #expect(places.prefix(many).map { Int($0) } == expected)
                #expect(Array(found.prefix(many)) == expected.map { x[$0] })
            }
            let many = SparseFeatures.gather(
                x, above: floors, count: count, places: &places, numbers: &found, path: path)
            #expect(places.prefix(many).map { Int($0) } == x.indices.filter { x[$0] > floors[$0] })
        }
    }

    @Test("multiplies a row with the rows that are named, and takes differences", arguments: paths)
    func products(path: SparseFeaturePath) {
        for width in Self.sizes {
            let (rows, y) = (numbers(7 * width, 8), numbers(width, 9))
            let index: [UInt32] = [6, 0, 3, 3]
            var products = [Float](repeating: 0, count: 4)
            index.withUnsafeBufferPointer {
                SparseFeatures.products(of: y, with: $0, of: rows, width: width, into: &products, path: path)
            }
            for (i, row) in index.enumerated() {
                let exact = (0..<width).reduce(0.0) { $0 + Double(rows[Int(row) * width + $1]) * Double(y[$1]) }
                #expect(abs(Double(products[i]) - exact) < 1e-5 * Double(width).squareRoot() + 1e-6)
            }
            let x = numbers(width, 10)
            var (difference, sums) = ([Float](repeating: 9, count: width), [Float](repeating: 1, count: width))
            let squares = SparseFeatures.difference(
                x, y, into: &difference, sums: &sums, count: width, path: path)
            #expect(difference == zip(x, y).map { $0 - $1 })
            #expect(sums == difference.map { 1 + $0 })
            let exact = difference.reduce(0.0) { $0 + Double($1) * Double($1) }
            #expect(abs(Double(squares) - exact) < 1e-5 * exact)
        }
    }
}
