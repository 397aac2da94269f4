internal import Console

extension RetrievalPanel {
    /// Rows of the question with its border.
    static let queryRows = 3
    /// Rows that a pane needs for a border; in fewer rows, the content takes them all.
    static let leastFramed = 5

    /// Rows that hold a verdict over four stages, or most of a chunk, with a border.
    static let enoughBelow = 15

    var hasQuery: Bool { !isZoomed && area.rows > 10 }

    /// How the panes divide what the question leaves: the stages over everything, below them the chunk and the verdicts;
    /// narrow screens show the stages and whichever pane has the keys.
    var paneTree: PaneTree<Pane> {
        // The corpus as a whole takes the whole.
        if mode == .health { return .pane(.stages) }
        guard area.columns >= 100 else {
            guard area.rows >= 20 else { return .pane(pane) }
            return .rows([stages, .init(.weight(1), pane == .stages ? lower : pane)])
        }
        let below: PaneTree<Pane> = .columns([.init(.weight(1), .passage), .init(.weight(1), side)])
        if area.columns >= 170 {
            // Each takes the rows of the column that the other does not need.
            let wanted = questions.rows.count + (mode == .comparison ? 5 : 3)
            let rows = max(Self.leastFramed, min(wanted, max(area.rows / 2, available - needed(why))))
            return .columns([
                .init(
                    .fixed(min(66, area.columns * 3 / 10)),
                    .rows([.init(.fixed(rows), .questions), .init(.weight(1), .why)])),
                .init(.weight(1), .rows([stages, .init(.weight(1), .passage)])),
            ])
        }
        return .rows([stages, .init(.weight(1), below)])
    }

    /// Rows below the question.
    private var available: Int { area.rows - (hasQuery ? Self.queryRows : 0) }

    /// Rows of a text with its frame.
    private func needed(_ text: TextView) -> Int { Layout.framedRows(text.rowCount(upTo: area.rows)) }

    /// The stages take half of the rows, more where the panes below have enough or need no more, and less where they
    /// hold less.
    private var stages: PaneTree<Pane>.Part {
        let rows = available
        let most = max(rows * 6 / 11, rows - max(Self.enoughBelow, rows * 4 / 11))
        guard record != nil else { return .init(.fixed(most), .stages) }
        let narrow = pane == .stages ? lower : pane
        let below: [Pane] = area.columns >= 170 ? [.passage] : area.columns >= 100 ? [.passage, side] : [narrow]
        let least = below.contains(.questions) ? rows : below.map { needed($0 == .why ? why : text) }.max() ?? rows
        return .init(.fixed(max(min(max(most, rows - least), columns.longest + 4), min(most, 8))), .stages)
    }

    /// The pane at the right below: verdicts, or the questions where they have the keys.
    private var side: Pane { pane == .questions || mode == .comparison && pane != .why ? .questions : .why }
    /// What a narrow screen shows below the stages.
    private var lower: Pane { mode == .comparison ? .questions : explanation == nil ? .passage : .why }

    var queryArea: Rect {
        Rect(column: area.column, row: area.row, columns: area.columns, rows: min(area.rows, Self.queryRows))
    }

    var placedPanes: [PaneTree<Pane>.Placed] {
        var rest = area
        if hasQuery { _ = rest.takeTop(Self.queryRows) }
        return paneTree.areas(in: rest, zoomed: isZoomed ? pane : nil)
    }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { placed in
            placed.area.rows < Self.leastFramed ? placed.area : placed.area.inset(columns: 2, rows: 1)
        }
    }

    mutating func place(_ area: Rect) -> [Effect<RetrievalAnswer>] {
        self.area = area
        layoutPanes()
        return advanceText()
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        // How the panes divide the rows depends on how the texts wrap, and the widths on nothing else.
        if let inside = inside(.passage) { text.layout(inside.size) }
        if let inside = inside(.why) { why.layout(inside.size) }
        if let inside = inside(.stages) {
            columns.height = max(1, inside.rows - StageColumns.headRows(in: inside.rows))
            healthText.layout(inside.size)
        }
        if let inside = inside(.passage) { text.layout(inside.size) }
        if let inside = inside(.why) { why.layout(inside.size) }
        if let inside = inside(.questions) {
            questions.list.height = QuestionList.table(isCompared: questions.isCompared).rowsArea(in: inside).rows
        }
    }

    mutating func click(_ mouse: Mouse) -> [Effect<RetrievalAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else {
            return mouse.action == .press && queryArea.contains(mouse.point) ? perform(.ask) : []
        }
        switch mouse.action {
        case .scrollDown, .scrollUp: return scroll(placed.pane, by: mouse.action == .scrollDown ? 3 : -3)
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<RetrievalAnswer>] {
        switch pane {
        case .stages where mode == .health: healthText.scroll(by: rows)
        case .stages:
            columns.scroll(by: rows)
            return readSelected()
        case .passage: text.scroll(by: rows)
        case .why: why.scroll(by: rows)
        case .questions: questions.list.scroll(by: rows)
        }
        return advanceText()
    }

    private mutating func press(at point: Point, opening: Bool) -> [Effect<RetrievalAnswer>] {
        guard let inside = inside(pane) else { return [] }
        switch pane {
        case .stages where mode != .health:
            guard let place = columns.place(at: point, in: inside) else { return [] }
            columns.select(column: place.stage, line: place.line)
            return readSelected() + (opening ? perform(.open) : [])
        case .questions:
            let rows = QuestionList.table(isCompared: questions.isCompared).rowsArea(in: inside)
            guard let row = questions.list.row(at: point, in: rows) else { return [] }
            let isOther = row != questions.list.selection
            questions.list.select(row)
            if mode == .comparison { return isOther ? contrastSelected() : [] }
            return opening ? perform(.open) : []
        default: return []
        }
    }
}
