internal import CKernels

extension Gradients {
    /// y = x with the first 2 · pairs numbers of each head turned by the angles of its position; the rest is copied.
    ///
    /// - Parameters:
    ///   - x: `[rows, heads, width]`, row r standing at position r modulo `positions`.
    ///   - cosines: `[positions, pairs]`, and so `sines`.
    ///   - isBack: turns by the opposite angles: the gradient.
    ///   - isAdjacent: pairs are (2i, 2i + 1); else (i, i + pairs).
    /// - Source: Su et al., RoFormer, 2021, equation 34.
    public static func rotate(
        _ x: UnsafePointer<Float>, cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>, isBack: Bool,
        isAdjacent: Bool, into y: UnsafeMutablePointer<Float>, rows: Int, positions: Int, heads: Int, width: Int,
        pairs: Int, pool: ThreadPool = .shared
    ) {
        guard rows > 0, heads * width > 0 else { return }
        withUnsafeTemporaryAllocation(of: Float.self, capacity: positions * pairs) { opposite in
            var angles = sines
            if isBack, let start = opposite.baseAddress {
                for i in 0..<positions * pairs { start[i] = -sines[i] }
                angles = UnsafePointer(start)
            }
            inChunks(rows: rows, columns: heads * width, pool: pool) { first, count in
                for row in first..<first + count {
                    let to = y + row * heads * width
                    to.update(from: x + row * heads * width, count: heads * width)
                    let place = row % positions * pairs
                    Elementwise.rotate(
                        to, heads: heads, headWidth: width, pairs: pairs, isAdjacent: isAdjacent,
                        cosines: cosines + place, sines: angles + place)
                }
            }
        }
    }
}
