internal import Console
internal import Formatting
internal import TrainingLab

/// The legend of a chart, with the values under the cursor: a line for one run, a table for several.
struct CurveLegend {
    var chart: CurveChart
    var labels: CurveChart.Labels

    /// Returns the number of rows above the chart.
    func rows(of area: Rect) -> Int {
        guard area.rows >= 6, chart.series != nil, !chart.order.isEmpty else { return 0 }
        return chart.order.count == 1 ? 1 : min(chart.order.count + 1, max(2, area.rows / 3))
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0, let series = chart.series else { return }
        if chart.order.count == 1 {
            surface.put(single(series, area.columns, theme.glyphs), at: area.origin, theme: theme, width: area.columns)
        } else {
            drawTable(series, into: &surface, in: area, theme: theme)
        }
    }

    // MARK: One run

    /// Returns a legend such as `── train 0.261 (0.179)   ○ validation 0.267   step 5,853`, cut from the right if it
    /// does not fit.
    private func single(_ series: String, _ columns: Int, _ glyphs: Glyphs) -> StyledLine {
        var parts: [StyledLine] = []
        let run = chart.order[0]
        let curve = chart.curves.first { $0.run == run }
        let name = chart.companion == nil ? series : CurvePairs.side(series)
        var line = sign(0, glyphs)
        line.append(name, .text)
        if let reading = curve.flatMap(chart.reading) {
            line.append("  " + value(reading), .strong)
            if let raw = raw(reading) { line.append(" (\(raw))", .dim) }
            parts.append(line)
            if let companion = chart.companion { parts.append(heldOut(companion, run, glyphs)) }
            parts.append(StyledLine(place(reading, curve), .dim))
        } else {
            line.append(curve == nil ? "  not recorded" : "  no value yet", .faint)
            parts.append(line)
        }
        while parts.count > 1, parts.reduce(0, { $0 + $1.columns }) + 3 * (parts.count - 1) > columns {
            parts.removeLast()
        }
        return parts.dropFirst().reduce(parts[0]) { $0 + StyledLine("   ") + $1 }
    }

    private func heldOut(_ companion: String, _ run: Int64, _ glyphs: Glyphs) -> StyledLine {
        var line = heldOutSign(0, glyphs)
        line.append(CurvePairs.side(companion), .text)
        let reading = chart.heldOut.first { $0.run == run }.flatMap(chart.reading)
        line.append(
            "  " + (reading.map { Format.loss($0.value) } ?? "no value yet"), reading == nil ? .faint : .strong
        )
        return line
    }

    // MARK: Several runs

    private func drawTable(_ series: String, into surface: inout Surface, in area: Rect, theme: Theme) {
        let glyphs = theme.glyphs
        let companion = chart.companion
        let header = [
            "", "at", CurvePairs.side(series), chart.smoothing > 0 ? "raw" : "", companion.map(CurvePairs.side) ?? "",
        ]
        let shown = chart.order.prefix(max(0, area.rows - 1))
        let rows = shown.map { run -> [String] in
            let name = labels.names[run] ?? "run \(run)"
            guard let curve = chart.curves.first(where: { $0.run == run }) else { return [name, "not recorded"] }
            guard let reading = chart.reading(of: curve) else { return [name, "no value yet"] }
            let held = chart.heldOut.first { $0.run == run }.flatMap(chart.reading)
            return [
                name, place(reading, curve), value(reading), raw(reading) ?? "",
                companion == nil ? "" : held.map { Format.loss($0.value) } ?? String(Character(glyphs.nothing)),
            ]
        }
        let widths = header.indices.map { column in
            ([header] + rows.filter { $0.count == header.count }).map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let signs = 5
        let figures = widths.dropFirst().reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) } + (companion == nil ? 0 : 2)
        let names = min(max(8, area.columns - signs - figures), rows.map { DisplayWidth.of($0[0]) }.max() ?? 0)
        func put(_ cells: [String], _ index: Int?, at row: Int) {
            var line =
                index.map { sign($0, glyphs, numbered: true) } ?? StyledLine(String(repeating: " ", count: signs))
            line.append(cells[0].truncated(toColumns: names).padding(to: names), index == 0 ? .text : .dim)
            guard cells.count == header.count else {
                line.append("  " + cells[1], .faint)
                surface.put(
                    line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
                return
            }
            for column in 1..<header.count where widths[column] > 0 {
                let role: Role = index == nil ? .columnHeader : column == 1 || column == 3 ? .dim : .text
                line.append("  ", role)
                if column == 4 {
                    line += index.map { heldOutSign($0, glyphs) } ?? StyledLine("  ", .columnHeader)
                }
                line.append(cells[column].padding(leftTo: widths[column]), role)
            }
            surface.put(line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
        put(header, nil, at: 0)
        for (index, cells) in rows.enumerated() { put(cells, index, at: index + 1) }
    }

    // MARK: Pieces

    private typealias Reading = (x: Double, value: Double, smoothed: Double)

    private func value(_ reading: Reading) -> String {
        Format.loss(reading.smoothed.isFinite ? reading.smoothed : reading.value)
    }

    /// Returns the recorded value if the line is smoothed.
    private func raw(_ reading: Reading) -> String? {
        chart.smoothing > 0 && reading.value.isFinite ? Format.loss(reading.value) : nil
    }

    private func place(_ reading: Reading, _ curve: RunCurve?) -> String {
        guard let curve else { return "" }
        return CurveUnit(axis: curve.axis, upTo: curve.range.upperBound, labels.unit).text(reading.x)
    }

    /// Returns a sample of the line: `── `, or `1 ── ` if there are several.
    private func sign(_ place: Int, _ glyphs: Glyphs, numbered: Bool = false) -> StyledLine {
        let line = glyphs.isASCII ? BrailleCanvas.sign(place) + BrailleCanvas.sign(place) : "──"
        return StyledLine((numbered ? "\(place + 1) " : "") + line + " ", .series(place))
    }

    private func heldOutSign(_ place: Int, _ glyphs: Glyphs) -> StyledLine {
        let mark = glyphs.isASCII ? BrailleCanvas.sign(chart.order.count + place) : String(Character(glyphs.ring))
        return StyledLine(mark + " ", chart.heldOutRole(place))
    }
}
