internal import Console

extension FeaturePanel {
    /// The list on the left, the dashboard to its right, and below them the text and its active features. Narrow
    /// screens show the focused pane below the list or the text.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 100 else {
            guard area.rows >= 18 else { return .pane(pane) }
            return pane == .text || pane == .active
                ? .rows([.init(.weight(1), .text), .init(.weight(1), .active)])
                : .rows([.init(.weight(2), .list), .init(.weight(3), .card)])
        }
        let side = Extent.fixed(sideColumns)
        let lower = max(8, min(area.rows * 2 / 5, lowerRows))
        return .rows([
            .init(.weight(1), .columns([.init(side, .list), .init(.weight(1), .card)])),
            .init(.fixed(lower), .columns([.init(.weight(1), .text), .init(side, .active)])),
        ])
    }

    /// Columns of the list and of the active features, with their frame.
    private var sideColumns: Int { min(84, area.columns * 9 / 20) }

    /// Rows of the text and its active features, with their frame; the list and the dashboard get the rest.
    private var lowerRows: Int {
        guard !text.isEmpty else { return 8 }
        let (untouched, changed) = (text.untouched.rowCount, text.hasChanged ? text.changed.rowCount : 0)
        // One over the other, both need rows of their own: what was written differs at the end, which must be in sight.
        let isStacked = text.hasChanged && !SteeredText.isBeside(area.columns - sideColumns - 4)
        let texts = isStacked ? untouched + 1 + changed : max(untouched, changed)
        return 2 + max(texts + 3, active.most)
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { Frame.inside(of: $0.area).inset(columns: 1) }
    }

    mutating func place(_ area: Rect) -> [Effect<FeatureAnswer>] {
        self.area = area
        layoutPanes()
        return showsCircuits ? circuits.place(area) : []
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        list.hasChanges = !changes.isEmpty
        if let inside = inside(.list) {
            list.list.height = list.table(columns: inside.columns).rowsArea(in: inside).rows
        }
        if let inside = inside(.card) { cardView.layout(card, in: inside) }
        if let inside = inside(.active) { active.list.height = inside.rows }
        if let inside = inside(.text) { text.layout(columns: inside.columns, rows: Self.textRows(inside)) }
    }

    /// One row below the texts says how far they are apart.
    static func textRows(_ inside: Rect) -> Int { max(1, inside.rows - 1) }

    mutating func click(_ mouse: Mouse) -> [Effect<FeatureAnswer>] {
        if showsCircuits { return circuits.click(mouse) }
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            switch placed.pane {
            case .list: list.list.scroll(by: rows)
            case .card: cardView.list.scroll(by: rows)
            case .active: active.list.scroll(by: rows)
            case .text: text.move { $0.scroll(by: rows) }
            }
            return []
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func press(at point: Point, opening: Bool) -> [Effect<FeatureAnswer>] {
        guard let inside = inside(pane) else { return [] }
        switch pane {
        case .list:
            let body = list.table(columns: inside.columns).rowsArea(in: inside)
            guard let row = list.list.row(at: point, in: body) else { return [] }
            list.list.select(row)
            return opening ? perform(.open) : []
        case .active:
            guard let row = active.list.row(at: point, in: inside) else { return [] }
            active.list.select(row)
            return opening ? perform(.open) : []
        case .card:
            let body = Rect(
                column: inside.column, row: inside.row + FeatureCardView.headRows(inside), columns: inside.columns,
                rows: max(0, inside.rows - FeatureCardView.headRows(inside)))
            if let row = cardView.list.row(at: point, in: body) { cardView.list.select(row) }
            return opening ? perform(.open) : []
        case .text:
            let areas = textAreas(inside)
            if let token = text.untouched.token(at: point, in: areas.untouched) {
                if text.isInChanged { text.turn() }
                text.move { $0.moveCursor(to: token) }
            } else if let area = areas.changed, let token = text.changed.token(at: point, in: area) {
                if !text.isInChanged { text.turn() }
                text.move { $0.moveCursor(to: token) }
            }
            return followCursor()
        }
    }

    /// Returns the areas of the texts: side by side, or stacked in a narrow pane.
    func textAreas(_ inside: Rect) -> (untouched: Rect, changed: Rect?) {
        var rest = inside
        rest.rows = Self.textRows(inside)
        guard text.hasChanged else { return (rest, nil) }
        if SteeredText.isBeside(inside.columns) {
            let left = rest.takeLeft((inside.columns - 3) / 2)
            _ = rest.takeLeft(3)
            return (left, rest)
        }
        let top = rest.takeTop(text.untouched.height)
        _ = rest.takeTop(1)
        return (top, rest)
    }
}
