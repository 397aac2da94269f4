extension TrendChart {
    /// Draws the legend and the chart, or a sentence if there is nothing to draw.
    ///
    /// - Returns: The area under the legend if it is too small for the chart, so the caller can suggest what to do;
    ///   otherwise, `nil`.
    @discardableResult
    public func draw(into surface: inout Surface, in area: Rect, _ labels: TrendLabels, theme: Theme) -> Rect? {
        var area = area
        let legend = TrendLegend(chart: self, labels: labels)
        legend.draw(into: &surface, in: area.takeTop(legend.rows(of: area)), theme: theme)
        guard let unit = leading?.unit, let axes else {
            drawReason(labels, into: &surface, in: area, theme: theme)
            return nil
        }
        var scaled = axes
        scaled.xs = axes.xs.lowerBound / unit.factor...axes.xs.upperBound / unit.factor
        guard let inside = scaled.draw(into: &surface, in: area, theme: theme) else { return area }
        let plot = TrendPlot(chart: self, axes: axes, area: inside, theme: theme)
        plot.drawBands(into: &surface)
        plot.drawLines(into: &surface)
        let marked = plot.drawMarks(labels.marks, into: &surface)
        plot.drawUnit(unit.word, into: &surface, avoiding: marked)
        plot.drawCursor(into: &surface)
        return nil
    }

    /// Returns the axis position under a point of the screen; `nil` outside the chart's area.
    ///
    /// A point in the legend or next to the plot has the position of the nearest column.
    public func place(at point: Point, in area: Rect, _ labels: TrendLabels) -> Double? {
        guard let axes, area.contains(point) else { return nil }
        var scratch = Surface(Size(area.endColumn, area.endRow))
        var area = area
        _ = area.takeTop(TrendLegend(chart: self, labels: labels).rows(of: area))
        guard let plot = axes.draw(into: &scratch, in: area, theme: .dark), plot.columns > 1 else { return nil }
        let share = Double(min(max(0, point.column - plot.column), plot.columns - 1)) / Double(plot.columns - 1)
        return axes.horizontal.value(at: share, in: axes.xs)
    }

    // MARK: Ranges

    /// Axes for all curves; `nil` if no value has a position on them.
    private var axes: ChartAxes? {
        guard let xs = xRange, let ys = yRange else { return nil }
        return ChartAxes(
            horizontal: isLogHorizontal ? .logarithmic : .linear, xs, vertical: isLogVertical ? .logarithmic : .linear,
            ys)
    }

    private var xRange: ClosedRange<Double>? {
        guard let range = leading?.range else { return nil }
        guard isLogHorizontal else {
            return range.lowerBound < range.upperBound ? range : range.lowerBound - 0.5...range.upperBound + 0.5
        }
        let first = trends.lazy.flatMap(\.buckets).map(\.lastX).filter { $0 > 0 }.min() ?? 1
        return first < range.upperBound ? first...range.upperBound : nil
    }

    private var yRange: ClosedRange<Double>? {
        var (low, high) = (Double.infinity, -Double.infinity)
        for bucket in (trends + companions).lazy.flatMap(\.buckets) where bucket.hasFinite {
            for value in [bucket.minimum, bucket.maximum] where value.isFinite && (!isLogVertical || value > 0) {
                low = min(low, value)
                high = max(high, value)
            }
        }
        guard low <= high else { return nil }
        if low < high { return low...high }
        return isLogVertical ? low / 2...high * 2 : low - max(0.5, abs(low) / 10)...high + max(0.5, abs(high) / 10)
    }

    // MARK: Nothing to draw

    private func drawReason(_ labels: TrendLabels, into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let sentence =
            if labels.curve == nil {
                "no curve yet"
            } else if isLogVertical || isLogHorizontal {
                "no positive values for a logarithmic scale"
            } else {
                trends.isEmpty ? labels.absence : "no finite values"
            }
        let column = area.column + max(0, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }
}
