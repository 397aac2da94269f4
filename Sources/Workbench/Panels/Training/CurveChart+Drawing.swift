internal import Console
internal import Training
internal import TrainingLab

extension CurveChart {
    /// Labels of the chart.
    struct Labels {
        var names: [Int64: String] = [:]
        /// Unit of a step's batch, such as `tokens`; empty if unknown.
        var unit = ""
        /// Events of the visible run.
        var marks: [Mark] = []
    }

    /// An event on the axis.
    struct Mark {
        var step: Int
        /// Seconds since the run's origin.
        var time: Double
        /// Tokens or examples until then.
        var units: Double
        var kind: RunEvent.Kind
    }

    func draw(into surface: inout Surface, in area: Rect, _ labels: Labels, theme: Theme) {
        var area = area
        let legend = CurveLegend(chart: self, labels: labels)
        legend.draw(into: &surface, in: area.takeTop(legend.rows(of: area)), theme: theme)
        guard let axes else { return drawNothing(into: &surface, in: area, theme: theme) }
        let unit = CurveUnit(axis: leading?.axis ?? axis, upTo: axes.xs.upperBound, labels.unit)
        var scaled = axes
        scaled.xs = axes.xs.lowerBound / unit.factor...axes.xs.upperBound / unit.factor
        guard let plot = scaled.draw(into: &surface, in: area, theme: theme) else {
            return ProseLines.draw("no room for the chart: z zooms", .dim, into: &surface, in: area, theme: theme)
        }
        drawBands(into: &surface, plot, axes, theme)
        drawLines(into: &surface, plot, axes, theme)
        let marked = drawMarks(into: &surface, plot, axes, labels, theme)
        drawUnit(unit.word, into: &surface, plot, besides: marked, theme)
        drawCursor(into: &surface, plot, axes, theme)
    }

    /// Returns the axis position under a point of the screen; `nil` outside the plot.
    func place(at point: Point, in area: Rect, _ labels: Labels) -> Double? {
        guard let axes, area.contains(point) else { return nil }
        var scratch = Surface(Size(area.endColumn, area.endRow))
        var area = area
        _ = area.takeTop(CurveLegend(chart: self, labels: labels).rows(of: area))
        guard let plot = axes.draw(into: &scratch, in: area, theme: .dark), plot.columns > 1 else { return nil }
        let share = Double(min(max(0, point.column - plot.column), plot.columns - 1)) / Double(plot.columns - 1)
        return axes.horizontal.value(at: share, in: axes.xs)
    }

    // MARK: Ranges

    var axes: ChartAxes? {
        guard let xs = xRange, let ys = yRange else { return nil }
        return ChartAxes(
            horizontal: isLogHorizontal ? .logarithmic : .linear, xs, vertical: isLogVertical ? .logarithmic : .linear,
            ys)
    }

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
        for bucket in (curves + heldOut).lazy.flatMap(\.buckets) where bucket.count > bucket.nonFinite {
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

    /// Draws the range of each column behind the lines.
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
        var ends: [(cell: Point, run: Int64)] = []
        var marks: [(cell: Point, role: Role)] = []
        // Draw held-out data first and the visible run last, on top.
        for curve in heldOut.reversed() {
            let place = order.firstIndex(of: curve.run) ?? 0
            let cells = draw(curve, series: order.count + place, on: &canvas, plot, axes)
            marks += Self.spread(cells).map { ($0, heldOutRole(place)) }
        }
        for curve in curves.reversed() {
            let cells = draw(curve, series: order.firstIndex(of: curve.run) ?? 0, on: &canvas, plot, axes)
            if let end = cells.last { ends.append((end, curve.run)) }
        }
        let roles = order.indices.map { Role.series($0) } + order.indices.map(heldOutRole)
        canvas.draw(into: &surface, at: plot.origin, roles: roles, theme: theme)
        // With ASCII glyphs, each line already has its own sign.
        if !theme.glyphs.isASCII {
            for (cell, role) in marks where plot.contains(cell) {
                surface.put(theme.glyphs.ring, at: cell, style: theme[role])
            }
        }
        // Numbers distinguish the lines if colors do not.
        guard order.count > 1 else { return }
        for (cell, run) in ends where plot.contains(cell) {
            guard let sign = sign(of: run, theme.glyphs), let role = role(of: run) else { continue }
            surface.put(sign, at: cell, style: theme[role])
        }
    }

    /// Returns the color role of a run's held-out curve: the run's own, or for a single run a color other than the
    /// line's.
    func heldOutRole(_ place: Int) -> Role { order.count > 1 ? .series(place) : .series(place + 1) }

    /// Draws one curve.
    ///
    /// - Returns: Cells of its points, from left to right.
    private func draw(
        _ curve: RunCurve, series: Int, on canvas: inout BrailleCanvas, _ plot: Rect, _ axes: ChartAxes
    ) -> [Point] {
        var last: Point?
        var cells: [Point] = []
        for bucket in curve.buckets where bucket.count > 0 {
            // A column without a finite number breaks the line.
            guard bucket.smoothed.isFinite, bucket.count > bucket.nonFinite,
                let place = axes.place(x: bucket.lastX, y: bucket.smoothed, on: canvas)
            else {
                last = nil
                continue
            }
            canvas.line(from: last ?? place, to: place, series: series)
            last = place
            cells.append(cell(of: place, in: plot, canvas))
        }
        return cells
    }

    /// Keeps cells some columns apart; adjacent marks would look like a line.
    private static func spread(_ cells: [Point]) -> [Point] {
        var kept: [Point] = []
        for cell in cells where kept.last.map({ cell.column - $0.column >= 4 }) ?? true { kept.append(cell) }
        return kept
    }

    /// Draws the unit of the axis as far to the right as marks allow.
    private func drawUnit(
        _ unit: String, into surface: inout Surface, _ plot: Rect, besides marked: Set<Int>, _ theme: Theme
    ) {
        let word = " \(unit.truncated(toColumns: max(1, plot.columns / 3))) "
        let width = DisplayWidth.of(word)
        let columns = stride(from: plot.endColumn - width, through: plot.column + plot.columns / 2, by: -1)
        guard let column = columns.first(where: { marked.isDisjoint(with: $0..<$0 + width) }) else { return }
        surface.put(word, at: Point(column: column, row: plot.endRow), style: theme[.dim])
    }

    /// Draws marks for NaN values and for changes to the run on the axis line.
    ///
    /// - Returns: Columns with a mark.
    private func drawMarks(
        into surface: inout Surface, _ plot: Rect, _ axes: ChartAxes, _ labels: Labels, _ theme: Theme
    ) -> Set<Int> {
        var marked: Set<Int> = []
        let canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        func put(_ x: Double, _ glyph: Unicode.Scalar, _ role: Role) {
            guard axes.xs.contains(x), let dot = axes.place(x: x, y: axes.ys.lowerBound, on: canvas) else { return }
            let column = cell(of: dot, in: plot, canvas).column
            guard (plot.column..<plot.endColumn).contains(column) else { return }
            surface.put(glyph, at: Point(column: column, row: plot.endRow), style: theme[role])
            marked.insert(column)
        }
        for mark in labels.marks {
            let x =
                switch leading?.axis ?? axis {
                case .step: Double(mark.step)
                case .time: mark.time
                case .units: mark.units
                }
            switch mark.kind {
            case .diverged, .failed: put(x, theme.glyphs.failed, .failure)
            case .rateChanged: put(x, theme.glyphs.diamond, .warning)
            case .resumed, .continued: put(x, theme.glyphs.collapsed, .warning)
            default: break
            }
        }
        for curve in curves + heldOut {
            for bucket in curve.buckets where bucket.nonFinite > 0 { put(bucket.lastX, theme.glyphs.failed, .failure) }
        }
        return marked
    }

    private func drawCursor(into surface: inout Surface, _ plot: Rect, _ axes: ChartAxes, _ theme: Theme) {
        guard cursor != nil, let curve = leading, let reading = reading(of: curve) else { return }
        let canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        guard let place = axes.place(x: reading.x, y: axes.ys.upperBound, on: canvas) else { return }
        let column = cell(of: place, in: plot, canvas).column
        guard (plot.column..<plot.endColumn).contains(column) else { return }
        for row in plot.row..<plot.endRow where surface[Point(column: column, row: row)] == .blank {
            surface.put(theme.glyphs.vertical, at: Point(column: column, row: row), style: theme[.accent])
        }
    }

    private func cell(of dot: Point, in plot: Rect, _ canvas: BrailleCanvas) -> Point {
        Point(
            column: plot.column + dot.column * plot.columns / max(1, canvas.columns),
            row: plot.row + dot.row * plot.rows / max(1, canvas.rows))
    }

    private func drawNothing(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let sentence =
            switch (series, isLogVertical || isLogHorizontal) {
            case (nil, _): "no curve yet"
            case (_, true): "no positive values for a logarithmic scale"
            case (_, false): curves.isEmpty ? "the run has no such curve" : "no finite values"
            }
        let column = area.column + max(0, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }
}
