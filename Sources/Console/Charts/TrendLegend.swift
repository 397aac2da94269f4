/// The legend of a trend chart, with the values under the cursor: a line for one subject, a table for several.
struct TrendLegend {
    let chart: TrendChart
    let labels: TrendLabels

    /// Returns the number of rows above the chart.
    func rows(of area: Rect) -> Int {
        guard area.rows >= 6, labels.curve != nil, !chart.order.isEmpty else { return 0 }
        return chart.order.count == 1 ? 1 : min(chart.order.count + 1, max(2, area.rows / 3))
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0, let name = labels.curve else { return }
        if chart.order.count == 1 {
            surface.put(line(name, area.columns, theme.glyphs), at: area.origin, theme: theme, width: area.columns)
        } else {
            drawTable(name, into: &surface, in: area, theme: theme)
        }
    }

    // MARK: One subject

    /// Returns a legend such as `── train 0.261 (0.179)   ○ validation 0.267   step 5,853`, without the last parts if
    /// they do not fit.
    private func line(_ name: String, _ columns: Int, _ glyphs: Glyphs) -> StyledLine {
        let id = chart.order[0]
        let trend = chart.trends.first { $0.id == id }
        var line = sign(0, glyphs)
        line.append(name, .text)
        guard let trend, let reading = trend.reading(at: chart.cursor) else {
            line.append(trend == nil ? "  not recorded" : "  no value yet", .faint)
            return line
        }
        line.append("  " + value(reading), .strong)
        if let raw = raw(reading) { line.append(" (\(raw))", .dim) }
        var parts = [line]
        if let name = labels.companion {
            let value = companionValue(of: id)
            var line = companionSign(0, glyphs)
            line.append(name, .text)
            line.append("  " + (value ?? "no value yet"), value == nil ? .faint : .strong)
            parts.append(line)
        }
        parts.append(StyledLine(trend.unit.text(reading.x), .dim))
        while parts.count > 1, parts.reduce(0, { $0 + $1.columns }) + 3 * (parts.count - 1) > columns {
            parts.removeLast()
        }
        return parts.dropFirst().reduce(parts[0]) { $0 + StyledLine("   ") + $1 }
    }

    // MARK: Several subjects

    private func drawTable(_ name: String, into surface: inout Surface, in area: Rect, theme: Theme) {
        let glyphs = theme.glyphs
        let header = ["", "at", name, chart.smoothing > 0 ? "raw" : "", labels.companion ?? ""]
        let rows = chart.order.prefix(area.rows - 1).map { cells(of: $0, glyphs) }
        let widths = header.indices.map { column in
            ([header] + rows.filter { $0.count == header.count }).map { DisplayWidth.of($0[column]) }.max() ?? 0
        }
        let signs = 5
        let figures =
            widths.dropFirst().reduce(0) { $0 + ($1 > 0 ? $1 + 2 : 0) } + (labels.companion == nil ? 0 : 2)
        let names = min(max(8, area.columns - signs - figures), rows.map { DisplayWidth.of($0[0]) }.max() ?? 0)
        for (row, cells) in ([header] + rows).enumerated() {
            let index = row > 0 ? row - 1 : nil
            var line = index.map { sign($0, glyphs, numbered: true) } ?? StyledLine("".paddedToColumns(signs))
            line.append(cells[0].paddedToColumns(names), index == 0 ? .text : .dim)
            if cells.count < header.count {
                line.append("  " + cells[1], .faint)
            } else {
                for column in 1..<header.count where widths[column] > 0 {
                    let role: Role = index == nil ? .columnHeader : column == 1 || column == 3 ? .dim : .text
                    line.append("  ", role)
                    if column == 4 { line += index.map { companionSign($0, glyphs) } ?? StyledLine("  ", role) }
                    line.append(cells[column].paddedToColumns(widths[column], .right), role)
                }
            }
            surface.put(line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }

    /// Returns the cells of a row: name, position, value, recorded value, and companion value, or the name and the
    /// reason why there are no values.
    private func cells(of id: Trend.ID, _ glyphs: Glyphs) -> [String] {
        let name = labels.name(id)
        guard let trend = chart.trends.first(where: { $0.id == id }) else { return [name, "not recorded"] }
        guard let reading = trend.reading(at: chart.cursor) else { return [name, "no value yet"] }
        return [
            name, trend.unit.text(reading.x), value(reading), raw(reading) ?? "",
            labels.companion == nil ? "" : companionValue(of: id) ?? String(Character(glyphs.nothing)),
        ]
    }

    // MARK: Pieces

    private func value(_ reading: Trend.Reading) -> String {
        labels.value(reading.smoothed.isFinite ? reading.smoothed : reading.value)
    }

    /// Returns the recorded value if the line is smoothed.
    private func raw(_ reading: Trend.Reading) -> String? {
        chart.smoothing > 0 && reading.value.isFinite ? labels.value(reading.value) : nil
    }

    private func companionValue(of id: Trend.ID) -> String? {
        chart.companions.first { $0.id == id }?.reading(at: chart.cursor).map { labels.value($0.value) }
    }

    /// Returns a sample of the line: `── `, or `1 ── ` if there are several.
    private func sign(_ index: Int, _ glyphs: Glyphs, numbered: Bool = false) -> StyledLine {
        let line = glyphs.isASCII ? BrailleCanvas.sign(index) + BrailleCanvas.sign(index) : "──"
        return StyledLine((numbered ? "\(index + 1) " : "") + line + " ", .series(index))
    }

    private func companionSign(_ index: Int, _ glyphs: Glyphs) -> StyledLine {
        let mark = glyphs.isASCII ? BrailleCanvas.sign(chart.order.count + index) : String(Character(glyphs.ring))
        return StyledLine(mark + " ", chart.companionRole(index))
    }
}
