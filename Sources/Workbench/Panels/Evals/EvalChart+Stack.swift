internal import Console

extension EvalChart {
    /// Returns the number of rows of a chart with one line per item; `nil` if the chart takes all available rows.
    private func lines(_ material: Material) -> Int? {
        switch kind {
        case .bars: bars(material).rows.count + 2
        case .slices: slices(material).map { $0.rows.count + 2 }
        case .histogram, .confusion, .roc, .precisionRecall, .reliability, .cost: nil
        }
    }

    /// Rows that another picture needs to be worth its place, and the most that it takes.
    private static let room = 10...16

    /// Draws the chart and, where it leaves much of the area free, the next ones that have something to show below it.
    func drawStack(_ material: Material, into surface: inout Surface, in area: Rect, theme: Theme) {
        draw(material, into: &surface, in: area, theme: theme)
        guard reason(material) == nil, let lines = lines(material), lines < area.rows else { return }
        var rest = area
        _ = rest.takeTop(lines)
        var others = self
        for _ in Kind.allCases {
            others.next(1, material)
            if others.kind == kind { return }
            guard others.reason(material) == nil else { continue }
            let free = rest.rows - 2
            let rows = others.lines(material) ?? max(Self.room.lowerBound, min(Self.room.upperBound, free))
            guard rows <= free else { return }
            _ = rest.takeTop(1)
            let title = [others.kind.title, others.kind.unit].compactMap(\.self).joined(separator: "  ")
            surface.put(
                title, at: rest.takeTop(1).origin, style: theme[.heading], width: rest.columns)
            others.draw(material, into: &surface, in: rest.takeTop(rows), theme: theme)
        }
    }
}
