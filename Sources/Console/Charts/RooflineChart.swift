/// A roofline on log-log axes: slanted roofs of the memories, horizontal ones of the arithmetic, their ridges, and each
/// kernel as a letter or dot per memory level, with the spread of its samples.
package struct RooflineChart {
    var roofline: Roofs
    var marks: [Mark]
    var unit: RateUnit

    package init(_ roofs: Roofs, marks: [Mark], unit: RateUnit) {
        roofline = roofs
        self.marks = marks
        self.unit = unit
    }

    /// A limit: operations/s of an arithmetic, or bytes/s of a memory.
    package typealias Roof = (name: String, rate: Double)

    /// The limits of a machine.
    package struct Roofs {
        var compute: [Roof]
        var memory: [Roof]

        package init(compute: [Roof], memory: [Roof]) {
            self.compute = compute
            self.memory = memory
        }

        /// The highest horizontal roof; 0 without one.
        var peak: Double { compute.map(\.rate).max() ?? 0 }

        /// Returns the color of a memory level, for its dots and its name.
        func role(ofLevel name: String) -> Role {
            memory.firstIndex { $0.name == name }.map(Role.series) ?? .series1
        }
    }

    /// A kernel under the roof.
    package struct Mark {
        package var title: String
        /// Operations/s.
        package let rate: Double
        /// Operations/byte for the traffic of each memory level.
        let intensities: [(level: String, value: Double)]
        /// Letter of the mark in the table next to the chart; `nil` draws dots.
        package var sign: Character?
        /// Range of rates that holds most samples.
        package var spread: ClosedRange<Double>?
        /// Role of the dots; `nil` gives each dot the color of its memory level.
        package var role: Role?
        package var isSelected = false
        /// Whether the mark's name is drawn next to it.
        package var isNamed = false

        package init(_ title: String, rate: Double, intensities: [(level: String, value: Double)]) {
            self.title = title
            self.rate = rate
            self.intensities = intensities
        }
    }

    /// Draws the chart.
    ///
    /// - Returns: The free area if there is no room for the chart; otherwise, `nil`.
    package func draw(into surface: inout Surface, in area: Rect, theme: Theme) -> Rect? {
        guard let axes else { return nil }
        var area = area
        let roofs = RoofNames(roofline, unit)
        // Names of horizontal roofs go to the right of the plot, where no lines or kernels cross them.
        let margin = area.columns >= 40 ? area.takeRight(roofs.columns) : nil
        guard let plot = axes.draw(into: &surface, in: area, theme: theme) else { return area }
        drawUnits(into: &surface, in: area, theme: theme)
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        drawRoofs(on: &canvas, axes)
        drawSpreads(on: &canvas, axes)
        canvas.draw(into: &surface, at: plot.origin, roles: lineRoles, theme: theme)
        let place = RooflinePlot(area: plot, canvas: canvas, axes: axes, unit: unit)
        drawRidges(into: &surface, place, theme)
        var labels = RooflineLabels(roofline: roofline, place: place, theme: theme)
        drawSigns(into: &surface, place, &labels, theme)
        labels.drawComputeNames(roofs, in: margin, into: &surface)
        labels.drawMarkNames(marks, into: &surface)
        labels.drawMemoryNames(into: &surface)
        return nil
    }

    /// Axes that hold all dots, all roofs and the ridge of the slowest memory.
    private var axes: ChartAxes? {
        let rates = marks.flatMap { [$0.rate, $0.spread?.lowerBound, $0.spread?.upperBound].compactMap(\.self) }
            .filter { $0 > 0 && $0.isFinite }
        let intensities = marks.flatMap { $0.intensities.map(\.value) }.filter { $0 > 0 && $0.isFinite }
        let peaks = roofline.compute.map(\.rate).filter { $0 > 0 && $0.isFinite }
        guard let top = (peaks + rates).max() else { return nil }
        let slowest = roofline.memory.map(\.rate).filter { $0 > 0 }.min()
        let fastest = roofline.memory.map(\.rate).max()
        let ridge = slowest.map { top / $0 } ?? 10
        let left = min(intensities.min() ?? 1, fastest.map { top / $0 / 8 } ?? 1, 0.25) / 1.6
        let right = max(intensities.max() ?? 1, ridge * 4) * 1.6
        let floor = slowest.map { $0 * left } ?? top / 1_000
        let bottom = max(min(rates.min() ?? top, max(floor, top / 2_000)) / 1.6, top / 1e7)
        return ChartAxes(
            horizontal: .logarithmic, left...right, vertical: .logarithmic,
            bottom / unit.factor...top * 1.8 / unit.factor)
    }

    private func drawUnits(into surface: inout Surface, in area: Rect, theme: Theme) {
        let text = " \(unit.operation)/byte"
        surface.put(
            text, at: Point(column: area.endColumn - text.count, row: area.endRow - 2), style: theme[.dim])
        surface.put(unit.name, at: area.origin, style: theme[.dim])
    }

    // MARK: Roofs

    /// The colors of lines by their series: horizontal roofs, slanted ones, then the spreads of marks.
    private var lineRoles: [Role] {
        let peak = roofline.peak
        return roofline.compute.map { $0.rate == peak ? .text : .dim }
            + roofline.memory.map { roofline.role(ofLevel: $0.name) } + [.dim, .accent]
    }

    private func drawRoofs(on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        let fastest = roofline.memory.map(\.rate).max() ?? .infinity
        for (index, roof) in roofline.compute.enumerated() {
            let start = max(axes.xs.lowerBound, roof.rate / fastest)
            draw(from: (start, roof.rate), to: (axes.xs.upperBound, roof.rate), on: &canvas, axes, series: index)
        }
        let peak = roofline.peak
        for (index, memory) in roofline.memory.enumerated() {
            let end = peak > 0 ? peak / memory.rate : axes.xs.upperBound
            let start = max(axes.xs.lowerBound, axes.ys.lowerBound * unit.factor / memory.rate)
            guard start < end else { continue }
            draw(
                from: (start, start * memory.rate), to: (end, end * memory.rate), on: &canvas, axes,
                series: roofline.compute.count + index)
        }
    }

    /// Draws a vertical line for each mark, from the rate of its slow samples to that of its fast ones.
    private func drawSpreads(on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        let first = roofline.compute.count + roofline.memory.count
        for mark in marks.sorted(by: { !$0.isSelected && $1.isSelected }) {
            guard let spread = mark.spread, spread.lowerBound > 0 else { continue }
            for intensity in mark.intensities {
                draw(
                    from: (intensity.value, spread.lowerBound), to: (intensity.value, spread.upperBound), on: &canvas,
                    axes, series: first + (mark.isSelected ? 1 : 0))
            }
        }
    }

    private func draw(
        from start: (x: Double, y: Double), to end: (x: Double, y: Double), on canvas: inout BrailleCanvas,
        _ axes: ChartAxes, series: Int
    ) {
        guard let first = axes.place(x: start.x, y: start.y / unit.factor, on: canvas),
            let last = axes.place(x: end.x, y: end.y / unit.factor, on: canvas)
        else { return }
        canvas.line(from: first, to: last, series: series)
    }

    private func drawRidges(into surface: inout Surface, _ plot: RooflinePlot, _ theme: Theme) {
        let peak = roofline.peak
        for memory in roofline.memory where peak > 0 {
            guard let cell = plot.cell(x: peak / memory.rate, y: peak) else { continue }
            surface.put(theme.glyphs.diamond, at: cell, style: theme[.dim])
        }
    }

    // MARK: Kernels

    /// Draws the letters and dots of marks. Letters that share a cell are drawn side by side.
    private func drawSigns(
        into surface: inout Surface, _ plot: RooflinePlot, _ labels: inout RooflineLabels, _ theme: Theme
    ) {
        let lettered = marks.filter { $0.sign != nil }
        var taken: Set<Point> = []
        for mark in lettered {
            for intensity in mark.intensities {
                guard let place = plot.cell(x: intensity.value, y: mark.rate),
                    let cell = plot.free(near: place, taken)
                else { continue }
                taken.insert(cell)
                let role = mark.isSelected ? .accent : mark.role ?? roofline.role(ofLevel: intensity.level)
                let style = theme[role].adding(mark.isSelected ? [.bold, .reverse] : .bold)
                surface.put(String(mark.sign ?? " "), at: cell, style: style)
                labels.keepOff(cell)
            }
        }
        // Draw the selected mark last, so that it covers others in its cell.
        for mark in marks.filter({ $0.sign == nil }).sorted(by: { !$0.isSelected && $1.isSelected }) {
            let glyph = mark.isSelected ? theme.glyphs.dot : theme.glyphs.ring
            for intensity in mark.intensities {
                guard let cell = plot.cell(x: intensity.value, y: mark.rate) else { continue }
                let role = mark.isSelected ? .accent : mark.role ?? roofline.role(ofLevel: intensity.level)
                surface.put(glyph, at: cell, style: theme[role])
                labels.keepOff(cell)
            }
        }
    }
}
