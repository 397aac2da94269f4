internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Tables
internal import Traces

/// Two runs compared sample by sample.
struct EvalPairs: Sendable {
    var base: EvalRunEntry?
    var new: EvalRunEntry?
    private(set) var contrast: EvalContrast?
    /// The logs of both.
    private(set) var logs: (base: any EvalLog, new: any EvalLog)?
    var list = ListView()
    var before = TextView([])
    var after = TextView([])
    /// The only change that is listed; `nil` lists all.
    private(set) var only: EvalChange?
    /// Words that listed pairs have in their name or input.
    private(set) var words = ""
    /// Pairs in the list.
    private(set) var listed: [EvalPair] = []

    /// Pair at the cursor.
    var pair: EvalPair? { listed.indices.contains(list.selection) ? listed[list.selection] : nil }

    /// Selected pair, by the indexes of its samples and the numbers of the runs.
    var pairKey: [Int64]? {
        guard let pair, let base, let new else { return nil }
        return [base.id, new.id, Int64(pair.rowA), Int64(pair.rowB)]
    }

    mutating func show(_ found: ContrastedLogs) {
        contrast = found.contrast
        logs = (found.base, found.new)
        before.show([])
        after.show([])
        relist()
    }

    /// Clears the comparison until two runs are compared.
    mutating func wait(for base: EvalRunEntry?, _ new: EvalRunEntry?) {
        self = EvalPairs()
        (self.base, self.new) = (base, new)
    }

    /// Shows the next kind of change: all, then each reported kind, then all again.
    mutating func nextQuadrant() {
        let order: [EvalChange?] = [nil] + (contrast?.told ?? [])
        only = order[((order.firstIndex(of: only) ?? 0) + 1) % order.count]
        relist()
    }

    /// Lists the pairs with all of the words.
    mutating func find(_ words: String) {
        guard words != self.words else { return }
        self.words = words
        relist()
    }

    private mutating func relist() {
        guard let contrast else { return }
        let needles = words.lowercased().split(separator: " ")
        listed = contrast.pairs.filter { pair in
            guard only == nil || pair.change == only else { return false }
            let text = needles.isEmpty ? "" : "\(pair.id)\n\(pair.input)".lowercased()
            return needles.allSatisfy { text.contains($0) }
        }
        list.count = listed.count
        list.moveToStart()
    }

    /// Returns the row of the next or previous pair that got worse.
    func regression(forward: Bool) -> Int? {
        let (count, step) = (listed.count, forward ? 1 : -1)
        let rows = (1..<max(1, count + 1)).lazy.map { (list.selection + step * $0 + 2 * count) % count }
        return rows.first { listed[$0].isRegression }
    }

    // MARK: Drawing

    /// Returns the number of rows above the list: quadrants, summary, and a blank; 0 if samples would not fit below.
    func headRows(_ size: Size) -> Int {
        size.rows < 6 ? 0 : min(head(size.columns).count, max(2, size.rows / 3)) + 1
    }

    /// Returns the area of the samples, below the summary and the header.
    func rowsArea(in area: Rect) -> Rect {
        var rest = area
        _ = rest.takeTop(headRows(area.size))
        return Table([]).rowsArea(in: rest)
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let contrast else { return }
        var rest = area
        drawHead(into: &surface, in: rest.takeTop(min(headRows(area.size), rest.rows)), theme: theme)
        var columns = Columns<EvalPair>(width: area.columns, theme: theme)
        columns.add("change", minimum: 10) { .init(contrast.word($0), EvalFigure.change(of: $0)) }
        columns.add("id", minimum: 8, weight: 1) { .init($0.id) }
        columns.add("before", align: .right, minimum: 6, priority: 3) { .init(Format.score($0.valueA), .dim) }
        columns.add("after", align: .right, minimum: 6, priority: 2) { .init(Format.score($0.valueB)) }
        columns.add("gain", align: .right, minimum: 6, priority: 1) { pair in
            let gain = pair.gain == 0 || pair.gain.isNaN ? "" : (pair.gain > 0 ? "+" : "") + Format.score(pair.gain)
            return .init(gain, EvalFigure.change(of: pair))
        }
        columns.add("input", minimum: 16, weight: 3, priority: 4) { .init($0.input, .dim) }
        columns.draw(listed, list, into: &surface, in: rest, isFocused: isFocused)
    }

    /// Returns the summary: the quadrants, the sentence, and its notes.
    private func head(_ columns: Int) -> [StyledLine] {
        guard let contrast else { return [] }
        func count(_ change: EvalChange) -> StyledLine.Run {
            .init(
                "\(Format.count(contrast.count(change))) \(change.word)   ",
                only == change ? .accent : EvalFigure.change(change))
        }
        var quadrants = StyledLine([.init(" ")] + contrast.told.map(count))
        let unpaired = contrast.count(.unscored)
        if unpaired > 0 { quadrants.append("\(Format.count(unpaired)) unpaired", .dim) }
        let notes = contrast.notes.map { StyledLine(" " + $0, .dim) }
        // A sentence may take two lines of a narrow screen.
        return ([quadrants, StyledLine(" " + contrast.sentence, .strong)] + notes)
            .flatMap { $0.wrapped(to: max(10, columns - 3)) }
    }

    private func drawHead(into surface: inout Surface, in area: Rect, theme: Theme) {
        let lines = head(area.columns)
        let shown = max(0, area.rows - 1)
        for (row, line) in lines.prefix(shown).enumerated() {
            var line = line
            // Zoomed, or in a larger window, there is more.
            if row == shown - 1, lines.count > shown { line.append(" …", .dim) }
            surface.put(
                line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }
}

/// A comparison of two logs, with the logs.
struct ContrastedLogs: Sendable {
    let contrast: EvalContrast
    let base: any EvalLog
    let new: any EvalLog
}
