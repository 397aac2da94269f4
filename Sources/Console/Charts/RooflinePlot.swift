import Glibc

/// A mapping of values to screen positions.
struct RooflinePlot {
    var area: Rect
    var canvas: BrailleCanvas
    var axes: ChartAxes
    var unit: RateUnit

    /// Returns the cell of an intensity and a rate; `nil` outside the plot.
    func cell(x: Double, y: Double) -> Point? {
        guard let dot = axes.place(x: x, y: y / unit.factor, on: canvas) else { return nil }
        let point = Point(
            column: area.column + dot.column * area.columns / max(1, canvas.columns),
            row: area.row + dot.row * area.rows / max(1, canvas.rows))
        return area.contains(point) ? point : nil
    }

    /// Returns the nearest free cell of the row, preferring the right; `nil` if the row is full.
    func free(near cell: Point, _ taken: Set<Point>) -> Point? {
        for distance in 0..<max(1, area.columns) {
            for column in [cell.column + distance, cell.column - distance] {
                let point = Point(column: column, row: cell.row)
                if area.contains(point), !taken.contains(point) { return point }
            }
        }
        return nil
    }

    /// Returns the rate at the middle of a row of cells.
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
    let names: [(text: String, roof: RooflineChart.Roof)]
    /// Width of the margin for the names, with a blank on each side.
    var columns: Int { names.isEmpty ? 0 : 2 + (names.map { DisplayWidth.of($0.text) }.max() ?? 0) }

    /// Roofs whose heights differ by less than this factor share a line on the screen.
    private static let sameHeight = 1.04

    init(_ roofline: RooflineChart.Roofs, _ unit: RateUnit) {
        var groups: [[RooflineChart.Roof]] = []
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

    private static func words(_ roof: RooflineChart.Roof) -> [String] {
        roof.name.split(separator: " ").map(String.init)
    }

    private static func common(_ roofs: [RooflineChart.Roof]) -> Set<String> {
        roofs.dropFirst().reduce(Set(roofs.first.map(words) ?? [])) { $0.intersection(words($1)) }
    }

    /// Words common to all peaks.
    private static let idle: Set<String> = ["FMA", "multiply-add"]
}
