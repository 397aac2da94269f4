internal import Console
internal import Glibc
internal import KernelLab

/// A roofline on log-log axes: slanted roofs of the memories, horizontal ones of the arithmetic, their ridges, and each
/// kernel as one dot a memory level.
struct RooflineView {
    var roofline: Roofline
    var marks: [Mark]
    var unit: RateUnit

    /// A kernel on the roof.
    struct Mark {
        var point: RooflinePoint
        /// Of its dots; nil gives each dot the color of its memory level.
        var role: Role?
        var isSelected = false
        /// Whether its name stands beside it.
        var isNamed = false
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let axes, let plot = axes.draw(into: &surface, in: area, theme: theme) else { return }
        drawUnits(into: &surface, in: area, theme: theme)
        var canvas = BrailleCanvas(plot.size, isASCII: theme.glyphs.isASCII)
        drawRoofs(on: &canvas, axes)
        canvas.draw(into: &surface, at: plot.origin, roles: [.border, .dim], theme: theme)
        let place = RooflinePlot(area: plot, canvas: canvas, axes: axes, unit: unit)
        drawRidges(into: &surface, place, theme)
        var labels = RooflineLabels(roofline: roofline, place: place, theme: theme)
        drawDots(into: &surface, place, &labels, theme)
        labels.drawComputeNames(into: &surface)
        labels.drawMarkNames(marks, into: &surface)
        labels.drawMemoryNames(into: &surface)
    }

    /// Axes that hold all dots, all roofs and the ridge of the slowest memory.
    private var axes: ChartAxes? {
        let rates = marks.map(\.point.rate).filter { $0 > 0 && $0.isFinite }
        let intensities = marks.flatMap { $0.point.intensities.map(\.value) }.filter { $0 > 0 && $0.isFinite }
        let peaks = roofline.compute.map(\.rate).filter { $0 > 0 && $0.isFinite }
        guard let top = (peaks + rates).max() else { return nil }
        let slowest = roofline.memory.map(\.bandwidth).filter { $0 > 0 }.min()
        let fastest = roofline.memory.map(\.bandwidth).max()
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

    private func drawRoofs(on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        let fastest = roofline.memory.map(\.bandwidth).max() ?? .infinity
        for roof in roofline.compute {
            let start = max(axes.xs.lowerBound, roof.rate / fastest)
            draw(from: (start, roof.rate), to: (axes.xs.upperBound, roof.rate), on: &canvas, axes, series: 0)
        }
        let peak = roofline.peak
        for memory in roofline.memory {
            let end = peak > 0 ? peak / memory.bandwidth : axes.xs.upperBound
            let start = max(axes.xs.lowerBound, axes.ys.lowerBound * unit.factor / memory.bandwidth)
            guard start < end else { continue }
            draw(
                from: (start, start * memory.bandwidth), to: (end, end * memory.bandwidth), on: &canvas, axes, series: 1
            )
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
            guard let cell = plot.cell(x: peak / memory.bandwidth, y: peak) else { continue }
            surface.put(theme.glyphs.diamond, at: cell, style: theme[.dim])
        }
    }

    // MARK: Kernels

    private func drawDots(
        into surface: inout Surface, _ plot: RooflinePlot, _ labels: inout RooflineLabels, _ theme: Theme
    ) {
        // The selected one last: it stands above what shares its place.
        for mark in marks.sorted(by: { !$0.isSelected && $1.isSelected }) {
            let glyph = mark.isSelected ? theme.glyphs.dot : theme.glyphs.ring
            for intensity in mark.point.intensities {
                guard let cell = plot.cell(x: intensity.value, y: mark.point.rate) else { continue }
                let role = mark.isSelected ? .accent : mark.role ?? roofline.role(ofLevel: intensity.level)
                surface.put(glyph, at: cell, style: theme[role])
                labels.keepOff(cell)
            }
        }
    }
}

extension Roofline {
    /// The highest horizontal roof; 0 without one.
    var peak: Double { compute.map(\.rate).max() ?? 0 }

    /// The color of a memory level, for its dots and its name, where there are several.
    func role(ofLevel name: String) -> Role {
        memory.firstIndex { $0.name == name }.map(Role.series) ?? .series1
    }
}

/// Where values lie on the screen.
struct RooflinePlot {
    var area: Rect
    var canvas: BrailleCanvas
    var axes: ChartAxes
    var unit: RateUnit

    /// The cell of an intensity and a rate; nil outside the plot.
    func cell(x: Double, y: Double) -> Point? {
        guard let dot = axes.place(x: x, y: y / unit.factor, on: canvas) else { return nil }
        let point = Point(
            column: area.column + dot.column * area.columns / max(1, canvas.columns),
            row: area.row + dot.row * area.rows / max(1, canvas.rows))
        return area.contains(point) ? point : nil
    }

    /// The rate that a row of cells stands for, in its middle.
    func rate(ofRow row: Int) -> Double {
        let share = (Double(area.endRow - 1 - row) + 0.5) / Double(max(1, area.rows))
        let (lower, upper) = (axes.ys.lowerBound, axes.ys.upperBound)
        return lower * unit.factor * pow(upper / lower, share)
    }
}
