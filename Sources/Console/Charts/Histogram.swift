internal import Formatting
internal import Glibc

/// A histogram with bins of equal width, or of equal ratio on a logarithmic scale.
public struct Histogram: Hashable, Sendable {
    /// Scale of the bins.
    public let scale: AxisScale
    /// Edges of the bins, one more than the number of bins.
    public let edges: [Double]
    /// Number of values per bin.
    public let counts: [Int]
    /// Number of values outside all bins: values that are not finite and, on a logarithmic scale, values of 0 or less.
    public let outside: Int

    /// Creates a histogram with about `bins` bins and round edges.
    ///
    /// - Parameter whole: Possible range of the values, such as 0 to 1. If all values are in it, the bins divide this
    ///   range (default: the range of the values). Logarithmic scales ignore it.
    /// - Complexity: O(values).
    public init(
        _ values: some Collection<Double>, bins: Int, scale: AxisScale = .linear, whole: ClosedRange<Double>? = nil
    ) {
        self.scale = scale
        var lower = Double.infinity
        var upper = -Double.infinity
        var outside = 0
        for value in values {
            guard value.isFinite, scale == .linear || value > 0 else {
                outside += 1
                continue
            }
            lower = min(lower, value)
            upper = max(upper, value)
        }
        self.outside = outside
        guard lower <= upper else {
            edges = []
            counts = []
            return
        }
        let limit = max(1, min(bins, 10_000))
        let edges: [Double]
        if let whole, scale == .linear, whole.lowerBound <= lower, upper <= whole.upperBound,
            whole.upperBound > whole.lowerBound
        {
            edges = Self.edges(dividing: whole, bins: limit)
        } else {
            edges = Self.edges(from: lower, to: upper, bins: limit, scale)
        }
        var counts = [Int](repeating: 0, count: edges.count - 1)
        for value in values where value.isFinite && (scale == .linear || value > 0) {
            counts[Self.bin(of: value, in: edges)] += 1
        }
        self.edges = edges
        self.counts = counts
    }

    /// Number of values in all bins.
    public var total: Int { counts.reduce(0, +) }

    /// Returns the bin that contains a value. A bin contains its lower edge; only the last bin contains its upper edge.
    private static func bin(of value: Double, in edges: [Double]) -> Int {
        var low = 0
        var high = edges.count - 1
        while high - low > 1 {
            let middle = (low + high) / 2
            if edges[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }

    /// Returns the edges of the largest number of bins that divides a range evenly at round values.
    private static func edges(dividing range: ClosedRange<Double>, bins: Int) -> [Double] {
        let count = [20, 10, 5, 4, 2].first { $0 <= bins } ?? 1
        let length = range.upperBound - range.lowerBound
        return (0...count).map { range.lowerBound + length * Double($0) / Double(count) }
    }

    private static func edges(from lower: Double, to upper: Double, bins: Int, _ scale: AxisScale) -> [Double] {
        switch scale {
        case .linear:
            let length = upper - lower
            guard length > 0, length.isFinite else { return [lower, max(lower.nextUp, lower + 1)] }
            // Find the smallest round step that gives at most `bins` bins.
            var exponent = max(-330, floor(log10(length / Double(bins))) - 1)
            while true {
                for factor in [1.0, 2, 2.5, 5] {
                    let step = factor * pow(10, exponent)
                    let first = (lower / step).rounded(.down)
                    let last = (upper / step).rounded(.down) + 1
                    guard step > 0, last > first, last - first <= Double(bins) || exponent > 320 else { continue }
                    return (0...Int(last - first)).map { (first + Double($0)) * step }
                }
                exponent += 1
            }
        case .logarithmic:
            // Divide each decade into 1, 2, 3, 5, or 10 bins.
            let decades = max(1, Int(floor(log10(upper)) - floor(log10(lower))) + 1)
            let perDecade = [10, 5, 3, 2].first { $0 * decades <= bins } ?? 1
            let first = Int(floor(log10(lower) * Double(perDecade) + 1e-9))
            let last = max(first + 1, Int(floor(log10(upper) * Double(perDecade) + 1e-9)) + 1)
            return (first...last).map { pow(10, Double($0) / Double(perDecade)) }
        }
    }

    /// Draws the bins as columns above an axis, with the largest count at the top left.
    public func draw(into surface: inout Surface, in area: Rect, role: Role = .series1, theme: Theme) {
        guard area.rows >= 3, area.columns >= 10, !counts.isEmpty else { return }
        var plot = area
        let greatest = Format.compact(counts.max() ?? 0)
        let margin = plot.takeLeft(greatest.utf8.count + 1)
        surface.put(greatest, at: margin.origin, style: theme[.dim])
        let axis = plot.takeBottom(2)
        let wide = max(1, plot.columns / counts.count)
        let shown = counts.count <= plot.columns ? counts : merged(into: plot.columns)
        var heights: [Double] = []
        for count in shown { heights += Array(repeating: Double(count), count: shown.count == counts.count ? wide : 1) }
        // Gaps between wide bins make them easier to count.
        if shown.count == counts.count, wide > 2 {
            for index in stride(from: wide - 1, to: heights.count, by: wide) { heights[index] = .nan }
        }
        Sparkline(heights, range: 0...Double(max(1, shown.max() ?? 1)))
            .draw(into: &surface, in: plot, style: theme[role], theme: theme)
        surface.fill(
            Rect(column: axis.column, row: axis.row, columns: heights.count, rows: 1), with: theme.glyphs.horizontal,
            style: theme[.border])
        drawLabels(into: &surface, in: axis, across: heights.count, theme: theme)
    }

    private func merged(into columns: Int) -> [Int] {
        (0..<columns).map { column in
            counts[column * counts.count / columns..<(column + 1) * counts.count / columns].reduce(0, +)
        }
    }

    private func drawLabels(into surface: inout Surface, in axis: Rect, across columns: Int, theme: Theme) {
        let labels = edges.enumerated().map { index, edge in
            let (mark, text) = (axis.column + index * columns / max(1, counts.count), Format.compact(edge))
            return (mark: min(mark, axis.endColumn - 1), start: min(mark, axis.endColumn - text.count), text: text)
        }
        // Space labels evenly, with at least two blanks between them, and label both ends if possible.
        func shown(_ step: Int) -> [(mark: Int, start: Int, text: String)] {
            stride(from: 0, to: labels.count, by: step).map { labels[$0] }
        }
        let clear = (1...max(1, counts.count)).filter { step in
            let labels = shown(step)
            return zip(labels, labels.dropFirst()).allSatisfy { $0.start + $0.text.count + 2 <= $1.start }
        }
        let step = clear.first { counts.count.isMultiple(of: $0) && 2 * $0 <= counts.count } ?? clear.first
        for label in shown(step ?? labels.count) {
            surface.put(theme.glyphs.teeDown, at: Point(column: label.mark, row: axis.row), style: theme[.border])
            surface.put(label.text, at: Point(column: label.start, row: axis.row + 1), style: theme[.dim])
        }
    }
}
