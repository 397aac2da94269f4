internal import Console
internal import Formatting
internal import KernelLab
internal import Presentation

/// The ladder as a table with bars: each rung's share of the roof, and the spread of its samples.
struct LadderView {
    var ladder: Ladder
    var list: ListView
    var isFocused: Bool
    /// Whether rates are in operations rather than bytes.
    var showsBytes: Bool
    var isFloatingPoint: Bool

    /// What went wrong, instead of what holds of the whole run.
    var fault: String?

    /// Splits an area into the rungs and, if there is room, a header above and remarks below.
    static func parts(of area: Rect, rungs: Int) -> (header: Rect?, rows: Rect, foot: Rect?) {
        var rows = area
        let header = rows.rows > 2 ? rows.takeTop(1) : nil
        let spare = rows.rows - rungs
        let foot = spare > 0 ? rows.takeBottom(min(mostRemarks, spare)) : nil
        return (header, rows, foot)
    }

    private static let mostRemarks = 4

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let (header, rows, foot) = Self.parts(of: area, rungs: ladder.rungs.count)
        let columns = columns(area.columns - ListView.gutter - 1)
        if let header { drawHeader(into: &surface, in: header, columns, theme: theme) }
        list.draw(into: &surface, in: rows, theme: theme, isFocused: isFocused) { surface, row in
            draw(ladder.rungs[row.index], row, columns, into: &surface, theme: theme)
        }
        if let foot { drawFoot(into: &surface, in: foot, theme: theme) }
    }

    // MARK: Columns

    private struct Columns {
        var name: Int
        var threads = 0
        var rate: Int
        var share: Int
        var times = 0
        var idea = 0
    }

    private func columns(_ width: Int) -> Columns {
        let names = ladder.rungs.map { DisplayWidth.of($0.name) }.max() ?? 8
        let shares = ladder.rungs.indices.compactMap { ladder.figures($0).map { FigureText.share($0.share) } }
        let rate = 8
        var columns = Columns(
            // In a few columns names are cut rather than figures.
            name: max(9, min(min(max(8, names), max(8, width / 3)) + 3, width - rate)), rate: rate,
            share: max(8, 1 + (shares.map(DisplayWidth.of).max() ?? 0)))
        if ladder.mixesThreads { columns.threads = 4 }
        let hasLibrary = ladder.rungs.indices.contains { ladder.figures($0)?.toLibrary != nil }
        if hasLibrary, width >= columns.name + columns.threads + columns.rate + columns.share + 8 + Self.leastBar {
            columns.times = 8
        }
        let taken = columns.name + columns.threads + columns.rate + columns.share + columns.times
        // Show ideas next to the bars if both fit.
        let ideas = ladder.rungs.map { DisplayWidth.of($0.idea) }.max() ?? 0
        if width >= 84 { columns.idea = max(0, min(ideas + 2, width - taken - 2 * Self.leastBar)) }
        return columns
    }

    private static let leastBar = 8

    private func drawHeader(into surface: inout Surface, in line: Rect, _ columns: Columns, theme: Theme) {
        var line = line
        _ = line.takeLeft(ListView.gutter)
        if line.columns > 1 { line.columns -= 1 }
        let style = theme[.columnHeader]
        func put(_ text: String, _ area: Rect, _ alignment: Alignment = .right) {
            surface.put(text, at: area.origin, style: style, width: area.columns, aligned: alignment)
        }
        put("  variant", line.takeLeft(columns.name), .left)
        put("thr", line.takeLeft(columns.threads))
        put(showsBytes ? "GB/s" : isFloatingPoint ? "GFLOP/s" : "GOP/s", line.takeLeft(columns.rate))
        put("  idea", line.takeRight(columns.idea), .left)
        put("library", line.takeRight(columns.times))
        put("of roof", line.takeRight(columns.share))
    }

    // MARK: Rows

    private func draw(
        _ rung: Ladder.Rung, _ row: ListView.Row, _ columns: Columns, into surface: inout Surface, theme: Theme
    ) {
        var line = row.area
        func put(_ text: String, _ area: Rect, _ role: Role, _ alignment: Alignment = .right) {
            surface.put(text, at: area.origin, style: row.style(role, theme), width: area.columns, aligned: alignment)
        }
        let name = line.takeLeft(columns.name)
        let isMeasured = if case .measured = rung.state { true } else { false }
        if isMeasured { put(String(Ladder.letter(row.index)), name, .series1, .left) }
        var word = name
        _ = word.takeLeft(2)
        put(
            rung.name, Rect(column: word.column, row: word.row, columns: max(0, word.columns - 1), rows: 1), .text,
            .left)
        put(String(rung.threads), line.takeLeft(columns.threads), .dim)
        var idea = line.takeRight(columns.idea)
        _ = idea.takeLeft(min(2, idea.columns))
        put(rung.idea, idea, .dim, .left)
        switch rung.state {
        case .notYet:
            _ = line.takeLeft(1)
            put("not measured yet", line, .faint, .left)
        case .refused(let reason, let isFault):
            _ = line.takeLeft(1)
            put(reason, line, isFault ? .failure : .faint, .left)
        case .measured(let figures):
            put(
                Format.threeDigits((showsBytes ? figures.bandwidth : figures.rate) / 1e9),
                line.takeLeft(columns.rate), .text)
            let times = line.takeRight(columns.times)
            if let library = figures.toLibrary {
                put(Format.fixed(library, digits: 2) + String(Character(theme.glyphs.multiply)), times, .dim)
            }
            put(
                FigureText.share(figures.share), line.takeRight(columns.share),
                rung.isOutdated ? .faint : rung.regression == nil ? FigureText.role(figures.share) : .failure)
            guard let share = figures.share else { return }
            drawBar(
                share, rung.isOutdated ? .faint : rung.regression == nil ? .series1 : .failure, row,
                line.inset(columns: 1), &surface, theme)
        }
    }

    /// Draws the median as a bar; the right edge is the roof. If samples spread, a whisker from the 10th to the 90th
    /// percentile is drawn on the bar, with a dot at the median.
    private func drawBar(
        _ share: RoofShare, _ role: Role, _ row: ListView.Row, _ bar: Rect, _ surface: inout Surface, _ theme: Theme
    ) {
        guard bar.columns > 2 else { return }
        let cell = 1 / Double(bar.columns)
        let spreads = share.high - share.low > 2 * cell
        surface.putBar(
            length: min(1, max(0, share.median)) * Double(bar.columns), in: bar, role: role, shape: .airy, theme: theme,
            over: row.style(.text, theme))
        guard spreads else { return }
        // The bar stays visible below the median: there only the end of the whisker covers it.
        let last = Double(bar.columns - 1)
        let low = Point(column: bar.column + Int((min(1, max(0, share.low)) * last).rounded()), row: bar.row)
        surface.put(theme.glyphs.teeRight, at: low, style: row.style(role, theme))
        IntervalBar(min(1, share.median), lower: min(1, share.median), upper: share.high).draw(
            into: &surface, in: bar, range: 0...1, style: row.style(role, theme), whisker: row.style(.dim, theme),
            glyphs: theme.glyphs)
    }

    // MARK: Remarks

    private func drawFoot(into surface: inout Surface, in area: Rect, theme: Theme) {
        let inside = area.inset(columns: 1)
        let lines = remarks.prefix(inside.rows)
        for (index, line) in lines.enumerated() {
            surface.put(
                line, at: Point(column: inside.column, row: inside.endRow - lines.count + index), theme: theme,
                width: inside.columns)
        }
    }

    /// Remarks on the figures, most important first.
    private var remarks: [StyledLine] {
        var lines: [StyledLine] = []
        if let fault { lines.append(StyledLine(fault, .failure)) }
        if let doubt = ladder.doubt { lines.append(StyledLine(doubt, .warning)) }
        let share = ladder.figures(list.selection)?.share
        if let share, let remark = FigureText.remarks(share).first { lines.append(StyledLine(remark, .warning)) }
        if ladder.rungs.contains(where: \.isOutdated) {
            lines.append(StyledLine("figures from an older version: r measures again", .warning))
        }
        if let machine = ladder.processor {
            lines.append(StyledLine("from \(machine): r measures here", .info))
        }
        if let machine = ladder.hidden.map(Machine.processor(of:)) {
            lines.append(StyledLine("r measures here; hidden: \(machine)", .info))
        }
        if let share { lines.append(StyledLine("of \(FigureText.ceiling(share.ceiling))", .dim)) }
        if fault == nil, !ladder.rungs.contains(where: \.isOutdated), let text = agreement {
            lines.append(StyledLine(text, .dim))
        }
        return lines
    }

    private var agreement: String? {
        guard ladder.rungs.indices.contains(where: { ladder.figures($0) != nil }) else { return nil }
        let wrong = ladder.rungs.filter { if case .refused(_, isFault: true) = $0.state { true } else { false } }
        guard wrong.isEmpty else { return "\(wrong[0].name) disagrees with the reference: not timed" }
        return ladder.reference.map { "every rung agrees with \($0)" }
            ?? "no reference is set: results were not checked"
    }
}
