package import Console
internal import Traces

extension TracePage {
    /// Divides the screen by the content of the panes.
    ///
    /// Without an open run, the list takes everything, with an overview of the selected run below if there is room.
    /// With an open run, wide screens keep the list at the side and show the context as bars; narrow screens give the
    /// width to tree and text, and Tab reaches the list.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        let isWide = size.columns >= 110
        guard let run, isWide || !isInList else { return listAlone(in: size) }
        guard isWide else {
            guard size.rows >= 18 else { return .pane(screen.focus) }
            return .rows([
                .init(.fixed(max(7, size.rows * 2 / 5)), .run), .init(.fixed(4), .context), .init(.weight(1), .detail),
            ])
        }
        // The list has as many rows as it needs, up to half, and shows full names with tokens and errors.
        let names = min(60, max(16, runs.widths.name)) + ListView.gutter + 3 + 2 + 7 + 2 + 4
        let side = max(40, min(names, size.columns * 36 / 100))
        let sideRows = max(6, min(size.rows / 2, runs.count + 3 + (runs.hasOtherScopes ? 1 : 0)))
        let runRows = max(8, min(size.rows / 2, run.trace.spans.count + 3))
        return .columns([
            .init(.fixed(side), .rows([.init(.fixed(sideRows), .runs), .init(.weight(1), .context)])),
            .init(.weight(1), .rows([.init(.fixed(runRows), .run), .init(.weight(1), .detail)])),
        ])
    }

    /// The list takes the rows it needs, up to three fifths; the overview takes the rest.
    private func listAlone(in size: Size) -> PaneTree<PaneName> {
        let frame = 3 + (runs.hasOtherScopes ? 1 : 0) + (discovered.isEmpty ? 0 : 1)
        let list = min(max(runs.count, 1) + frame, size.rows * 3 / 5)
        guard runs.count > 0, size.rows - list >= 8, size.columns >= 50 else { return .pane(.runs) }
        return .rows([.init(.fixed(list), .runs), .init(.weight(1), .overview)])
    }
}
