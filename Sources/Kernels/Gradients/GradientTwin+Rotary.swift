extension GradientTwin {
    /// y = x with the first 2 · pairs numbers of each head turned by the angles of its position; the rest is copied.
    ///
    /// - Parameters:
    ///   - x: `[rows, heads, width]`, row r standing at position r modulo `positions`.
    ///   - cosines: `[positions, pairs]`, and so `sines`.
    ///   - sign: 1, or -1 to turn back: the gradient.
    package static func rotate<T: BinaryFloatingPoint>(
        _ x: UnsafePointer<T>, cosines: UnsafePointer<T>, sines: UnsafePointer<T>, sign: T, isAdjacent: Bool,
        into y: UnsafeMutablePointer<T>, rows: Int, positions: Int, heads: Int, width: Int, pairs: Int
    ) {
        for row in 0..<rows * heads {
            let (x, y) = (x + row * width, y + row * width)
            let angles = row / heads % positions * pairs
            for i in 0..<pairs {
                let (first, second) = isAdjacent ? (2 * i, 2 * i + 1) : (i, i + pairs)
                let (a, b) = (x[first], x[second])
                let (cosine, sine) = (cosines[angles + i], sign * sines[angles + i])
                y[first] = a * cosine - b * sine
                y[second] = b * cosine + a * sine
            }
            for i in 2 * pairs..<width { y[i] = x[i] }
        }
    }
}
