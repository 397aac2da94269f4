/// The line at the top: the program, what it has open, the tabs, and at the right what is going on.
public struct TitleBar: Hashable, Sendable {
    public var program: String
    public var document: String
    /// What is said of the document, such as `(read-only)`. The document's name is cut for it.
    public var mark: String
    public var tabs: TabBar
    /// The job to be shown; the first of several.
    public var progress: ProgressBar?
    /// A short note where no job runs.
    public var note: FrameLabel?

    public init(
        program: String, document: String, mark: String = "", tabs: TabBar, progress: ProgressBar? = nil,
        note: FrameLabel? = nil
    ) {
        self.program = program
        self.document = document
        self.mark = mark
        self.tabs = tabs
        self.progress = progress
        self.note = note
    }

    private struct Areas {
        var program: Rect
        var document: Rect
        var tabs: Rect
        var right: Rect
    }

    /// Columns of the mark and the blank before it.
    private var markColumns: Int { mark.isEmpty ? 0 : DisplayWidth.of(mark) + 1 }

    /// The tabs get what they need; the rest shrinks and goes: document, then progress, then the program's name.
    private func areas(in area: Rect) -> Areas {
        var rest = Rect(column: area.column, row: area.row, columns: area.columns, rows: min(1, area.rows))
            .inset(columns: 1)
        let empty = Rect(column: rest.column, row: rest.row, columns: 0, rows: rest.rows)
        var areas = Areas(program: empty, document: empty, tabs: empty, right: empty)
        let spare = rest.columns - tabs.columns
        let programColumns = DisplayWidth.of(program)
        let wanted = progress?.columns ?? note.map { DisplayWidth.of($0.text) } ?? 0
        let least = progress?.leastColumns ?? wanted
        var free = spare
        if free >= programColumns + 3 {
            areas.program = rest.takeLeft(programColumns)
            _ = rest.takeLeft(3)
            free -= programColumns + 3
        }
        if wanted > 0, free >= least + 3 {
            let columns = min(wanted, free - 3)
            areas.right = rest.takeRight(columns)
            _ = rest.takeRight(3)
            free -= columns + 3
        }
        let documentColumns = DisplayWidth.of(document) + markColumns
        if !document.isEmpty, free >= max(markColumns, min(documentColumns, 12)) + 6, areas.program.columns > 0 {
            areas.document = rest.takeLeft(min(documentColumns, free - 6))
            _ = rest.takeLeft(min(6, rest.columns))
        }
        areas.tabs = rest
        return areas
    }

    /// The tab at a place of the area in which the bar is drawn.
    public func tab(at point: Point, in area: Rect) -> Int? { tabs.tab(at: point, in: areas(in: area).tabs) }

    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        let areas = areas(in: area)
        surface.put(
            program, at: areas.program.origin, style: theme[.accent].adding(.bold), width: areas.program.columns)
        let name = document.truncated(toColumns: areas.document.columns - markColumns)
        surface.put(
            mark.isEmpty ? name : "\(name) \(mark)", at: areas.document.origin, style: theme[.dim],
            width: areas.document.columns)
        tabs.draw(into: &surface, in: areas.tabs, theme: theme)
        if let progress {
            progress.draw(into: &surface, in: areas.right, theme: theme)
        } else if let note {
            surface.put(
                note.text, at: areas.right.origin, style: theme[note.role ?? .dim], width: areas.right.columns)
        }
    }
}
