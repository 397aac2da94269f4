/// The line at the top: the program, the open document, the tabs, and the progress of a job at the right.
public struct TitleBar: Hashable, Sendable {
    /// Name of the program.
    public var program: String
    /// Name of the open document.
    public var document: String
    /// Mark after the name of the document, such as `(read-only)`. The name is truncated to make room for it.
    public var mark: String
    /// Tabs of the pages.
    public var tabs: TabBar
    /// Progress of the first running job; `nil` if no job is running.
    public var progress: ProgressBar?
    /// Short note if no job is running.
    public var note: FrameLabel?

    /// Creates a title bar.
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

    /// Width of the mark and the blank before it.
    private var markColumns: Int { mark.isEmpty ? 0 : DisplayWidth.of(mark) + 1 }

    /// Returns the areas of the parts.
    ///
    /// The tabs have priority. If space is short, the document shrinks and disappears first, then the progress, and
    /// then the name of the program.
    private func areas(in area: Rect) -> Areas {
        var rest = Rect(column: area.column, row: area.row, columns: area.columns, rows: min(1, area.rows))
            .inset(columns: 1)
        let empty = Rect(column: rest.column, row: rest.row, columns: 0, rows: rest.rows)
        var areas = Areas(program: empty, document: empty, tabs: empty, right: empty)
        let spare = rest.columns - tabs.columns
        let programColumns = DisplayWidth.of(program)
        let wanted = progress?.columns ?? note.map { DisplayWidth.of($0.text) } ?? 0
        let least = progress?.minimumColumns ?? wanted
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

    /// Returns the tab or page at a point in the area where the bar is drawn; `nil` if there is none.
    public func target(at point: Point, in area: Rect) -> TabBar.Target? {
        tabs.target(at: point, in: areas(in: area).tabs)
    }

    /// Draws the bar on the first row of an area.
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
