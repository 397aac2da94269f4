/// The size that a part of a layout requests.
public enum Extent: Hashable, Sendable {
    /// A fixed number of cells, or fewer if the area is too small.
    case fixed(Int)
    /// A share of the remaining cells by weight, with a minimum if there is room for it.
    case weight(Double, minimum: Int = 0)
}

/// Division of areas into parts next to or below each other, without overlap.
public enum Layout {
    /// Returns parts from top to bottom, separated by `spacing` blank rows.
    public static func rows(_ extents: [Extent], in area: Rect, spacing: Int = 0) -> [Rect] {
        var rest = area
        return divide(area.rows, extents, spacing: spacing).enumerated().map { index, length in
            if index > 0 { _ = rest.takeTop(spacing) }
            return rest.takeTop(length)
        }
    }

    /// Returns parts from left to right, separated by `spacing` blank columns.
    public static func columns(_ extents: [Extent], in area: Rect, spacing: Int = 0) -> [Rect] {
        var rest = area
        return divide(area.columns, extents, spacing: spacing).enumerated().map { index, length in
            if index > 0 { _ = rest.takeLeft(spacing) }
            return rest.takeLeft(length)
        }
    }

    /// Returns the height of a framed pane, including its border, for text about the item under a cursor.
    ///
    /// The number of rows is rounded up to a multiple of five, so that the border rarely moves when the text changes.
    public static func framedRows(_ rows: Int) -> Int { 2 + (rows + 4) / 5 * 5 }

    /// Divides a length into parts and returns their lengths.
    ///
    /// Cells go to fixed parts first, in order, then to the minimums. Weights divide the remaining cells by the method
    /// of largest remainders. The sum of the lengths and the spacing never exceeds the length.
    public static func divide(_ length: Int, _ extents: [Extent], spacing: Int = 0) -> [Int] {
        var free = max(0, length - max(0, spacing) * max(0, extents.count - 1))
        var lengths = [Int](repeating: 0, count: extents.count)
        var sharing: [(index: Int, weight: Double, minimum: Int)] = []
        for (index, extent) in extents.enumerated() {
            switch extent {
            case .fixed(let cells):
                lengths[index] = min(max(0, cells), free)
                free -= lengths[index]
            case .weight(let weight, let minimum):
                sharing.append((index, weight.isFinite ? max(0, weight) : 0, max(0, minimum)))
            }
        }
        // A part whose share is below its minimum gets the minimum, and the rest is divided again among the remaining
        // parts.
        while true {
            let total = sharing.reduce(0) { $0 + $1.weight }
            let isShort: (Double, Int) -> Bool = { weight, minimum in
                Double(minimum) > (total > 0 ? Double(free) * weight / total : 0)
            }
            guard let part = sharing.firstIndex(where: { isShort($0.weight, $0.minimum) }) else { break }
            let (index, _, minimum) = sharing.remove(at: part)
            lengths[index] = min(minimum, free)
            free -= lengths[index]
        }
        share(free, among: sharing.map { ($0.index, $0.weight) }, into: &lengths)
        return lengths
    }

    /// Distributes cells by weight with the largest remainders (Hamilton's method).
    private static func share(_ free: Int, among parts: [(index: Int, weight: Double)], into lengths: inout [Int]) {
        let total = parts.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return }
        var left = free
        var remainders: [(index: Int, remainder: Double)] = []
        for (index, weight) in parts {
            let exact = Double(free) * weight / total
            lengths[index] = Int(exact)
            left -= lengths[index]
            remainders.append((index, exact - Double(lengths[index])))
        }
        remainders.sort { ($1.remainder, $0.index) < ($0.remainder, $1.index) }
        for (index, _) in remainders.prefix(max(0, left)) { lengths[index] += 1 }
    }
}
