internal import Console
internal import LanguageModels
internal import ModelLab
internal import Presentation

extension TokenPanel {
    /// Layout, by the content of the panes.
    ///
    /// The sessions are above the live state of the model on the left, the text above the alternatives on the right;
    /// narrow screens show one of the two lower panes. The sessions and the alternatives are as high as their content;
    /// the text and the figures get the remaining rows.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            let left = min(28, area.columns / 3)
            let upper = max(area.rows / 3, rowsNeeded(by: .sessions), rowsNeeded(by: .text))
            let lower = min(max(9, area.rows * 9 / 20, area.rows - upper), max(6, rowsNeeded(by: lowerPane)))
            return .rows([
                .init(
                    .weight(1), .columns([.init(.fixed(left), .sessions), .init(.weight(1), .text)])),
                .init(.fixed(lower), lowerPane),
            ])
        }
        let left = max(34, min(64, area.columns * 7 / 20, tree.columnsNeeded))
        let sessions = max(6, min(rowsNeeded(by: .sessions), area.rows - min(area.rows / 2, rowsNeeded(by: .live))))
        let lower = min(max(11, area.rows * 9 / 20), max(8, rowsNeeded(by: .alternatives)))
        return .columns([
            .init(.fixed(left), .rows([.init(.fixed(sessions), .sessions), .init(.weight(1), .live)])),
            .init(.weight(1), .rows([.init(.weight(1), .text), .init(.fixed(lower), .alternatives)])),
        ])
    }

    /// Returns the rows that a pane needs, with its frame.
    private func rowsNeeded(by pane: Pane) -> Int {
        switch pane {
        case .sessions: 2 + 1 + tree.rows.count
        // Includes the legend, and a line of the note.
        case .text where compared == nil: 2 + text.rowCount + (note == nil ? 1 : 2)
        case .text: area.rows
        case .live: 2 + (live.map(\.rows) ?? figures?.rows ?? 3)
        default: 2 + Self.alternativesHead + 1 + (step.map { AlternativesTable.rows(of: $0.step).count } ?? 1)
        }
    }

    /// Number of lines above the table of alternatives: figures and processors.
    static let alternativesHead = 2

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { Frame.inside(of: $0.area) }
    }

    mutating func place(_ area: Rect) -> [Effect<TokenAnswer>] {
        self.area = area
        layoutPanes()
        return []
    }

    /// Updates the sizes of lists and texts.
    mutating func layoutPanes() {
        if pane == .alternatives || pane == .live { lowerPane = pane }
        // The rows of the panes depend on how the text wraps, so set its width first.
        if let inside = inside(.text) { text.setWidth(textParts(of: inside).text.columns) }
        if let inside = inside(.sessions) { tree.list.height = SessionTree.table.rowsArea(in: inside).rows }
        if let inside = inside(.text) {
            text.setWidth(textParts(of: inside).text.columns)
            // The rows left for the columns are known only after layout.
            let parts = textParts(of: inside)
            text.height = parts.text.rows
            compared?.text.setWidth(parts.other.columns)
            compared?.text.height = parts.other.rows
        }
        if let inside = inside(.alternatives) { alternatives.height = max(0, alternativeRows(of: inside).rows - 1) }
        alternatives.count = step.map { AlternativesTable.rows(of: $0.step).count } ?? 0
        operations.count = live?.operations.count ?? 0
        if let inside = inside(.live), let live { operations.height = live.operationRows(in: inside).rows }
    }

    /// Returns the areas of the text, of the other text in a comparison, of the columns, and of the line below.
    func textParts(of inside: Rect) -> (text: Rect, other: Rect, course: Rect, legend: Rect) {
        var text = inside.inset(columns: 1)
        // A note of several lines is cut to one if the text needs the room.
        let lines = noteLines(columns: text.columns).count
        let noted = text.rows - self.text.rowCount - 2 >= lines ? lines : text.rows >= 8 ? min(1, lines) : 0
        let legend = text.takeBottom(min(1 + noted, (text.rows + 1) / 3))
        let none = Rect(Size(0, 0))
        guard compared != nil else {
            // Rows that the text does not need show its tokens as columns, below a blank line.
            let left = text.rows - self.text.rowCount - 1
            guard left >= TokenCourse.leastRows, course != nil else { return (text, none, none, legend) }
            let course = text.takeBottom(left)
            return (text, none, course, legend)
        }
        var other = text
        let left = other.takeLeft((text.columns - 3) / 2)
        _ = other.takeLeft(3)
        return (left, other, none, legend)
    }

    /// Note on a sample generation, which says what to look for.
    var note: String? {
        guard let answer, case .text(let prompt) = answer.document.input else { return nil }
        return SampleTexts.recordings.first { $0.prompt == prompt }?.note
    }

    func noteLines(columns: Int) -> [StyledLine] { note.map { ProseLines.of($0, .dim, columns: columns) } ?? [] }

    /// Columns of the visible generation's tokens; `nil` without a generation.
    var course: TokenCourse? {
        answer.flatMap {
            TokenCourse($0, coloring: coloring, medianSeconds: Self.medianSeconds(of: $0), cursor: step?.index)
        }
    }

    /// Figures of the visible generation.
    var figures: GenerationFigures? { answer.map(GenerationFigures.init) }

    /// Returns the area of the table of alternatives, below the line with the processors.
    func alternativeRows(of inside: Rect) -> Rect {
        var rows = inside
        _ = rows.takeTop(rows.rows > Self.alternativesHead ? Self.alternativesHead : 0)
        return rows
    }

    mutating func click(_ mouse: Mouse) -> [Effect<TokenAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = Frame.inside(of: placed.area)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            switch placed.pane {
            case .sessions: tree.list.scroll(by: rows)
            case .text: text.scroll(by: rows)
            case .alternatives: alternatives.scroll(by: rows)
            case .live: operations.scroll(by: rows)
            }
            return []
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, in: inside, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<TokenAnswer>] {
        switch pane {
        case .sessions:
            guard let row = tree.list.row(at: point, in: SessionTree.table.rowsArea(in: inside)) else { return [] }
            tree.list.select(row)
            return opening ? perform(.open) : []
        case .text:
            let parts = textParts(of: inside)
            if let item = text.item(at: point, in: parts.text) {
                text.stand(at: item)
                cursorMoved()
            } else if let step = course?.step(at: point, in: parts.course) {
                text.moveCursor(to: .step(step))
                cursorMoved()
            }
            return []
        case .alternatives:
            guard let step else { return [] }
            let rows = AlternativesTable(step: step.step).table.rowsArea(in: alternativeRows(of: inside))
            guard let row = alternatives.row(at: point, in: rows) else { return [] }
            alternatives.select(row)
            return opening ? perform(.open) : []
        case .live:
            if let live, let row = operations.row(at: point, in: live.operationRows(in: inside)) {
                operations.select(row)
            }
            return opening ? perform(.open) : []
        }
    }
}
