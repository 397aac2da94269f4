internal import Console

extension KernelPanel {
    /// How the panes divide the area: the ladder gets the rows that its rungs need, the list and the text the rest. Narrow
    /// screens leave the text out until it has the keys, small ones show one pane.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else { return narrowTree }
        let side = area.columns >= 180 ? area.columns / 2 : min(76, max(58, area.columns / 2))
        let upper: Int
        if case .profile = shown {
            upper = max(10, area.rows * 11 / 20)
        } else {
            upper = min(max(area.rows * 11 / 20, 10), max(ladderNeeds, 9 + area.rows / 5))
        }
        return .rows([
            .init(.fixed(upper), .columns([.init(.weight(1), .roof), .init(.fixed(side), .ladder)])),
            .init(
                .weight(1),
                .columns([
                    .init(.fixed(max(44, min(area.columns / 3, subjects.columnsNeeded))), .subjects),
                    .init(.weight(1), .detail),
                ])),
        ])
    }

    private var narrowTree: PaneTree<Pane> {
        guard area.rows >= 18 else { return .pane(pane) }
        // Launches have many columns: the table takes the whole width.
        if case .profile = shown {
            return .rows([.init(.weight(1), .roof), .init(.weight(1), pane == .roof ? .ladder : pane)])
        }
        let lower: Pane = pane == .detail ? .detail : .roof
        guard area.columns >= 64 else {
            return .rows([.init(.weight(1), pane == .roof ? .ladder : pane), .init(.weight(1), lower)])
        }
        let upper = min(max(ladderNeeds, 8), area.rows - 10)
        return .rows([
            .init(
                .fixed(upper),
                .columns([.init(.fixed(min(32, area.columns * 2 / 5)), .subjects), .init(.weight(1), .ladder)])),
            .init(.weight(1), lower),
        ])
    }

    /// Rows of the ladder with its header, two remarks, and the border.
    private var ladderNeeds: Int {
        switch shown {
        case .operation(let open), .own(let open): open.ladder.rungs.count + 5
        case .profile, nil: 12
        }
    }

    /// Panes that have no room now and that Tab reaches, for the frame of the last visible pane.
    var hidden: [String] {
        let shown = Set(placedPanes.map(\.pane))
        return isZoomed ? [] : Pane.allCases.filter { !shown.contains($0) }.map(\.word)
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { Frame.inside(of: $0.area) }
    }

    mutating func place(_ area: Rect) -> [Effect<KernelAnswer>] {
        self.area = area
        layoutPanes()
        return advanceText()
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if let inside = inside(.subjects) { subjects.list.height = subjects.table.rowsArea(in: inside).rows }
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
        let inside = Frame.inside(of: placed.area)
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
            guard let row = subjects.list.row(at: point, in: subjects.table.rowsArea(in: inside)) else { return [] }
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

extension KernelPanel.Pane {
    /// The pane's title in its frame.
    var word: String {
        switch self {
        case .subjects: "Kernels"
        case .roof: "Roofline"
        case .ladder: "Ladder"
        case .detail: "Source"
        }
    }
}
