internal import Console
internal import Formatting

extension AttentionPage {
    // MARK: All heads

    /// Returns the scores of all heads on the visible side, as `[layers, heads]`; `nil` if unavailable.
    func scores(of measure: HeadMeasure) -> [Float]? {
        guard shown == .difference, let before = looks?.first.scores[measure],
            let after = looks?.second?.scores[measure], before.count == after.count
        else { return look?.scores[measure] }
        return zip(after, before).map { $0 - $1 }
    }

    /// Tiles of the heads; `nil` if there are no scores.
    var tiles: HeatTiles? {
        guard let run, let look, let scores = scores(of: measure) else { return nil }
        var scale = HeatScale.sequential(max: 1)
        var heatmaps = look.heatmaps.map(Optional.some)
        // Each head has its own scale: heads that attend to one token would outshine heads that attend to many.
        var miniScale: HeatScale?
        if shown == .difference, let first = looks?.first, let second = looks?.second {
            scale = .diverging(of: scores)
            let differences = zip(second.heatmaps, first.heatmaps).map { $0 - $1 }
            miniScale = .diverging(of: differences.lazy.flatMap(\.values))
            heatmaps = differences.map(Optional.some)
        }
        var tiles = HeatTiles(
            rows: run.layers, columns: run.heads, scores: scores, scale: scale, heatmaps: heatmaps, miniScale: miniScale
        )
        tiles.pooling = .mean
        tiles.cursor = HeatGrid.Position(row: request.layer, column: request.head)
        return tiles
    }

    var headsFrame: Frame {
        var frame = Frame("Heads")
        if let run {
            frame.count = FrameLabel("\(run.layers) × \(run.heads)", role: .dim)
            frame.details = [FrameLabel(measure.title, role: .dim)]
        }
        if second != nil { frame.trailing = [FrameLabel(shown.rawValue, role: .accent)] }
        return frame
    }

    func drawHeads(into surface: inout Surface, in inside: Rect, _ theme: Theme) {
        guard let tiles else {
            // The text's pane shows problems and hints, once.
            if run != nil { drawNothing(into: &surface, in: inside, theme) }
            return
        }
        let room = tilesRoom(in: inside)
        tiles.draw(into: &surface, in: room, theme: theme, isFocused: screen.focus == .heads)
        draw(HeatLegend(tiles.scale, note: gridNote(in: room, theme)), below: room, into: &surface, in: inside, theme)
    }

    /// Draws a legend in the last row, if a picture leaves that row free.
    private func draw(
        _ legend: HeatLegend, below picture: Rect, into surface: inout Surface, in inside: Rect, _ theme: Theme
    ) {
        guard picture.endRow < inside.endRow else { return }
        var rest = inside
        legend.draw(into: &surface, in: rest.takeBottom(1), theme: theme)
    }

    /// Returns the weights behind one cell of the small maps; the border names the score that colors them.
    private func gridNote(in room: Rect, _ theme: Theme) -> String {
        guard let run, let look, let cell = look.miniCell, let mini = look.heatmaps.first else { return "" }
        let size = HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: room)
        guard size.rows > 0 else { return "" }
        let rows = size.rows * (HeatPalette(theme).isColored ? 2 : 1)
        return "maps: \(cell.span(of: mini, drawnIn: rows, size.columns))"
            + (shown == .difference ? "" : ", own scale")
    }

    // MARK: One head

    /// Returns the heatmap with its labels and cross.
    func headMap(_ picture: HeadPicture, grid: HeatGrid) -> Heatmap? {
        guard let run = shownRun else { return nil }
        let columns = screen.area(of: .head).map { Self.labelColumns(of: headRoom(in: $0)) } ?? 13
        var map = Heatmap(
            grid, scale: shown == .difference ? .diverging(of: grid.values) : .root(of: grid.values),
            cursor: picture.place(query: token, key: key),
            rowLabels: (0..<grid.rows).map { row in
                let query =
                    picture.queriesPerCell == 1
                    ? picture.queries.lowerBound + row : picture.pair(at: .init(row: row, column: 0)).query
                return Self.rowLabel(run.visible(query).trimmed, query, columns: columns)
            },
            columnLabels: (0..<grid.columns).map {
                run.visible(picture.pair(at: .init(row: 0, column: $0)).key).trimmed
            })
        map.hasNumbers = true
        map.isSquare = false
        map.pooling = look?.request.pooling ?? .max
        return map
    }

    /// Returns a token with its index, which distinguishes equal tokens.
    private static func rowLabel(_ text: String, _ index: Int, columns: Int) -> String {
        "\(text.truncated(toColumns: max(2, columns - 3 - String(index).count))) \(index)"
    }

    var headFrame: Frame {
        var frame = Frame(FrameLabel(run == nil ? "Head" : headName))
        if run != nil {
            frame.details = [FrameLabel(request.isWeighted ? "weighted by |v|" : "weights", role: .dim)]
            // A is unchanged, so the change appears only where B is visible.
            if let change = changeOfHead, shown != .first {
                frame.details.append(FrameLabel(change.words, role: .warning))
            }
            if second != nil { frame.trailing = [FrameLabel(shown.rawValue, role: .accent)] }
        }
        return frame
    }

    func drawHead(into surface: inout Surface, in inside: Rect, _ theme: Theme) {
        guard let look, let picture = look.head else {
            if let problem = look?.headProblem {
                surface.put(problem, at: inside.origin, style: theme[.faint], width: inside.columns)
            }
            return
        }
        guard let grid = headGrid(picture) else {
            surface.put(
                "A and B have different tokens here, so their cells are not comparable", at: inside.origin,
                style: theme[.dim], width: inside.columns)
            return
        }
        // Two rows of a matrix show nothing useful; the weight under the cursor does.
        guard inside.rows >= 4 else {
            return draw(ProseLines.of(crossLine, columns: inside.columns), into: &surface, in: inside, theme)
        }
        surface.put(crossLine, at: inside.origin, theme: theme, width: inside.columns)
        let room = headRoom(in: inside)
        guard let map = headMap(picture, grid: grid) else { return }
        map.draw(into: &surface, in: room, theme: theme, isFocused: screen.focus == .head)
        let legend = HeatLegend(map.scale, note: note(of: picture, grid: grid, in: room, theme))
        draw(legend, below: room, into: &surface, in: inside, theme)
    }

    /// Returns the weights behind one cell of the screen, which combines several cells of the picture if the screen has
    /// fewer.
    func note(of picture: HeadPicture, grid: HeatGrid, in room: Rect, _ theme: Theme) -> String {
        var cells = room
        _ = cells.takeTop(1)
        _ = cells.takeLeft(Self.labelColumns(of: room))
        let capacity = Heatmap.capacity(of: cells, theme: theme)
        guard grid.rows > capacity.rows || grid.columns > capacity.columns, let request = look?.request else {
            return picture.note
        }
        let cell = CellSpan(
            queries: picture.queriesPerCell, keys: picture.keysPerCell, pooling: request.pooling,
            isWeighted: request.isWeighted)
        return cell.text(of: grid, drawnIn: capacity.rows, capacity.columns)
    }

    /// Returns the matrix of the visible side; `nil` if the two sides cannot be subtracted.
    func headGrid(_ picture: HeadPicture) -> HeatGrid? {
        guard shown == .difference, let second = looks?.second?.head else { return picture.grid }
        guard let first = looks?.first.head, first.queriesPerCell == second.queriesPerCell,
            first.keysPerCell == second.keysPerCell, first.queries.lowerBound == second.queries.lowerBound,
            first.keys.lowerBound == second.keys.lowerBound
        else { return nil }
        return second.grid - first.grid
    }

    /// Line such as `query 12 cat → key 3 the   0.4213`.
    private var crossLine: StyledLine {
        guard let run = shownRun else { return StyledLine() }
        var line = StyledLine()
        for (name, index) in [("query ", token), ("  key ", key)] {
            line.append(name, .dim)
            line.append("\(index) ")
            line.append(run.visible(index).truncated(toColumns: 14), .accent)
        }
        line.append("   ")
        if key > token {
            line.append("comes later: masked", .dim)
            return line
        }
        func number(_ look: AttentionLook?) -> Float? {
            guard let look, look.request.token == token, let weights = look.attended, weights.indices.contains(key)
            else { return nil }
            return weights[key]
        }
        let (first, second) = (number(looks?.first), number(looks?.second))
        switch (shown, first, second) {
        case (.difference, let first?, let second?):
            line.append(Format.fixed(Double(second - first), digits: 3), .strong)
            line.append(
                "  \(Format.fixed(Double(second), digits: 3)) - \(Format.fixed(Double(first), digits: 3))", .dim)
        case (.second, _, let second?): line.append(Format.fixed(Double(second), digits: 3), .strong)
        case (.first, let first?, _): line.append(Format.fixed(Double(first), digits: 3), .strong)
        default: line.append("–", .faint)
        }
        return line
    }
}
