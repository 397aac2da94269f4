import Formatting
import Glibc

/// The names on a roofline, each next to its subject, without overlapping another name or a dot.
struct RooflineLabels {
    let roofline: RooflineChart.Roofs
    let place: RooflinePlot
    let theme: Theme
    /// Cells that must stay visible: names already drawn, and dots.
    private var taken: Set<Point> = []

    init(roofline: RooflineChart.Roofs, place: RooflinePlot, theme: Theme) {
        self.roofline = roofline
        self.place = place
        self.theme = theme
    }

    mutating func keepOff(_ cell: Point) { taken.insert(cell) }

    /// Places the names of peaks at the right end of their lines, each on its own row. Without a margin they go above
    /// the lines, if there is room.
    mutating func drawComputeNames(_ names: RoofNames, in margin: Rect?, into surface: inout Surface) {
        var used: Set<Int> = []
        for (text, roof) in names.names {
            guard let cell = place.cell(x: place.axes.xs.upperBound, y: roof.rate) else { continue }
            let role: Role = roof.rate == roofline.peak ? .text : .dim
            guard let margin else {
                let last = place.area.endColumn - DisplayWidth.of(text)
                let columns = stride(from: last, through: place.area.column + place.area.columns * 2 / 5, by: -1)
                _ = columns.contains { column in
                    put(text, at: Point(column: column, row: cell.row), role: role, into: &surface, overLines: true)
                }
                continue
            }
            // Names of roofs that lie close together are stacked.
            guard let row = (cell.row..<place.area.endRow).first(where: { !used.contains($0) }) else { continue }
            used.insert(row)
            surface.put(
                text, at: Point(column: margin.column + 1, row: row), style: theme[role],
                width: max(0, margin.columns - 1))
        }
    }

    /// Draws names of kernels next to the rightmost dot, or where there is room around it.
    mutating func drawMarkNames(_ marks: [RooflineChart.Mark], into surface: inout Surface) {
        for mark in marks.filter({ $0.isNamed || ($0.isSelected && !$0.title.isEmpty) }).sorted(by: {
            $0.isSelected && !$1.isSelected
        }) {
            let cells = mark.intensities.compactMap { place.cell(x: $0.value, y: mark.rate) }
            guard let right = cells.max(by: { $0.column < $1.column }),
                let left = cells.min(by: { $0.column < $1.column })
            else { continue }
            let text = mark.title.truncated(toColumns: max(4, place.area.columns / 2))
            let width = DisplayWidth.of(text)
            var columns = [(right.column + 2, right.row), (left.column - 1 - width, left.row)]
            for row in [right.row + 1, right.row - 1, right.row + 2, right.row - 2] {
                columns += [
                    (right.column + 2, row), (min(right.column - width / 2, place.area.endColumn - width), row),
                    (left.column - 1 - width, row),
                ]
            }
            let points = columns.map { Point(column: $0.0, row: $0.1) }
            let role = mark.isSelected ? Role.accent : mark.role ?? .dim
            if points.contains(where: { put(text, at: $0, role: role, into: &surface, overLines: false) }) { continue }
            _ = points.contains { put(text, at: $0, role: role, into: &surface, overLines: true) }
        }
    }

    /// Draws memory names along their slopes, below the peak: the fastest above its slope, the others next to theirs.
    /// Overlapping slopes share a name.
    mutating func drawMemoryNames(into surface: inout Surface) {
        let groups = Self.groups(roofline.memory, closerThan: slopeDistance)
        for (index, group) in groups.enumerated() {
            guard let fastest = group.first, let slowest = group.last else { continue }
            let whole = Self.name(of: group)
            let short = group.map(\.name).sorted().joined(separator: " ")
            let role: Role = group.count == 1 ? roofline.role(ofLevel: fastest.name) : .dim
            _ = [whole, short].contains { text in
                if index == 0, along(fastest, text, atLeft: true, role, into: &surface) { return true }
                return along(slowest, text, atLeft: false, role, into: &surface)
                    || along(fastest, text, atLeft: true, role, into: &surface)
            }
        }
    }

    /// Returns the name of overlapping slopes: `L1 L2 L3 55 to 63 GB/s`.
    private static func name(of group: [RooflineChart.Roof]) -> String {
        let names = group.map(\.name).sorted().joined(separator: " ")
        guard let fastest = group.first, let slowest = group.last else { return names }
        let rates = [slowest, fastest].map { Format.rate(bytesPerSecond: $0.rate) }
        guard rates[0] != rates[1] else { return "\(names) \(rates[0])" }
        let units = rates.map { $0.split(separator: " ") }
        let low = units[0].last == units[1].last ? String(units[0].first ?? "") : rates[0]
        return "\(names) \(low) to \(rates[1])"
    }

    /// Slopes whose bandwidths differ by less than a factor, the fastest first.
    private static func groups(_ memory: [RooflineChart.Roof], closerThan factor: Double) -> [[RooflineChart.Roof]] {
        var groups: [[RooflineChart.Roof]] = []
        for roof in memory.sorted(by: { $0.rate > $1.rate }) where roof.rate > 0 {
            if let first = groups.last?.first, first.rate / roof.rate < factor {
                groups[groups.count - 1].append(roof)
            } else {
                groups.append([roof])
            }
        }
        return groups
    }

    /// The factor of two bandwidths whose slopes are three cells apart.
    private var slopeDistance: Double {
        let xs = place.axes.xs
        return pow(xs.upperBound / xs.lowerBound, 3 / Double(max(1, place.area.columns)))
    }

    /// Draws a name next to a slope, as high as it fits; returns whether it fits.
    private mutating func along(
        _ memory: RooflineChart.Roof, _ text: String, atLeft: Bool, _ role: Role, into surface: inout Surface
    ) -> Bool {
        let width = DisplayWidth.of(text)
        for row in place.area.row..<place.area.endRow {
            let rate = place.rate(ofRow: row)
            guard rate < roofline.peak * 0.8, let cell = place.cell(x: rate / memory.rate, y: rate) else {
                continue
            }
            // A flat slope fills several cells of a row: the name begins after them.
            let column = edge(of: cell, row, atLeft: atLeft, on: surface)
            let start = atLeft ? column - 1 - width : column + 2
            if put(text, at: Point(column: start, row: row), role: role, into: &surface, overLines: false) {
                return true
            }
        }
        return false
    }

    /// Returns the column of the last cell of a slope in a row, to the left or to the right.
    private func edge(of cell: Point, _ row: Int, atLeft: Bool, on surface: Surface) -> Int {
        var column = cell.column
        let step = atLeft ? -1 : 1
        while place.area.contains(Point(column: column + step, row: row)),
            surface.text(at: Point(column: column + step, row: row)) != " "
        {
            column += step
        }
        return column
    }

    /// Draws a name in free cells, over lines only if allowed. Returns whether it was drawn.
    @discardableResult
    private mutating func put(
        _ text: String, at point: Point, role: Role, into surface: inout Surface, overLines: Bool
    ) -> Bool {
        let width = DisplayWidth.of(text)
        let cells = (0..<width).map { Point(column: point.column + $0, row: point.row) }
        guard let first = cells.first, let last = cells.last, place.area.contains(first), place.area.contains(last),
            taken.isDisjoint(with: cells)
        else { return false }
        if !overLines {
            let around = [
                Point(column: first.column - 1, row: point.row), Point(column: last.column + 1, row: point.row),
            ]
            let isFree = (cells + around).allSatisfy { !place.area.contains($0) || surface.text(at: $0) == " " }
            guard isFree else { return false }
        }
        surface.put(text, at: point, style: theme[role])
        taken.formUnion(cells)
        return true
    }
}
