internal import Console
internal import Formatting
internal import Glibc

extension AttentionPage {
    var readingFrame: Frame {
        var frame = Frame(FrameLabel(request.tab.title))
        let place = (readings.firstIndex(of: request.tab) ?? 0) + 1
        frame.trailing = [FrameLabel("[ ]  \(place) of \(readings.count)", role: .dim)]
        if second != nil, request.tab != .sums {
            frame.details = [FrameLabel(shown == .second ? "B" : "A", role: .accent)]
        }
        return frame
    }

    func drawReading(into surface: inout Surface, in inside: Rect, _ theme: Theme) {
        guard let look, run != nil else { return }
        if let problem = look.missing[request.tab] {
            let lines = ProseLines.of("not stored: \(problem)", .faint, columns: inside.columns)
            return draw(lines, into: &surface, in: inside, theme)
        }
        switch request.tab {
        case .token: drawFacts(look, into: &surface, in: inside, theme)
        case .lens: drawLens(look, into: &surface, in: inside, theme)
        case .norms:
            drawMap(
                look.norms, look, rowName: "L", note: "|residual| after each layer", into: &surface, in: inside, theme)
        case .experts:
            drawMap(
                look.routing, look, rowName: "E", note: "routing weights of layer \(look.request.layer)",
                into: &surface,
                in: inside, theme)
        case .sums: draw(sums.flatMap { ProseLines.of($0, columns: inside.columns) }, into: &surface, in: inside, theme)
        }
    }

    /// The readings of the open model; only a mixture of experts has expert readings.
    var readings: [ReadingTab] { ReadingTab.all(hasExperts: (run?.experts ?? 0) > 0) }

    func draw(_ lines: [StyledLine], into surface: inout Surface, in area: Rect, _ theme: Theme) {
        surface.put(lines, in: area, theme: theme)
    }

    // MARK: The token

    /// Minimum width for two lists side by side.
    private static let leastColumnsOfTwo = 44

    private func drawFacts(_ look: AttentionLook, into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard look.request.token == token, let run = shownRun else { return }
        var rest = area
        var line = StyledLine("token \(token) of \(Format.count(run.tokens.count))  ", .dim)
        line.append(run.visible(token), .accent)
        if let facts = look.facts {
            line.append("   p ", .dim)
            line.append(facts.probability.map { Format.probability(Double($0)) } ?? "unknown")
            line.append("   entropy ", .dim)
            line.append(facts.entropy.map { Format.fixed(Double($0), digits: 2) + " nat" } ?? "unknown")
        }
        surface.put(line, at: rest.takeTop(1).origin, theme: theme, width: area.columns)
        if let share = look.share, rest.rows > 2 {
            let lines = shareLines(share).flatMap { ProseLines.of($0, columns: area.columns) }
            draw(lines, into: &surface, in: rest.takeTop(min(lines.count, rest.rows)), theme)
        }
        if rest.rows > 3 { _ = rest.takeTop(1) }
        // Narrower lists would show only a few letters of each token.
        guard rest.columns >= Self.leastColumnsOfTwo else {
            return drawStrongest(look, run, into: &surface, in: rest, theme)
        }
        let columns = Layout.columns([.weight(1), .weight(1)], in: rest, spacing: 3)
        drawStrongest(look, run, into: &surface, in: columns[0], theme)
        let alternatives = (look.facts?.alternatives ?? []).map { text, probability in
            BarChart.Row(
                ShadedTokens.visible(text), Double(probability), text: Format.probability(Double(probability)),
                role: .series2)
        }
        drawBars("alternatives", alternatives, "no preceding token", into: &surface, in: columns[1], theme)
    }

    /// Draws bars below a title, or why there are none.
    private func drawBars(
        _ title: String, _ rows: [BarChart.Row], _ missing: String, into surface: inout Surface, in area: Rect,
        _ theme: Theme
    ) {
        guard !area.isEmpty else { return }
        var rest = area
        surface.put(title, at: rest.takeTop(1).origin, style: theme[.columnHeader], width: area.columns)
        if rows.isEmpty { surface.put(missing, at: rest.origin, style: theme[.faint], width: rest.columns) }
        BarChart(Array(rows.prefix(rest.rows)), full: 1).draw(into: &surface, in: rest, theme: theme)
    }

    private func drawStrongest(
        _ look: AttentionLook, _ run: AttentionRun, into surface: inout Surface, in area: Rect, _ theme: Theme
    ) {
        let weights = look.attended ?? []
        let order = weights.indices.sorted { weights[$0] > weights[$1] }
        // Combine weights that round to 0.000 into one row.
        let seen = order.prefix { weights[$0] >= 0.000_5 }
        let best = seen.prefix(max(0, area.rows - (seen.count < order.count ? 2 : 1)))
        var rows = best.map { index in
            let weight = Double(weights[index])
            return BarChart.Row(
                "\(run.visible(index).trimmed) \(index)", weight, text: Format.fixed(weight, digits: 3))
        }
        let others = order.dropFirst(best.count)
        if !others.isEmpty {
            let sum = others.reduce(0) { $0 + Double(weights[$1]) }
            // A weight that rounds to 0.000 has no bar.
            rows.append(
                .init(
                    "\(Format.count(others.count, "other"))", sum < 0.000_5 ? 0 : sum,
                    text: Format.fixed(sum, digits: 3), role: .faint))
        }
        drawBars("\(headName) attends to", rows, "not stored", into: &surface, in: area, theme)
    }

    /// Returns the lines about a range of tokens.
    private func shareLines(_ share: RangeShare) -> [StyledLine] {
        var line = StyledLine("attention to tokens \(share.range.lowerBound)…\(share.range.upperBound - 1)  ", .dim)
        line.append(Format.fixed(Double(share.sum), digits: 2), .strong)
        line.append(
            " summed over \(share.heads) heads, "
                + "\(Format.percent(Double(share.sum) / Double(max(1, share.heads)))) of the total",
            .dim)
        guard !share.top.isEmpty else { return [line] }
        var top = StyledLine("mostly from  ", .dim)
        for (index, head) in share.top.enumerated() {
            top.append((index == 0 ? "" : "  ") + "L\(head.layer)H\(head.head) ", .accent)
            top.append(Format.fixed(Double(head.share), digits: 2))
        }
        return [line, top]
    }

    // MARK: The lens

    private func drawLens(
        _ look: AttentionLook, into surface: inout Surface, in area: Rect, _ theme: Theme
    ) {
        guard let lens = look.lens, !lens.layers.isEmpty, let run = shownRun else { return }
        var rest = area
        let bottom = rest.takeBottom(min(2, rest.rows / 4))
        var header = rest.takeTop(1)
        _ = header.takeLeft(Self.readingLabels)
        let labels = rest.takeLeft(Self.readingLabels)
        let shownCells = max(0, min(lens.positions.count, rest.columns / Self.lensColumns))
        let first = max(0, min(token - lens.positions.lowerBound - shownCells / 2, lens.positions.count - shownCells))
        let row = min(lensRow, lens.layers.count - 1)
        // The last layer is at the top: predictions are read from the bottom up.
        let top = max(0, min(lens.layers.count - 1 - row - rest.rows / 2, lens.layers.count - rest.rows))
        let palette = HeatPalette(theme)
        for offset in 0..<shownCells {
            let position = lens.positions.lowerBound + first + offset
            surface.put(
                run.visible(position),
                at: Point(column: header.column + offset * Self.lensColumns, row: header.row),
                style: theme[position == token ? .accent : .dim], width: Self.lensColumns - 1)
        }
        for line in 0..<min(rest.rows, lens.layers.count - top) {
            let layer = lens.layers.count - 1 - top - line
            surface.put(
                lens.layers[layer], at: Point(column: labels.column, row: rest.row + line),
                style: theme[layer == row ? .accent : .dim], width: labels.columns - 1)
            for offset in 0..<shownCells {
                let index = first + offset
                guard lens.cells.indices.contains(layer), lens.cells[layer].indices.contains(index),
                    let best = lens.cells[layer][index].top.first
                else { continue }
                let cell = Rect(
                    column: rest.column + offset * Self.lensColumns, row: rest.row + line,
                    columns: Self.lensColumns - 1, rows: 1)
                var style = palette.textStyle(of: best.probability, on: .sequential(max: 1), theme: theme)
                if layer == row, lens.positions.lowerBound + index == token {
                    style = screen.focus == .reading ? theme[.matchCurrent] : style.adding(.reverse)
                }
                surface.fill(cell, style: style)
                surface.put(ShadedTokens.visible(best.text), at: cell.origin, style: style, width: cell.columns)
            }
        }
        drawLensCell(lens, row, into: &surface, in: bottom, theme)
    }

    /// Draws the most probable tokens at the cursor, and the rank of the target token.
    private func drawLensCell(
        _ lens: LensPicture, _ row: Int, into surface: inout Surface, in area: Rect, _ theme: Theme
    ) {
        let index = token - lens.positions.lowerBound
        guard area.rows > 0, lens.cells.indices.contains(row), lens.cells[row].indices.contains(index) else { return }
        let cell = lens.cells[row][index]
        var line = StyledLine(lens.layers[row] + "  ", .accent)
        for token in cell.top {
            line.append(ShadedTokens.visible(token.text) + " ")
            line.append(Format.probability(Double(token.probability)) + "  ", .dim)
        }
        surface.put(
            line, at: Point(column: area.column, row: area.endRow - 1), theme: theme, width: area.columns)
        guard area.rows > 1, let rank = cell.rank else { return }
        var wanted = StyledLine("rank of \(lens.target)  ", .dim)
        wanted.append(Format.count(rank), .strong)
        if let probability = cell.probability { wanted.append("   p \(Format.probability(Double(probability)))", .dim) }
        surface.put(
            wanted, at: Point(column: area.column, row: area.endRow - 2), theme: theme, width: area.columns)
    }

    // MARK: Norms and experts

    private func drawMap(
        _ grid: HeatGrid?, _ look: AttentionLook, rowName: String, note: String, into surface: inout Surface,
        in area: Rect, _ theme: Theme
    ) {
        guard let grid, let run = shownRun else { return }
        var rest = area
        let legend = rest.takeBottom(min(1, rest.rows))
        let value = rest.takeBottom(min(1, rest.rows / 4))
        let isRouting = rowName == "E"
        let column = token - look.firstPosition
        var map = Heatmap(
            grid, scale: .sequential(of: grid.values),
            cursor: HeatGrid.Position(row: isRouting ? -1 : request.layer, column: column),
            rowLabels: (0..<grid.rows).map { "\(rowName)\($0)" },
            columnLabels: (0..<grid.columns).map { run.visible(look.firstPosition + $0).trimmed })
        map.isSquare = false
        map.draw(into: &surface, in: rest, theme: theme)
        HeatLegend(map.scale, note: note).draw(into: &surface, in: legend, theme: theme)
        guard !value.isEmpty, column >= 0, column < grid.columns else { return }
        var line = StyledLine("token \(token)  ", .dim)
        if isRouting {
            let best = (0..<grid.rows).sorted { grid[$0, column] > grid[$1, column] }
            for expert in best.prefix(4) where grid[expert, column] > 0 {
                line.append("E\(expert) ", .accent)
                line.append(Format.fixed(Double(grid[expert, column]), digits: 2) + "  ")
            }
        } else {
            line.append("L\(request.layer) ", .accent)
            line.append(Format.compact(Double(grid[request.layer, column])))
        }
        surface.put(line, at: value.origin, theme: theme, width: value.columns)
    }
}
