internal import Kernels

/// The rows in which a loop passes over up to four tensors of one shape.
///
/// Axes of size one are left out, and axes that continue each other in every operand are joined, so that contiguous
/// tensors are one long row. A loop works on a row with one stride an operand; an odometer moves from row to row.
struct Walk {
    /// Distances between neighbors, an operand each.
    struct Strides: Equatable {
        var a = 0
        var b = 0
        var c = 0
        var d = 0

        func times(_ n: Int) -> Strides { Strides(a: a * n, b: b * n, c: c * n, d: d * n) }

        mutating func move(_ n: Int, _ strides: Strides) {
            a += n * strides.a
            b += n * strides.b
            c += n * strides.c
            d += n * strides.d
        }
    }

    /// Elements of a row and the distances along it.
    private(set) var length = 1
    private(set) var row = Strides()
    /// The axes outside the row, the first the slowest.
    private var sizes: [Int] = []
    private var strides: [Strides] = []
    /// How many rows there are.
    private(set) var rows = 1

    init(_ shape: [Int], _ a: [Int], _ b: [Int]? = nil, _ c: [Int]? = nil, _ d: [Int]? = nil) {
        guard !shape.contains(0) else {
            (length, rows) = (0, 0)
            return
        }
        for axis in shape.indices where shape[axis] != 1 {
            let next = Strides(a: a[axis], b: b?[axis] ?? 0, c: c?[axis] ?? 0, d: d?[axis] ?? 0)
            if strides.last == next.times(shape[axis]) {
                sizes[sizes.count - 1] *= shape[axis]
                strides[strides.count - 1] = next
            } else {
                sizes.append(shape[axis])
                strides.append(next)
            }
        }
        if let size = sizes.popLast(), let stride = strides.popLast() { (length, row) = (size, stride) }
        rows = sizes.reduce(1, *)
    }

    /// Calls `body` for each row, or part of a long one, with the offsets of its first elements; large work is shared
    /// by threads. Rows must not depend on each other.
    ///
    /// - Parameter grain: elements that one chunk has about: it is chosen by the cost of an element, never by the
    ///   number of threads.
    func forEachRow(grain: Int = 1 << 16, _ body: (_ place: Strides, _ count: Int) -> Void) {
        if rows == 0 { return }
        if rows * length < 2 * grain {
            forEachRow(in: 0..<rows) { body($0, length) }
        } else if rows == 1 {
            ThreadPool.shared.run(chunks: (length + grain - 1) / grain) { chunk, _ in
                body(row.times(chunk * grain), min(grain, length - chunk * grain))
            }
        } else {
            let group = max(1, grain / length)
            ThreadPool.shared.run(chunks: (rows + group - 1) / group) { chunk, _ in
                forEachRow(in: chunk * group..<min(rows, (chunk + 1) * group)) { body($0, length) }
            }
        }
    }

    /// Calls `body` with the offsets of the first elements of these rows, in their order.
    func forEachRow(in range: Range<Int>, _ body: (Strides) -> Void) {
        var index = [Int](repeating: 0, count: sizes.count)
        var place = Strides()
        var rest = range.lowerBound
        for axis in sizes.indices.reversed() {
            index[axis] = rest % sizes[axis]
            rest /= sizes[axis]
            place.move(index[axis], strides[axis])
        }
        for _ in range {
            body(place)
            var axis = sizes.count - 1
            while axis >= 0 {
                index[axis] += 1
                place.move(1, strides[axis])
                if index[axis] < sizes[axis] { break }
                place.move(-sizes[axis], strides[axis])
                index[axis] = 0
                axis -= 1
            }
        }
    }
}
