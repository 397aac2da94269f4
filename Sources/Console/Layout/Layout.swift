/// How much of a length a part of it wants.
public enum Extent: Hashable, Sendable {
    /// Exactly so many cells, as long as there are any.
    case fixed(Int)
    /// A share of what the fixed parts leave, by weight, and at least a minimum while that can be had.
    case weight(Double, minimum: Int = 0)
}

/// Cuts areas into parts that lie beside or below each other, without gaps or overlap.
public enum Layout {
    /// Parts from top to bottom, with so many blank rows between two.
    public static func rows(_ extents: [Extent], in area: Rect, spacing: Int = 0) -> [Rect] {
        var rest = area
        return divide(area.rows, extents, spacing: spacing).enumerated().map { index, length in
            if index > 0 { _ = rest.takeTop(spacing) }
            return rest.takeTop(length)
        }
    }

    /// Parts from left to right, with so many blank columns between two.
    public static func columns(_ extents: [Extent], in area: Rect, spacing: Int = 0) -> [Rect] {
        var rest = area
        return divide(area.columns, extents, spacing: spacing).enumerated().map { index, length in
            if index > 0 { _ = rest.takeLeft(spacing) }
            return rest.takeLeft(length)
        }
    }

    /// Rows of a framed pane for a text that follows a cursor: at least its own, in steps of five, so that the border
    /// stays in place from one text to the next.
    public static func framedRows(_ rows: Int) -> Int { 2 + (rows + 4) / 5 * 5 }

    /// The lengths of the parts of a length.
    ///
    /// Fixed parts come first, from the front; then the minimums; what is left goes by weight, to the cell, with
    /// remainders to the parts that lost most by rounding. Their sum and the spacing never exceed the length.
    public static func divide(_ length: Int, _ extents: [Extent], spacing: Int = 0) -> [Int] {
        var free = max(0, length - max(0, spacing) * max(0, extents.count - 1))
        var lengths = [Int](repeating: 0, count: extents.count)
        var sharing: [(index: Int, weight: Double, minimum: Int)] = []
        for (index, extent) in extents.enumerated() {
            switch extent {
            case .fixed(let wanted):
                lengths[index] = min(max(0, wanted), free)
                free -= lengths[index]
            case .weight(let weight, let minimum):
                sharing.append((index, weight.isFinite ? max(0, weight) : 0, max(0, minimum)))
            }
        }
        // A part whose share is less than its minimum gets the minimum, and the others share the rest again.
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
