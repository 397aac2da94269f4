internal import Kernels

/// A rotation of two neighboring rows: (c a + s b, c b - s a).
struct Rotation: Sendable {
    var cosine: Double
    var sine: Double

    /// The rotation that turns (f, g) into (r, 0).
    static func annihilating(_ f: Double, _ g: Double) -> (Rotation, length: Double) {
        if g == 0 { return (Rotation(cosine: 1, sine: 0), f) }
        if f == 0 { return (Rotation(cosine: 0, sine: 1), g) }
        let length = abs(f) > abs(g) ? Householder.hypotenuse(f, g) : Householder.hypotenuse(g, f)
        let r = f < 0 ? -length : length
        return (Rotation(cosine: f / r, sine: g / r), r)
    }
}

/// Sweeps of rotations that wait to be applied to the rows of a matrix.
///
/// Vectors never act on the values that the sweeps come from, so several sweeps can be applied at once: the columns,
/// which do not depend on each other, are cut into strips that stay in the cache meanwhile and are shared by threads.
struct PendingRotations {
    private let matrix: Matrix?
    private var sweeps: [(first: Int, rotations: [Rotation])] = []
    private var count = 0

    /// Elements of a strip: 256 KiB.
    private static let stripElements = 1 << 15

    /// - Parameter matrix: `nil` if vectors are not requested.
    init(for matrix: Matrix?) { self.matrix = matrix }

    /// Adds a sweep: rotation i is of the rows `first + i` and `first + i + 1`, one after the other.
    mutating func append(from first: Int, _ rotations: [Rotation]) {
        guard let matrix else { return }
        sweeps.append((first, rotations))
        count += rotations.count
        if count >= 32 * matrix.rows { apply() }
    }

    /// Applies what waits.
    mutating func apply() {
        guard let matrix, count > 0 else { return }
        let strip = max(8, Self.stripElements / matrix.rows / 8 * 8)
        let sweeps = sweeps
        ThreadPool.shared.run(chunks: (matrix.columns + strip - 1) / strip) { chunk, _ in
            let start = chunk * strip
            let width = min(strip, matrix.columns - start)
            // A copy of its own: neighboring strips of two threads would pull each other's lines out of the cache.
            withUnsafeTemporaryAllocation(of: Double.self, capacity: matrix.rows * width) { memory in
                let copy = memory.baseAddress!
                for row in 0..<matrix.rows {
                    (copy + row * width).update(from: matrix.row(row) + start, count: width)
                }
                for (first, rotations) in sweeps { Self.rotate(copy + first * width, width, rotations) }
                for row in 0..<matrix.rows {
                    (matrix.row(row) + start).update(from: copy + row * width, count: width)
                }
            }
        }
        self.sweeps.removeAll(keepingCapacity: true)
        count = 0
    }

    /// One sweep over one strip.
    private static func rotate(_ rows: UnsafeMutablePointer<Double>, _ width: Int, _ rotations: [Rotation]) {
        var a = rows
        for rotation in rotations {
            let b = a + width
            let (c, s) = (rotation.cosine, rotation.sine)
            for index in 0..<width {
                let (x, y) = (a[index], b[index])
                a[index] = c * x + s * y
                b[index] = c * y - s * x
            }
            a = b
        }
    }
}
