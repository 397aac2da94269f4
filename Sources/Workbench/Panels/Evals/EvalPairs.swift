internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
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
    /// Only one of the four quadrants is listed; `nil` lists all.
    private(set) var only: EvalChange?
    /// Words that all stand in the name or the question of what is listed.
    private(set) var words = ""
    /// Places in `contrast.pairs`.
    private(set) var places: [Int32] = []

    /// Pair at the cursor.
    var pair: EvalPair? { place.flatMap { contrast?.pairs[$0] } }

    /// The selected pair's place among all.
    var place: Int? { places.indices.contains(list.selection) ? Int(places[list.selection]) : nil }

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
        list.moveToStart()
    }

    /// Two other runs are being compared.
    mutating func wait(for base: EvalRunEntry?, _ new: EvalRunEntry?) {
        self = EvalPairs()
        (self.base, self.new) = (base, new)
    }

    /// Shows the next kind of change: all, then each reported kind, then all again.
    mutating func nextQuadrant() {
        let order: [EvalChange?] = [nil] + (contrast?.told ?? [])
        only = order[((order.firstIndex(of: only) ?? 0) + 1) % order.count]
        relist()
        list.moveToStart()
    }

    /// Lists the pairs in which all of the words stand.
    mutating func find(_ words: String) {
        guard words != self.words else { return }
        self.words = words
        relist()
        list.moveToStart()
    }

    private mutating func relist() {
        guard let contrast else { return }
        let needles = words.lowercased().split(separator: " ")
        places = contrast.pairs.indices.filter { place in
            let pair = contrast.pairs[place]
            guard only == nil || pair.change == only else { return false }
            guard !needles.isEmpty else { return true }
            let text = "\(pair.id)\n\(pair.input)".lowercased()
            return needles.allSatisfy { text.contains($0) }
        }.map { Int32($0) }
        list.count = places.count
    }

    /// Returns the next or previous pair that got worse. O(pairs) at worst, without sorting.
    func regression(forward: Bool) -> Int? {
        guard let contrast, !places.isEmpty else { return nil }
        for step in 1...places.count {
            let place = (list.selection + (forward ? step : -step) + 2 * places.count) % places.count
            if contrast.pairs[Int(places[place])].isRegression { return place }
        }
        return nil
    }

    // MARK: Drawing

    /// Returns the number of rows above the list: quadrants, summary, and a blank; 0 if samples would not fit below.
    func headRows(_ size: Size) -> Int {
        size.rows < 6 ? 0 : min(head(size.columns).count, max(2, size.rows / 3)) + 1
    }

    /// The area of the samples, below the head and the header.
    func rowsArea(in area: Rect) -> Rect {
        var rest = area
        _ = rest.takeTop(headRows(area.size))
        return Self.table.rowsArea(in: rest)
    }

    static let table = Table([
        .init("change", minimum: 10),
        .init("id", minimum: 8, weight: 1),
        .init("before", alignment: .right, minimum: 6, priority: 3),
        .init("after", alignment: .right, minimum: 6, priority: 2),
        .init("gain", alignment: .right, minimum: 6, priority: 1),
        .init("input", minimum: 16, weight: 3, priority: 4),
    ])

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let contrast else { return }
        var rest = area
        drawHead(into: &surface, in: rest.takeTop(min(headRows(area.size), rest.rows)), theme: theme)
        Self.table.draw(list, into: &surface, in: rest, theme: theme, isFocused: isFocused) { row, column in
            let pair = contrast.pairs[Int(places[row])]
            let role = EvalFigure.change(of: pair)
            switch column {
            case 0: return .init(contrast.word(pair), role)
            case 1: return .init(pair.id)
            case 2: return .init(Format.score(pair.valueA), .dim)
            case 3: return .init(Format.score(pair.valueB))
            case 4:
                let gain = pair.gain
                return .init(gain == 0 || gain.isNaN ? "" : (gain > 0 ? "+" : "") + Format.score(gain), role)
            default: return .init(pair.input, .dim)
            }
        }
    }

    /// The four quadrants, and what they come to in one line, as wide as there is room.
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
