internal import Console

/// The ladder as a table with bars: how far each rung is from what the machine allows.
struct LadderView {
    var ladder: Ladder
    var list: ListView
    var isFocused: Bool
    /// Whether rates are in operations rather than bytes.
    var showsBytes: Bool
    var isFloatingPoint: Bool

    /// What went wrong, instead of what holds of the whole run.
    var fault: String?

    /// How an area is shared: the rungs, and where there is room a header and a line below.
    static func parts(of area: Rect, rungs: Int) -> (header: Rect?, rows: Rect, foot: Rect?) {
        var rows = area
        let header = rows.rows > 3 ? rows.takeTop(1) : nil
        let foot = rows.rows > rungs ? rows.takeBottom(1) : nil
        return (header, rows, foot)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let (header, rows, foot) = Self.parts(of: area, rungs: ladder.rungs.count)
        let names = min(max(8, ladder.rungs.map { DisplayWidth.of($0.name) }.max() ?? 8), max(8, area.columns / 3))
        let unit = showsBytes ? "GB/s" : isFloatingPoint ? "GFLOP/s" : "GOP/s"
        if let header { drawHeader(into: &surface, in: header, names: names, unit: unit, theme: theme) }
        list.draw(into: &surface, in: rows, theme: theme, isFocused: isFocused) { surface, row in
            draw(ladder.rungs[row.index], row, names: names, into: &surface, theme: theme)
        }
        if let foot { drawFoot(into: &surface, in: foot, theme: theme) }
    }

    private func drawHeader(into surface: inout Surface, in line: Rect, names: Int, unit: String, theme: Theme) {
        var line = line
        _ = line.takeLeft(ListView.gutter)
        if line.columns > 1 { line.columns -= 1 }
        let style = theme[.columnHeader]
        surface.put("variant", at: line.origin, style: style, width: names)
        var rest = line
        _ = rest.takeLeft(names + 1)
        let rate = rest.takeLeft(Self.rateColumns)
        surface.put(unit, at: rate.origin, style: style, width: rate.columns, aligned: .right)
        if showsLibrary {
            let times = rest.takeRight(Self.timesColumns)
            surface.put("library", at: times.origin, style: style, width: times.columns, aligned: .right)
        }
        let share = rest.takeRight(Self.shareColumns)
        surface.put("of roof", at: share.origin, style: style, width: share.columns, aligned: .right)
    }

    private static let rateColumns = 8
    private static let shareColumns = 8
    private static let timesColumns = 8

    private var showsLibrary: Bool { ladder.rungs.indices.contains { ladder.figures($0)?.toLibrary != nil } }

    private func draw(_ rung: Ladder.Rung, _ row: ListView.Row, names: Int, into surface: inout Surface, theme: Theme) {
        var line = row.area
        let name = line.takeLeft(names + 1)
        surface.put(rung.name, at: name.origin, style: row.style(.text, theme), width: names)
        switch rung.state {
        case .notYet:
            surface.put("not measured yet", at: line.origin, style: row.style(.faint, theme), width: line.columns)
        case .refused(let reason, let isFault):
            surface.put(
                reason, at: line.origin, style: row.style(isFault ? .failure : .faint, theme), width: line.columns)
        case .measured(let figures):
            let rate = line.takeLeft(Self.rateColumns)
            surface.put(
                FigureText.threeFigures((showsBytes ? figures.bandwidth : figures.rate) / 1e9), at: rate.origin,
                style: row.style(.text, theme), width: rate.columns, aligned: .right)
            let times = line.takeRight(showsLibrary ? Self.timesColumns : 0)
            if let library = figures.toLibrary {
                surface.put(
                    Format.fixed(library, digits: 2) + String(Character(theme.glyphs.multiply)), at: times.origin,
                    style: row.style(.dim, theme), width: times.columns, aligned: .right)
            }
            let share = line.takeRight(Self.shareColumns)
            surface.put(
                Format.percent(figures.share, digits: 1), at: share.origin,
                style: row.style(rung.regression == nil ? .text : .failure, theme), width: share.columns,
                aligned: .right)
            let bar = line.inset(columns: 1)
            guard bar.columns > 2 else { return }
            surface.putBar(
                length: min(1, max(0, figures.share)) * Double(bar.columns), in: bar,
                role: rung.regression == nil ? .series1 : .failure, theme: theme, over: row.style(.text, theme))
        }
    }

    private func drawFoot(into surface: inout Surface, in line: Rect, theme: Theme) {
        let inside = line.inset(columns: 1)
        if let fault {
            surface.put(fault, at: inside.origin, style: theme[.failure], width: inside.columns)
        } else if let doubt = ladder.doubt {
            surface.put(doubt, at: inside.origin, style: theme[.warning], width: inside.columns)
        } else if let text = rungsAgree {
            surface.put(text, at: inside.origin, style: theme[.dim], width: inside.columns)
        }
    }

    private var rungsAgree: String? {
        let measured = ladder.rungs.indices.filter { ladder.figures($0) != nil }
        guard !measured.isEmpty else { return nil }
        let wrong = ladder.rungs.filter { if case .refused(_, isFault: true) = $0.state { true } else { false } }
        guard wrong.isEmpty else { return "\(wrong[0].name) disagrees with the reference: not timed" }
        return ladder.reference.map { "every rung agrees with \($0)" } ?? "no reference is named: nothing was checked"
    }
}
