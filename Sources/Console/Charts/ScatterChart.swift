/// Points of a plane with their names, such as what runs cost against what they reach.
public struct ScatterChart: Sendable {
    public struct Mark: Hashable, Sendable {
        public var name: String
        public var x: Double
        public var y: Double
        public var role: Role

        public init(_ name: String, x: Double, y: Double, role: Role = .series1) {
            self.name = name
            self.x = x
            self.y = y
            self.role = role
        }
    }

    public var marks: [Mark]
    public var horizontal: AxisScale
    public var vertical: AxisScale

    public init(_ marks: [Mark], horizontal: AxisScale = .linear, vertical: AxisScale = .linear) {
        self.marks = marks
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// Draws axes, points and those names that do not run into each other; a point without a place is left out.
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

    /// What holds all points, with air at both ends and a pleasant value at either.
    private func range(_ scale: AxisScale, _ coordinate: (Mark) -> Double) -> ClosedRange<Double>? {
        let values = marks.map(coordinate).filter { $0.isFinite && (scale == .linear || $0 > 0) }
        guard let least = values.min(), let greatest = values.max() else { return nil }
        guard scale == .linear else { return least / 1.3...greatest * 1.3 }
        let air = greatest > least ? (greatest - least) * 0.08 : greatest == 0 ? 0.5 : abs(greatest) * 0.1
        // What is never below nothing gets no scale that is.
        let range = (least >= 0 ? max(0, least - air) : least - air)...(greatest + air)
        return scale.widened(range, atMost: 6)
    }
}
