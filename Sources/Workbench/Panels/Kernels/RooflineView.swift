internal import Console
internal import Glibc
internal import KernelLab

/// A roofline on log-log axes: slanted roofs of the memories, horizontal ones of the arithmetic, their ridges, and each
/// kernel as a letter or dot a memory level, with the spread of its samples.
struct RooflineView {
    var roofline: Roofline
    var marks: [Mark]
    var unit: RateUnit

    /// A kernel on the roof.
    struct Mark {
        var point: RooflinePoint
        /// Letter of the mark in the table next to the chart; `nil` draws dots.
        var sign: Character?
        /// Range of rates that holds most samples.
        var spread: ClosedRange<Double>?
        /// Of its dots; `nil` gives each dot the color of its memory level.
        var role: Role?
        var isSelected = false
        /// Whether the mark's name is drawn next to it.
        var isNamed = false
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard let axes else { return }
        var area = area
        let roofs = RoofNames(roofline, unit)
        // Names of horizontal roofs go to the right of the plot, where no lines or kernels cross them.
        let margin = area.columns >= 40 ? area.takeRight(roofs.columns) : nil
        guard let plot = axes.draw(into: &surface, in: area, theme: theme) else {
            return drawTooSmall(into: &surface, in: area, theme: theme)
        }
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
    }

    private func drawTooSmall(into surface: inout Surface, in area: Rect, theme: Theme) {
        ProseLines.draw("no room for the chart: z zooms", .dim, into: &surface, in: area, theme: theme)
    }

    /// Axes that hold all dots, all roofs and the ridge of the slowest memory.
    private var axes: ChartAxes? {
        let rates = marks.flatMap { [$0.point.rate, $0.spread?.lowerBound, $0.spread?.upperBound].compactMap(\.self) }
            .filter { $0 > 0 && $0.isFinite }
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

    /// The colors of lines by their series: horizontal roofs, slanted ones, then the spreads of marks.
    private var lineRoles: [Role] {
        let peak = roofline.peak
        return roofline.compute.map { $0.rate == peak ? .text : .dim }
            + roofline.memory.map { roofline.role(ofLevel: $0.name) } + [.dim, .accent]
    }

    private func drawRoofs(on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        let fastest = roofline.memory.map(\.bandwidth).max() ?? .infinity
        for (index, roof) in roofline.compute.enumerated() {
            let start = max(axes.xs.lowerBound, roof.rate / fastest)
            draw(from: (start, roof.rate), to: (axes.xs.upperBound, roof.rate), on: &canvas, axes, series: index)
        }
        let peak = roofline.peak
        for (index, memory) in roofline.memory.enumerated() {
            let end = peak > 0 ? peak / memory.bandwidth : axes.xs.upperBound
            let start = max(axes.xs.lowerBound, axes.ys.lowerBound * unit.factor / memory.bandwidth)
            guard start < end else { continue }
            draw(
                from: (start, start * memory.bandwidth), to: (end, end * memory.bandwidth), on: &canvas, axes,
                series: roofline.compute.count + index)
        }
    }

    /// Draws a vertical line for each mark, from the rate of its slow samples to that of its fast ones.
    private func drawSpreads(on canvas: inout BrailleCanvas, _ axes: ChartAxes) {
        let first = roofline.compute.count + roofline.memory.count
        for mark in marks.sorted(by: { !$0.isSelected && $1.isSelected }) {
            guard let spread = mark.spread, spread.lowerBound > 0 else { continue }
            for intensity in mark.point.intensities {
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
            guard let cell = plot.cell(x: peak / memory.bandwidth, y: peak) else { continue }
            surface.put(theme.glyphs.diamond, at: cell, style: theme[.dim])
        }
    }

    // MARK: Kernels

    /// Letters of marks that share a cell are drawn side by side, never on top of each other.
    private func drawSigns(
        into surface: inout Surface, _ plot: RooflinePlot, _ labels: inout RooflineLabels, _ theme: Theme
    ) {
        let lettered = marks.filter { $0.sign != nil }
        var taken: Set<Point> = []
        for mark in lettered {
            for intensity in mark.point.intensities {
                guard let place = plot.cell(x: intensity.value, y: mark.point.rate),
                    let cell = plot.free(near: place, taken)
                else { continue }
                taken.insert(cell)
                let role = mark.isSelected ? .accent : mark.role ?? roofline.role(ofLevel: intensity.level)
                let style = theme[role].adding(mark.isSelected ? [.bold, .reverse] : .bold)
                surface.put(String(mark.sign ?? " "), at: cell, style: style)
                labels.keepOff(cell)
            }
        }
        // The selected one last: it stands above what shares its place.
        for mark in marks.filter({ $0.sign == nil }).sorted(by: { !$0.isSelected && $1.isSelected }) {
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

/// A mapping of values to screen positions.
struct RooflinePlot {
    var area: Rect
    var canvas: BrailleCanvas
    var axes: ChartAxes
    var unit: RateUnit

    /// The cell of an intensity and a rate; `nil` outside the plot.
    func cell(x: Double, y: Double) -> Point? {
        guard let dot = axes.place(x: x, y: y / unit.factor, on: canvas) else { return nil }
        let point = Point(
            column: area.column + dot.column * area.columns / max(1, canvas.columns),
            row: area.row + dot.row * area.rows / max(1, canvas.rows))
        return area.contains(point) ? point : nil
    }

    /// The nearest free cell of the row, preferring the right; `nil` if the row is full.
    func free(near cell: Point, _ taken: Set<Point>) -> Point? {
        for distance in 0..<max(1, area.columns) {
            for column in [cell.column + distance, cell.column - distance] {
                let point = Point(column: column, row: cell.row)
                if area.contains(point), !taken.contains(point) { return point }
            }
        }
        return nil
    }

    /// The rate that a row of cells stands for, in its middle.
    func rate(ofRow row: Int) -> Double {
        let share = (Double(area.endRow - 1 - row) + 0.5) / Double(max(1, area.rows))
        let (lower, upper) = (axes.ys.lowerBound, axes.ys.upperBound)
        return lower * unit.factor * pow(upper / lower, share)
    }
}

/// Names of horizontal roofs. Roofs of one height share a line, and words common to all names are left out: `247
/// AVX-512`, `124 AVX2`.
struct RoofNames {
    /// Lines, highest first.
    let names: [(text: String, roof: Roofline.ComputeRoof)]
    /// Width of the margin for the names, with a blank on each side.
    var columns: Int { names.isEmpty ? 0 : 2 + (names.map { DisplayWidth.of($0.text) }.max() ?? 0) }

    /// Roofs whose heights differ by less than this share a line on the screen.
    private static let sameHeight = 1.04

    init(_ roofline: Roofline, _ unit: RateUnit) {
        var groups: [[Roofline.ComputeRoof]] = []
        for roof in roofline.compute.sorted(by: { $0.rate > $1.rate }) {
            if let first = groups.last?.first, first.rate < roof.rate * Self.sameHeight {
                groups[groups.count - 1].append(roof)
            } else {
                groups.append([roof])
            }
        }
        let shared = groups.count > 1 ? Self.common(roofline.compute) : []
        names = groups.map { group in
            // A line of several roofs is named by their common words, a single roof by its distinguishing ones.
            let common = Self.common(group)
            var words = Self.words(group[0]).filter { common.contains($0) && !shared.contains($0) }
            if group.count == 1 { words.removeAll(where: Self.idle.contains) }
            if words.isEmpty { words = Self.words(group[0]) }
            return ("\(unit.text(group[0].rate)) \(words.joined(separator: " "))", group[0])
        }
    }

    private static func words(_ roof: Roofline.ComputeRoof) -> [String] {
        roof.name.split(separator: " ").map(String.init)
    }

    private static func common(_ roofs: [Roofline.ComputeRoof]) -> Set<String> {
        roofs.dropFirst().reduce(Set(roofs.first.map(words) ?? [])) { $0.intersection(words($1)) }
    }

    /// Words common to all peaks.
    private static let idle: Set<String> = ["FMA", "multiply-add"]
}
