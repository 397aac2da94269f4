internal import Console

extension CircuitPage {
    /// The question in two rows above, the map below it, bars of parts and the cell under the cursor at the foot; narrow
    /// screens show the map and one of them.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 100 else {
            guard area.rows >= 18 else { return .pane(pane) }
            return .rows([.init(.weight(3), .map), .init(.weight(2), pane == .parts ? .parts : .cell)])
        }
        return .rows([
            .init(.weight(3), .map),
            .init(.weight(2), .columns([.init(.weight(1), .parts), .init(.weight(1), .cell)])),
        ])
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    mutating func place(_ area: Rect) -> [Effect<FeatureAnswer>] {
        self.area = area
        layoutPanes()
        return []
    }

    mutating func layoutPanes() {
        guard let placed = placedPanes.first(where: { $0.pane == .parts }) else { return }
        // The last row is the check of the sum.
        parts.height = max(0, inside(placed.area).rows - 1)
    }

    func inside(_ area: Rect) -> Rect { Frame.inside(of: area).inset(columns: 1) }

    /// The rows above the map that say what is asked.
    static func questionRows(_ inside: Rect) -> Int { inside.rows >= 12 ? 4 : 0 }

    /// Returns the area of the map, between the question and two rows for its scale and metric.
    static func plot(_ inside: Rect) -> Rect {
        var rest = inside
        _ = rest.takeTop(questionRows(inside))
        rest.rows = max(1, rest.rows - 2)
        return rest
    }

    mutating func click(_ mouse: Mouse) -> [Effect<FeatureAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        switch mouse.action {
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, in: inside(placed.area), opening: mouse.action == .doubleClick)
        case .scrollDown, .scrollUp:
            if placed.pane == .parts { parts.scroll(by: mouse.action == .scrollDown ? 3 : -3) }
            return []
        default: return []
        }
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<FeatureAnswer>] {
        switch pane {
        case .map:
            guard let place = heatmap?.place(at: point, in: Self.plot(inside), theme: .dark) else { return [] }
            moveCursor(to: place)
            return opening ? perform(.open) : []
        case .parts:
            if let row = parts.row(at: point, in: inside) { parts.select(row) }
            return []
        case .cell: return []
        }
    }
}
