package import Console

extension AttentionPage {
    /// Places all heads to the left of the large head, and the text to the left of its reading.
    ///
    /// Narrow screens show one pane of each pair. Before a text is read, the text and its hints take the whole area, since the other
    /// panes would be empty.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        guard run != nil else { return .pane(.tokens) }
        guard size.columns >= 110 else {
            guard size.rows >= 18 else { return .pane(screen.focus) }
            if let rows = scoreRows(in: size) {
                return .rows([.init(.fixed(rows), .heads), .init(.weight(1), lowerPane)])
            }
            let lower = max(7, min(size.rows * 5 / 11, lowerRows(of: lowerPane, in: size)))
            return .rows([.init(.weight(1), upperPane), .init(.fixed(lower), lowerPane)])
        }
        let head = Extent.weight(1, minimum: 44)
        let needed = max(lowerRows(of: .tokens, in: size), lowerRows(of: .reading, in: size))
        return .rows([
            .init(.weight(1), .columns([.init(.weight(1), .heads), .init(head, .head)])),
            .init(
                .fixed(max(9, min(size.rows * 2 / 5, needed))),
                .columns([.init(.weight(1), .tokens), .init(.weight(1), .reading)])),
        ])
    }

    /// Returns the rows of the head list with its frame, if there is room only for scores.
    private func scoreRows(in size: Size) -> Int? {
        guard upperPane == .heads, let run else { return nil }
        let room = Rect(column: 0, row: 0, columns: size.columns - 4, rows: size.rows * 6 / 11 - 3)
        guard HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: room).rows == 0 else { return nil }
        return min(run.layers + 4, size.rows * 6 / 11)
    }

    /// Returns the rows of a lower pane with its frame; the heads get the rest.
    private func lowerRows(of pane: PaneName, in size: Size) -> Int {
        guard let run else { return 9 }
        if pane == .tokens {
            let texts = max(tokens.rowCount, second == nil ? 0 : otherTokens.rowCount)
            return 2 + texts + 2 + noteLines(columns: (size.columns >= 110 ? size.columns / 2 : size.columns) - 4).count
        }
        switch request.tab {
        case .token: return 2 + 3 + Self.strongest + (request.range == nil ? 0 : 2)
        case .lens: return 2 + 3 + run.layers + 3
        case .norms: return 2 + 3 + max(6, run.layers)
        case .experts: return 2 + 3 + max(6, run.experts)
        case .sums: return 2 + 10
        }
    }

    /// Number of keys listed for a token.
    static let strongest = 8

    /// Everything that the views depend on; `nil` without a text.
    var question: LookQuestion? {
        guard run != nil else { return nil }
        var wanted = request
        wanted.token = token
        wanted.wantsAttending = shading == .attendedBy
        let mini = miniSize
        (wanted.miniRows, wanted.miniColumns) = (2 * mini.rows, mini.columns)
        if let room = screen.area(of: .head).map(headRoom) {
            wanted.rows = 2 * max(0, room.rows - 1)
            wanted.columns = max(0, room.columns - Self.labelColumns(of: room))
        }
        wanted.positions = screen.area(of: .reading).map { max(0, $0.columns - Self.readingLabels) } ?? 0
        return LookQuestion(request: wanted, revision: revision)
    }

    /// Adapts the texts to the area of their pane.
    mutating func fitTokens(to area: Rect) {
        let parts = textParts(of: area)
        Self.fit(&tokens, to: parts.first)
        Self.fit(&otherTokens, to: parts.second)
    }

    private static func fit(_ text: inout ShadedTokens, to area: Rect) {
        text.setWidth(area.columns)
        // A new height scrolls to the cursor.
        if text.height != area.rows { text.height = area.rows }
    }

    /// Returns the width of a head's row labels: more in a wide pane, to show long tokens in full.
    static func labelColumns(of room: Rect) -> Int { max(13, min(20, room.columns / 5)) }
    /// Width of a reading's row labels.
    static let readingLabels = 11
    /// Width of a token in the lens.
    static let lensColumns = 9

    /// Size of a head's small map in cells; zero if only scores fit.
    private var miniSize: Size {
        guard let inside = screen.area(of: .heads), let run else { return Size(0, 0) }
        return HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: tilesRoom(in: inside))
    }

    /// Returns the area of the heads' tiles, above the legend.
    func tilesRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeBottom(min(1, room.rows / 3))
        return room
    }

    /// Returns the area of the large head's cells, between the line with its numbers and the legend.
    func headRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeTop(min(2, room.rows / 4))
        _ = room.takeBottom(min(2, room.rows / 4))
        return room
    }

    /// Returns the areas of the text, of the other text in a comparison, and of the legend below.
    func textParts(of inside: Rect) -> (first: Rect, second: Rect, legend: Rect) {
        var text = inside
        let noted = text.rows >= 6 ? noteLines(columns: text.columns).count : 0
        let legend = text.takeBottom(min(1 + noted, (text.rows + 1) / 3))
        if text.rows > 4 { _ = text.takeBottom(1) }
        guard second != nil else { return (text, Rect(Size(0, 0)), legend) }
        if text.columns >= 60 {
            let left = text.takeLeft((text.columns - 3) / 2)
            _ = text.takeLeft(3)
            return (left, text, legend)
        }
        let upper = text.takeTop((text.rows - 1) / 2)
        _ = text.takeTop(1)
        return (upper, text, legend)
    }
}

/// The request for the views of the current runs.
struct LookQuestion: Equatable, Sendable {
    var request: AttentionRequest
    /// Number of changes of the runs so far.
    var revision: Int
}
