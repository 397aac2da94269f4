internal import Console
internal import EvalLogs

extension EvalPanel {
    /// How the panes of the page divide the area; narrow screens show a list and the pane that has the keys.
    var paneTree: PaneTree<Pane> {
        let isWide = area.columns >= 100
        guard area.rows >= (isWide ? 14 : 18) else { return .pane(pane) }
        switch page {
        case .runs:
            // A row more than there are runs, and no more than half of the screen: the overview may need the rest.
            let rows = max(6, min(area.rows / 2, runs.entries.count + 4))
            let top = PaneTree<Pane>.Part(.fixed(rows), .runs)
            guard isWide else { return .rows([top, .init(.weight(1), pane == .chart ? .chart : .about)]) }
            return .rows([top, .init(.weight(1), .columns([.init(.weight(5), .about), .init(.weight(6), .chart)]))])
        case .samples:
            guard isWide else {
                return .rows([.init(.weight(1), .samples), .init(.weight(1), pane == .steps ? .steps : .sample)])
            }
            let steps = max(5, min(12, 2 + (sample?.steps.count ?? 3), area.rows / 3))
            return .columns([
                .init(.weight(6), .samples),
                .init(.weight(7), .rows([.init(.weight(1), .sample), .init(.fixed(steps), .steps)])),
            ])
        case .diff:
            guard isWide else {
                return .rows([.init(.weight(1), .pairs), .init(.weight(1), pane == .after ? .after : .before)])
            }
            return .rows([
                .init(.weight(1), .pairs),
                .init(.weight(1), .columns([.init(.weight(1), .before), .init(.weight(1), .after)])),
            ])
        case .sides:
            // As many rows as there are steps, and room to read them below.
            let rows = max(5, min(area.rows * 2 / 5, sides.alignment.rows.count + 2 + SidesPage.headRows))
            let texts = [PaneTree<Pane>.Part(.weight(1), .left), .init(.weight(1), .right)]
            return .rows([.init(.fixed(rows), .rows), .init(.weight(1), .columns(texts))])
        case .failures:
            let rows = max(6, min(area.rows / 2, failures.list.count + 4))
            return .rows([.init(.fixed(rows), .causes), .init(.weight(1), .cause)])
        case .matrix: return .pane(.matrix)
        case .queue:
            guard isWide else { return .rows([.init(.weight(1), .queue), .init(.fixed(6), .agreement)]) }
            return .columns([.init(.weight(1), .queue), .init(.fixed(44), .agreement)])
        }
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    /// The panes of the page that Tab brings, of those that have no room now.
    var hidden: [Pane] {
        let shown = Set(placedPanes.map(\.pane))
        return isZoomed ? [] : Self.panes(of: page).filter { !shown.contains($0) }
    }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { Frame.inside(of: $0.area) }
    }

    /// The rows that a table has for its list: a single line is a row, not the header.
    private static func listRows(_ inside: Rect, head: Int = 0) -> Int {
        let rows = max(0, inside.rows - head)
        return rows > 1 ? rows - 1 : rows
    }

    mutating func place(_ area: Rect) -> [Effect<EvalAnswer>] {
        self.area = area
        layoutPanes()
        return askPage() + advanceText()
    }

    /// Rows above the sample in the queue that say who judged it how; on a low screen the sample comes first.
    static func queueHead(_ inside: Rect) -> Int { min(3, inside.rows / 3) }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if let inside = inside(.runs) { runs.list.height = Self.listRows(inside) }
        if let inside = inside(.samples) { samples.height = Self.listRows(inside) }
        if let inside = inside(.steps) { steps.height = inside.rows }
        if let inside = inside(.pairs) { diff.list.height = Self.listRows(inside, head: diff.headRows(inside.size)) }
        if let inside = inside(.before) { diff.before.layout(inside.inset(columns: 1).size) }
        if let inside = inside(.after) { diff.after.layout(inside.inset(columns: 1).size) }
        if let inside = inside(.rows) { sides.list.height = max(0, inside.rows - SidesPage.headRows) }
        if let inside = inside(.left) { sides.before.layout(inside.inset(columns: 1).size) }
        if let inside = inside(.right) { sides.after.layout(inside.inset(columns: 1).size) }
        if let inside = inside(.causes) { failures.list.height = Self.listRows(inside) }
        if let inside = inside(.cause) { failures.text.layout(inside.inset(columns: 1).size) }
        for pane in [Pane.about, .sample] {
            if let inside = inside(pane) { text.layout(inside.inset(columns: 1).size) }
        }
        if let inside = inside(.queue) {
            var rest = inside.inset(columns: 1)
            _ = rest.takeTop(Self.queueHead(inside))
            text.layout(rest.size)
        }
    }

    /// Whether keys scroll a text.
    var isReadingText: Bool { [.about, .sample, .before, .after, .queue, .left, .right, .cause].contains(pane) }

    mutating func click(_ mouse: Mouse) -> [Effect<EvalAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        switch mouse.action {
        case .scrollDown, .scrollUp: return scroll(placed.pane, by: mouse.action == .scrollDown ? 3 : -3)
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(
                at: mouse.point, in: Frame.inside(of: placed.area), opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<EvalAnswer>] {
        switch pane {
        case .runs:
            runs.list.scroll(by: rows)
            return followRun()
        case .samples:
            samples.scroll(by: rows)
            return followSample()
        case .steps: steps.scroll(by: rows)
        case .pairs:
            diff.list.scroll(by: rows)
            return followPair()
        case .rows: return moveSides { $0.scroll(by: rows) }
        case .causes:
            failures.list.scroll(by: rows)
            return followFailure()
        case .cause:
            failures.text.scroll(by: rows)
            return advanceText()
        case .left, .right:
            sides.before.scroll(by: rows)
            sides.after.scroll(by: rows)
            return advanceText()
        case .before: diff.before.scroll(by: rows)
        case .after: diff.after.scroll(by: rows)
        case .about, .sample, .queue:
            text.scroll(by: rows)
            return advanceText()
        case .chart, .matrix, .agreement: break
        }
        return []
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<EvalAnswer>] {
        var body = inside
        switch pane {
        case .runs:
            guard let row = runs.list.row(at: point, in: EvalRunTable(rows: runs).table.rowsArea(in: body)) else {
                return []
            }
            runs.list.select(row)
            return opening ? perform(.open) : followRun()
        case .samples:
            _ = body.takeTop(body.rows - Self.listRows(body))
            guard let row = samples.row(at: point, in: body) else { return [] }
            samples.select(row)
            return opening ? perform(.open) : followSample()
        case .steps:
            guard let row = steps.row(at: point, in: body) else { return [] }
            steps.select(row)
            return opening ? perform(.open) : []
        case .pairs:
            guard let row = diff.list.row(at: point, in: diff.rowsArea(in: body)) else { return [] }
            diff.list.select(row)
            return opening ? perform(.open) : followPair()
        case .rows:
            _ = body.takeTop(SidesPage.headRows)
            guard let row = sides.list.row(at: point, in: body) else { return [] }
            sides.side = point.column < body.column + body.columns / 2 ? .left : .right
            return moveSides { $0.select(row) } + (opening ? perform(.open) : [])
        case .left, .right:
            sides.side = pane == .left ? .left : .right
            return []
        case .causes:
            guard let row = failures.list.row(at: point, in: FailurePage.table.rowsArea(in: body)) else { return [] }
            failures.list.select(row)
            return opening ? perform(.open) : followFailure()
        default: return []
        }
    }
}
