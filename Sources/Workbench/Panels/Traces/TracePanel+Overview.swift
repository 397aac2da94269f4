internal import Console
internal import Traces

extension TracePanel {
    /// Draws the overview of the run under the list's cursor.
    func drawOverview(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard let summary = runs.selected else {
            Frame("Run", isFocused: isFocused).draw(into: &surface, in: area, theme: theme)
            return
        }
        var frame = Frame(
            FrameLabel(summary.name.truncatedBetweenWords(toColumns: max(16, area.columns * 2 / 3))),
            isFocused: isFocused)
        frame.details = Self.figures(of: summary)
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard let overview, overview.trace == summary.id else { return }
        RunOverviewView(overview: overview).draw(into: &surface, in: inside, theme: theme)
    }
}
