/// A scatter plot with named points, such as the cost and score of each run.
public struct ScatterChart: Sendable {
    /// A point of a scatter plot.
    public struct Mark: Hashable, Sendable {
        /// Name next to the point.
        public var name: String
        /// Horizontal coordinate.
        public var x: Double
        /// Vertical coordinate.
        public var y: Double
        /// Color of the point.
        public var role: Role

        /// Creates a point.
        public init(_ name: String, x: Double, y: Double, role: Role = .series1) {
            self.name = name
            self.x = x
            self.y = y
            self.role = role
        }
    }

    /// Points of the plot.
    public var marks: [Mark]
    /// Horizontal scale.
    public var horizontal: AxisScale
    /// Vertical scale.
    public var vertical: AxisScale

    /// Creates a scatter plot.
    public init(_ marks: [Mark], horizontal: AxisScale = .linear, vertical: AxisScale = .linear) {
        self.marks = marks
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Draws the axes, the points, and the names that do not overlap; points without a position on an axis are omitted.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let xs = range(horizontal, \.x), let ys = range(vertical, \.y),
            let plot = ChartAxes(horizontal: horizontal, xs, vertical: vertical, ys)
                .draw(into: &surface, in: area, theme: theme)
        else { return }
        var taken: [Rect] = []
        let places = marks.map { mark -> Point? in
            guard let across = horizontal.fraction(of: mark.x, in: xs), let up = vertical.fraction(of: mark.y, in: ys)
            else { return nil }
            return Point(
                column: plot.column + Int((across * Double(plot.columns - 1)).rounded()),
                row: plot.endRow - 1 - Int((up * Double(plot.rows - 1)).rounded()))
        }
        for case (let place?, let mark) in zip(places, marks) {
            surface.put(theme.glyphs.dot, at: place, style: theme[mark.role])
            taken.append(Rect(column: place.column, row: place.row, columns: 1, rows: 1))
        }
        for case (let place?, let mark) in zip(places, marks) {
            let width = min(DisplayWidth.of(mark.name), plot.columns / 2)
            let right = Rect(column: place.column + 2, row: place.row, columns: width, rows: 1)
            let left = Rect(column: place.column - 1 - width, row: place.row, columns: width, rows: 1)
            let free = [right, left].first { name in
                name.column >= plot.column && name.endColumn <= plot.endColumn
                    && taken.allSatisfy { $0.intersection(name).isEmpty }
            }
            guard let free else { continue }
            surface.put(mark.name, at: free.origin, style: theme[.dim], width: width)
            taken.append(free)
        }
    }

    /// Returns a range that covers all points, with space at both ends and, on a linear scale, round limits.
    private func range(_ scale: AxisScale, _ coordinate: (Mark) -> Double) -> ClosedRange<Double>? {
        let values = marks.map(coordinate).filter { $0.isFinite && (scale == .linear || $0 > 0) }
        guard let smallest = values.min(), let largest = values.max() else { return nil }
        guard scale == .linear else { return smallest / 1.3...largest * 1.3 }
        let air = largest > smallest ? (largest - smallest) * 0.08 : largest == 0 ? 0.5 : abs(largest) * 0.1
        // If no value is negative, do not extend the range below 0.
        let range = (smallest >= 0 ? max(0, smallest - air) : smallest - air)...(largest + air)
        return scale.widened(range, atMost: 6)
    }
}
