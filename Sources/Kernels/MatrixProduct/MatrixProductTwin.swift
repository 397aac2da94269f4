/// The scalar reference of every matrix product: the textbook's sums, in float64 and beyond.
package enum MatrixProductTwin {
    /// One row of C: its sums, what rounding took from them, and Σ|a||b|, which bounds the error that is allowed.
    package struct Row {
        package var index: Int
        package var sums: [Double]
        /// For float64, the part of each sum that float64 cannot hold; else zero.
        package var remainders: [Double]
        package var magnitudes: [Double]
    }

    /// Rows of A B for row-major A [m, k] and B [k, n].
    static func rows<Element: MatrixElement>(_ rows: [Int], of problem: MatrixProductProblem<Element>) -> [Row] {
        rows.map { row($0, problem.viewA, problem.viewB) }
    }

    /// Row `index` of A B. Products of float32 are exact in float64; those of float64 keep their rounding errors.
    @_specialize(where Element == Float)
    @_specialize(where Element == Double)
    package static func row<Element: MatrixElement>(_ index: Int, _ a: MatrixView<Element>, _ b: MatrixView<Element>)
        -> Row
    {
        let columns = b.columns
        let zeros = [Double](repeating: 0, count: columns)
        var row = Row(index: index, sums: zeros, remainders: zeros, magnitudes: zeros)
        let isDouble = Element.self == Double.self
        row.sums.withUnsafeMutableBufferPointer { sums in
            row.remainders.withUnsafeMutableBufferPointer { remainders in
                row.magnitudes.withUnsafeMutableBufferPointer { magnitudes in
                    for p in 0..<a.columns {
                        let factor = Double(a.pointer[index * a.rowStride + p * a.columnStride])
                        let rowOfB = b.pointer + p * b.rowStride
                        for j in 0..<columns {
                            let other = Double(rowOfB[j * b.columnStride])
                            let product = factor * other
                            let sum = sums[j] + product
                            if isDouble {
                                remainders[j] +=
                                    lost(adding: product, to: sums[j], giving: sum)
                                    + (-product).addingProduct(factor, other)
                            }
                            sums[j] = sum
                            magnitudes[j] += abs(product)
                        }
                    }
                }
            }
        }
        return row
    }

    /// What `sum`, the rounded sum of two numbers, lacks (Knuth, The Art of Computer Programming 2, theorem 4.2.2 B).
    private static func lost(adding b: Double, to a: Double, giving sum: Double) -> Double {
        let partOfB = sum - a
        return (a - (sum - partOfB)) + (b - partOfB)
    }
}
