/// The loops that turn weights into cells.
enum CellReduction {
    /// Cells of one query: planes of `columns` numbers each, as `AttentionMeasure.plane` numbers them; value-weighted
    /// ones are divided by their sum over all keys.
    ///
    /// - Parameters:
    ///   - weights: Weights of keys `0 ..< count`.
    ///   - norms: ‖v‖ of the same keys.
    ///   - side: Number of keys per cell, a multiple of 4.
    static func reduce(
        _ weights: UnsafePointer<Float>, norms: UnsafePointer<Float>, count: Int, side: Int,
        into cells: UnsafeMutablePointer<Float>, columns: Int
    ) {
        let (greatest, sums) = (cells, cells + columns)
        let (weightedGreatest, weightedSums) = (cells + 2 * columns, cells + 3 * columns)
        var total: Float = 0
        for column in 0..<columns {
            let (first, end) = (column * side, min((column + 1) * side, count))
            var (high, sum) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            var (weightedHigh, weightedSum) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
            var key = first
            while key + 4 <= end {
                let a = UnsafeRawPointer(weights + key).loadUnaligned(as: SIMD4<Float>.self)
                let b = a * UnsafeRawPointer(norms + key).loadUnaligned(as: SIMD4<Float>.self)
                high.replace(with: a, where: a .> high)
                weightedHigh.replace(with: b, where: b .> weightedHigh)
                sum += a
                weightedSum += b
                key += 4
            }
            var (most, all) = (high.max(), sum.sum())
            var (weightedMost, weightedAll) = (weightedHigh.max(), weightedSum.sum())
            while key < end {
                let (a, b) = (weights[key], weights[key] * norms[key])
                most = max(most, a)
                weightedMost = max(weightedMost, b)
                all += a
                weightedAll += b
                key += 1
            }
            (greatest[column], sums[column]) = (most, all)
            (weightedGreatest[column], weightedSums[column]) = (weightedMost, weightedAll)
            total += weightedAll
        }
        guard total > 0 else { return }
        let scale = 1 / total
        for index in 0..<2 * columns { weightedGreatest[index] *= scale }
    }

    /// Two neighbors become one, in every plane; planes then have (columns + 1) / 2 numbers.
    static func halve(_ cells: UnsafeMutablePointer<Float>, columns: Int) -> Int {
        let half = (columns + 1) / 2
        for plane in 0..<CellRow.measures {
            let (from, to) = (cells + plane * columns, cells + plane * half)
            for column in 0..<half {
                let left = from[2 * column]
                let right = 2 * column + 1 < columns ? from[2 * column + 1] : 0
                to[column] = plane % 2 == 0 ? max(left, right) : left + right
            }
        }
        return half
    }

    /// What a row of cells knows, and what another query or row adds to it.
    ///
    /// - Parameter columns: Of `cells`; the row has as many or more.
    static func merge(
        _ cells: UnsafePointer<Float>, columns: Int, into row: UnsafeMutablePointer<Float>, rowColumns: Int
    ) {
        for plane in 0..<CellRow.measures {
            let (from, to) = (cells + plane * columns, row + plane * rowColumns)
            if plane % 2 == 0 {
                for column in 0..<columns where from[column] > to[column] { to[column] = from[column] }
            } else {
                for column in 0..<columns { to[column] += from[column] }
            }
        }
    }
}
