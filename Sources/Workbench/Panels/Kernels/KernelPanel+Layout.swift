internal import Console

extension KernelPanel {
    /// How the panes divide the area: roof and ladder above, the list and the text below; narrow screens show the roof and
    /// whichever pane has the keys.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            let lower = pane == .roof ? .ladder : pane
            return .rows([.init(.weight(1), .roof), .init(.weight(1), lower)])
        }
        let side = min(76, max(58, area.columns * 2 / 5))
        return .rows([
            .init(
                .fixed(max(10, area.rows * 11 / 20)),
                .columns([.init(.weight(1), .roof), .init(.fixed(side), .ladder)])),
            .init(
                .weight(1),
                .columns([.init(.fixed(min(46, max(44, area.columns / 3))), .subjects), .init(.weight(1), .detail)])),
        ])
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { $0.area.inset(columns: 1, rows: 1) }
    }

    mutating func place(_ area: Rect) -> [Effect<KernelAnswer>] {
        self.area = area
        layoutPanes()
        return advanceText()
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if let inside = inside(.subjects) { subjects.list.height = SubjectList.table.rowsArea(in: inside).rows }
        if let rows = inside(.ladder).map(ladderRows) { changeList { $0.height = rows.rows } }
        if let area = inside(.detail) { text.layout(detailParts(of: area).text.size) }
    }

    /// Where the rungs or launches are listed.
    func ladderRows(in inside: Rect) -> Rect {
        switch shown {
        case .operation(let open), .own(let open): LadderView.parts(of: inside, rungs: open.ladder.rungs.count).rows
        case .profile(let open): LaunchTable(profile: open, isFocused: false).table.rowsArea(in: inside)
        case nil: inside
        }
    }

    /// Where the chart of a history stands, above the text.
    func detailParts(of inside: Rect) -> (chart: Rect, text: Rect) {
        var text = inside.inset(columns: 1)
        let chart = text.takeTop(view == .history ? historyChart?.rows(of: text.rows) ?? 0 : 0)
        return (chart, text)
    }

    var historyChart: HistoryChart? {
        switch shown {
        case .operation(let open), .own(let open): open.chart
        default: nil
        }
    }

    /// Changes the list of rungs or launches.
    mutating func changeList(_ change: (inout ListView) -> Void) {
        switch shown {
        case .operation(var open):
            change(&open.list)
            shown = .operation(open)
        case .own(var open):
            change(&open.list)
            shown = .own(open)
        case .profile(var open):
            change(&open.list)
            shown = .profile(open)
        case nil: break
        }
    }

    mutating func click(_ mouse: Mouse) -> [Effect<KernelAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = placed.area.inset(columns: 1, rows: 1)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            return scroll(placed.pane, by: rows)
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, in: inside, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<KernelAnswer>] {
        switch pane {
        case .subjects: subjects.list.scroll(by: rows)
        case .ladder, .roof:
            changeList { $0.scroll(by: rows) }
            return showText()
        case .detail:
            text.scroll(by: rows)
            return advanceText()
        }
        return []
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<KernelAnswer>] {
        switch pane {
        case .subjects:
            guard let row = subjects.list.row(at: point, in: SubjectList.table.rowsArea(in: inside)) else { return [] }
            subjects.list.select(row)
            return opening ? perform(.open) : []
        case .ladder:
            let rows = ladderRows(in: inside)
            var hit: Int?
            changeList { list in
                hit = list.row(at: point, in: rows)
                if let hit { list.select(hit) }
            }
            guard hit != nil else { return [] }
            return showText() + (opening ? perform(.open) : [])
        case .roof, .detail: return []
        }
    }
}
