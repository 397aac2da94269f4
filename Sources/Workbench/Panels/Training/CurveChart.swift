internal import Console
internal import TrainingLab

/// Curves of one series over each other: a band from least to greatest where a column holds several points, and the
/// smoothed line on it.
struct CurveChart: Sendable {
    /// The shown run's first.
    var curves: [RunCurve] = []
    /// What is drawn; nil until a run is shown.
    var series: String?
    var axis = CurveAxis.step
    /// The weight of what was before: TensorBoard's smoothing, from 0 to 0.99.
    var smoothing = 0.6
    var isLogVertical = false
    var isLogHorizontal = false
    /// The column that is read, counted in buckets; nil reads the end.
    var cursor: Int?

    static let smoothings = [0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99]

    /// Buckets for a pane of so many columns: two dots a cell, beside the labels of the axis.
    static func buckets(of columns: Int) -> Int { max(16, (columns - 10) * 2) }

    /// Where the cursor may stand: every column in which the first curve has a point.
    var places: [Int] { curves.first?.buckets.filter { $0.count > 0 }.map(\.column) ?? [] }

    mutating func moveCursor(by step: Int) {
        let places = places
        guard !places.isEmpty else { return }
        let here = cursor.flatMap { cursor in places.lastIndex { $0 <= cursor } } ?? places.count - 1
        let next = here + step
        // Beyond the end it follows the end again.
        cursor = next >= places.count ? nil : places[max(0, next)]
    }

    /// What a curve says under the cursor: where, its value, and its value when smoothed.
    func reading(of curve: RunCurve) -> (x: Double, value: Double, smoothed: Double)? {
        let bucket =
            cursor.map { cursor in curve.buckets.last { $0.count > 0 && $0.column <= cursor } }
            ?? curve.buckets.last { $0.count > 0 }
        return bucket.map { ($0.lastX, $0.mean, $0.smoothed) }
    }

    func draw(into surface: inout Surface, in area: Rect, names: [Int64: String], theme: Theme) {
        var area = area
        if curves.count > 1 || cursor != nil {
            drawNames(into: &surface, in: area.takeTop(min(curves.count, 4)), names, theme)
        }
        guard let xs = xRange, let ys = yRange else { return drawNothing(into: &surface, in: area, theme: theme) }
        let axes = ChartAxes(
            horizontal: isLogHorizontal ? .logarithmic : .linear, xs,
            vertical: isLogVertical ? .logarithmic : .linear, ys)
        guard let plot = axes.draw(into: &surface, in: area, theme: theme) else { return }
        drawBands(into: &surface, plot, axes, theme)
        drawLines(into: &surface, plot, axes, theme)
        drawCursor(into: &surface, plot, axes, theme)
        let unit = " \(axis.word)"
        surface.put(
            unit, at: Point(column: plot.endColumn - unit.count, row: plot.endRow), style: theme[.dim])
    }

    /// The color of each run's curve.
    func roles() -> [Int64: Role] {
        Dictionary(
            curves.enumerated().map { ($0.element.run, Role.series($0.offset)) }, uniquingKeysWith: { a, _ in a })
    }

    // MARK: Ranges

    private var xRange: ClosedRange<Double>? {
        guard let range = curves.first?.range else { return nil }
        guard isLogHorizontal else {
            return range.lowerBound < range.upperBound ? range : range.lowerBound - 0.5...range.upperBound + 0.5
        }
        let first = curves.flatMap { $0.buckets.filter { $0.count > 0 && $0.lastX > 0 }.map(\.lastX) }.min() ?? 1
        return first < range.upperBound ? first...range.upperBound : nil
    }

    private var yRange: ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for bucket in curves.lazy.flatMap(\.buckets) where bucket.count > bucket.nonFinite {
            for value in [bucket.minimum, bucket.maximum] where value.isFinite && (!isLogVertical || value > 0) {
                low = min(low, value)
                high = max(high, value)
            }
        }
        guard low <= high else { return nil }
        if low < high { return low...high }
        return isLogVertical ? low / 2...high * 2 : low - max(0.5, abs(low) / 10)...high + max(0.5, abs(high) / 10)
    }

    // MARK: Parts

    /// Least to greatest of each column, dim, behind the lines.
    private func drawBands(into surface: inout Surface, _ plot: Rect, _ axes: ChartAxes, _ theme: Theme) {
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        for curve in curves {
            for bucket in curve.buckets where bucket.count > bucket.nonFinite {
                let low = isLogVertical ? max(bucket.minimum, axes.ys.lowerBound) : bucket.minimum
                guard let from = axes.place(x: bucket.lastX, y: low, on: canvas),
                    let to = axes.place(x: bucket.lastX, y: bucket.maximum, on: canvas)
                else { continue }
                canvas.line(from: from, to: to)
            }
        }
        canvas.draw(into: &surface, at: plot.origin, roles: [.faint], theme: theme)
    }

    private func drawLines(into surface: inout Surface, _ plot: Rect, _ axes: ChartAxes, _ theme: Theme) {
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        // The shown run last, on top.
        for (index, curve) in curves.enumerated().reversed() {
            var last: Point?
            for bucket in curve.buckets where bucket.count > 0 {
                // A column without a finite number breaks the line.
                guard bucket.smoothed.isFinite, bucket.count > bucket.nonFinite,
                    let place = axes.place(x: bucket.lastX, y: bucket.smoothed, on: canvas)
                else {
                    last = nil
                    continue
                }
                canvas.line(from: last ?? place, to: place, series: index)
                last = place
            }
        }
        canvas.draw(into: &surface, at: plot.origin, roles: curves.indices.map { Role.series($0) }, theme: theme)
    }

    private func drawCursor(into surface: inout Surface, _ plot: Rect, _ axes: ChartAxes, _ theme: Theme) {
        guard cursor != nil, let curve = curves.first, let reading = reading(of: curve) else { return }
        let canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        guard let place = axes.place(x: reading.x, y: axes.ys.upperBound, on: canvas) else { return }
        let column = plot.column + place.column * plot.columns / max(1, canvas.columns)
        for row in plot.row..<plot.endRow where surface[Point(column: column, row: row)] == .blank {
            surface.put(theme.glyphs.vertical, at: Point(column: column, row: row), style: theme[.dim])
        }
    }

    /// A line a curve: whose it is, and what it says under the cursor.
    private func drawNames(into surface: inout Surface, in area: Rect, _ names: [Int64: String], _ theme: Theme) {
        for (index, curve) in curves.prefix(area.rows).enumerated() {
            var line = StyledLine([
                .init(String(repeating: String(Character(theme.glyphs.horizontal)), count: 2), .series(index)),
                .init(" " + (names[curve.run] ?? "run \(curve.run)"), index == 0 ? .text : .dim),
            ])
            if let reading = reading(of: curve) {
                line.append("   \(axis.word) \(axis.text(reading.x))", .dim)
                line.append("   \(AxisLabel.text(reading.smoothed))", .text)
                if smoothing > 0 { line.append("  (\(AxisLabel.text(reading.value)))", .dim) }
            }
            surface.put(line, at: Point(column: area.column, row: area.row + index), theme: theme, width: area.columns)
        }
    }

    private func drawNothing(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let sentence = series == nil ? "no curve yet" : "no finite value of \(series ?? "") yet"
        let column = area.column + max(0, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }
}

extension CurveAxis {
    /// What stands under the axis.
    var word: String {
        switch self {
        case .step: "step"
        case .time: "time"
        case .units: "units"
        }
    }

    func text(_ x: Double) -> String {
        switch self {
        case .step, .units: Format.compact(Int(x.rounded()))
        case .time: Format.duration(nanoseconds: Int((x * 1e9).rounded()))
        }
    }

    var next: CurveAxis {
        switch self {
        case .step: .time
        case .time: .units
        case .units: .step
        }
    }
}
