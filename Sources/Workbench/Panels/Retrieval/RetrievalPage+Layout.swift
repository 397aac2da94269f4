package import Console

extension RetrievalPage {
    /// Rows of the question with its border.
    private static let queryRows = 3
    /// Rows that show an explanation of four stages, or most of a chunk, with a border.
    private static let enoughBelow = 15

    /// Places the question above the panes.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        guard !screen.isZoomed, size.rows > 10 else { return panes(in: size, rows: size.rows) }
        return .rows([
            .init(.fixed(Self.queryRows), .query), .init(.weight(1), panes(in: size, rows: size.rows - Self.queryRows)),
        ])
    }

    /// Divides the rows below the question: the stages are above the chunk and its explanation. Narrow screens show the
    /// stages and the pane with the focus, small ones show one pane.
    private func panes(in size: Size, rows: Int) -> PaneTree<PaneName> {
        if mode == .health { return .pane(screen.focus) }
        let narrow = screen.focus == .stages ? lower : screen.focus
        guard size.columns >= 100 else {
            guard size.rows >= 20 else { return .pane(screen.focus) }
            return .rows([stages(of: size, rows, above: [narrow]), .init(.weight(1), narrow)])
        }
        guard size.columns >= 170 else {
            return .rows([
                stages(of: size, rows, above: [.passage, side]),
                .init(.weight(1), .columns([.init(.weight(1), .passage), .init(.weight(1), side)])),
            ])
        }
        // Each of the left panes gets the rows that the other does not need.
        let wanted = questions.rows.count + (mode == .comparison ? 5 : 3)
        let left = max(5, min(wanted, max(size.rows / 2, rows - needed(by: .why, of: size))))
        return .columns([
            .init(
                .fixed(min(66, size.columns * 3 / 10)),
                .rows([.init(.fixed(left), .questions), .init(.weight(1), .why)])
            ), .init(.weight(1), .rows([stages(of: size, rows, above: [.passage]), .init(.weight(1), .passage)])),
        ])
    }

    /// Returns the rows of a text with its frame.
    private func needed(by pane: PaneName, of size: Size) -> Int {
        Layout.framedRows((pane == .why ? why : text).rowCount(upTo: size.rows))
    }

    /// Gives the stages half of the rows: more if the panes below need fewer, and fewer if the stages are short.
    private func stages(of size: Size, _ rows: Int, above below: [PaneName]) -> PaneTree<PaneName>.Part {
        let most = max(rows * 6 / 11, rows - max(Self.enoughBelow, rows * 4 / 11))
        guard record != nil else { return .init(.fixed(most), .stages) }
        let least = below.contains(.questions) ? rows : below.map { needed(by: $0, of: size) }.max() ?? rows
        return .init(.fixed(max(min(max(most, rows - least), columns.list.count + 4), min(most, 8))), .stages)
    }

    /// Pane at the right below: the explanation, or the questions if they have the focus or are compared.
    private var side: PaneName {
        screen.focus == .questions || mode == .comparison && screen.focus != .why ? .questions : .why
    }
    /// Pane that a narrow screen shows below the stages.
    private var lower: PaneName { mode == .comparison ? .questions : explanation == nil ? .passage : .why }
}
