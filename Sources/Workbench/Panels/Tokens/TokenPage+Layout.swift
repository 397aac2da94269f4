package import Console
internal import LanguageModels
internal import ModelLab
internal import Presentation

extension TokenPage {
    /// Divides the screen by the content of the panes.
    ///
    /// The sessions are above the live state of the model on the left, the text above the alternatives on the right;
    /// narrow screens show one of the two lower panes. The sessions and the alternatives are as high as their content;
    /// the text and the figures get the remaining rows.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        guard size.columns >= 110 else {
            guard size.rows >= 18 else { return .pane(screen.focus) }
            let left = min(28, size.columns / 3)
            let upper = max(
                size.rows / 3, rowsNeeded(by: .sessions, of: size), rowsNeeded(by: .text, of: size))
            let lower = min(
                max(9, size.rows * 9 / 20, size.rows - upper), max(6, rowsNeeded(by: lowerPane, of: size)))
            return .rows([
                .init(
                    .weight(1), .columns([.init(.fixed(left), .sessions), .init(.weight(1), .text)])),
                .init(.fixed(lower), lowerPane),
            ])
        }
        let left = max(34, min(64, size.columns * 7 / 20, tree.columnsNeeded))
        let most = size.rows - min(size.rows / 2, rowsNeeded(by: .live, of: size))
        let sessions = max(6, min(rowsNeeded(by: .sessions, of: size), most))
        let lower = min(max(11, size.rows * 9 / 20), max(8, rowsNeeded(by: .alternatives, of: size)))
        return .columns([
            .init(.fixed(left), .rows([.init(.fixed(sessions), .sessions), .init(.weight(1), .live)])),
            .init(.weight(1), .rows([.init(.weight(1), .text), .init(.fixed(lower), .alternatives)])),
        ])
    }

    /// Returns the rows that a pane needs, with its frame.
    private func rowsNeeded(by pane: PaneName, of size: Size) -> Int {
        switch pane {
        case .sessions: 2 + 1 + tree.rows.count
        // Includes the legend, and a line of the note.
        case .text: compared == nil ? 2 + text.rowCount + (note == nil ? 1 : 2) : size.rows
        case .live: 2 + (live.map(\.rows) ?? figures?.rows ?? 3)
        case .alternatives:
            2 + Self.alternativesHead + 1 + (step.map { AlternativesTable.rows(of: $0.step).count } ?? 1)
        }
    }

    /// Number of lines above the table of alternatives: figures and processors.
    private static let alternativesHead = 2

    /// Returns the area of the table of alternatives, below the line with the processors.
    static func alternativeRows(of inside: Rect) -> Rect {
        var rows = inside
        _ = rows.takeTop(rows.rows > alternativesHead ? alternativesHead : 0)
        return rows
    }

    // MARK: The text

    /// Adapts the text, and the text next to it in a comparison, to an area.
    mutating func fitText(_ area: Rect) {
        text.setWidth(textParts(of: area).text.columns)
        // The rows left for the columns are known only after layout.
        let parts = textParts(of: area)
        text.height = parts.text.rows
        compared?.text.setWidth(parts.other.columns)
        compared?.text.height = parts.other.rows
    }

    /// Returns the areas of the text, of the other text in a comparison, of the columns, and of the line below.
    func textParts(of area: Rect) -> (text: Rect, other: Rect, course: Rect, legend: Rect) {
        var text = area
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
    var course: TokenCourse? { answer.flatMap { TokenCourse($0, coloring: coloring, cursor: step?.index) } }

    /// Figures of the visible generation.
    var figures: GenerationFigures? { answer.map(GenerationFigures.init) }
}
