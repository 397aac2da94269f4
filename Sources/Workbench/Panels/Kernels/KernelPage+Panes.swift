package import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import Presentation

extension KernelPage {
    package static var panes: [Pane<Self>] { [subjectList, roof, rungList, launchList, detail] }

    package static func word(of pane: PaneName) -> String? {
        switch pane {
        case .subjects: "Kernels"
        case .roof: "Roofline"
        case .ladder: "Ladder"
        case .detail: "Source"
        }
    }

    private static var subjectList: Pane<Self> {
        .list(
            .subjects, \.subjects,
            frame: { page in
                Frame(
                    "Kernels", count: FrameLabel(Format.count(page.subjects.count)),
                    details: [FrameLabel(Format.count(page.threads, "thread"), role: .dim)])
            }
        ) { $0.subjects.addColumns(to: &$1, shown: $0.shownSubject) }
    }

    private static var roof: Pane<Self> {
        .canvas(
            .roof, frame: \.roofFrame, move: { $0.rungs.move($1) }, scroll: { $0.rungs.scroll(by: $1) },
            draw: { $0.drawRoof(into: &$1, in: $2, theme: $3) })
    }

    private static var rungList: Pane<Self> {
        .rows(
            .ladder, \.rungs,
            frame: { page in
                guard let open = page.kernel else { return Frame("Ladder") }
                let circumstances =
                    open.ladder.circumstances.isEmpty
                    ? [Format.count(open.threads, "thread")] : open.ladder.circumstances
                return Frame(
                    FrameLabel(open.title), details: ([open.shape] + circumstances).map { FrameLabel($0, role: .dim) })
            }, isPresent: { $0.profile == nil },
            part: { page, area in
                page.kernel.map { LadderView.parts(of: area, rungs: $0.ladder.rungs.count).rows } ?? area
            }
        ) { page, surface, area, theme, isFocused in
            guard let open = page.kernel else { return }
            LadderView(
                ladder: open.ladder, list: open.list, isFocused: isFocused, showsBytes: open.isStreaming,
                isFloatingPoint: open.arithmetic.isFloatingPoint, fault: open.fault
            ).draw(into: &surface, in: area, theme: theme)
        }
    }

    /// The rows of the launches, or of the pairs of two profiles.
    private var launches: RowList<OpenProfile.Row> {
        get { profile?.rows ?? RowList() }
        set { profile?.rows = newValue }
    }

    private static var launchList: Pane<Self> {
        .list(
            .ladder, \.launches,
            frame: { page in
                var frame = Frame("Launches", count: FrameLabel(Format.count(page.launches.count)))
                guard let open = page.profile else { return frame }
                if let comparison = open.comparison {
                    let titles = "\(comparison.before.title) and \(comparison.after.title)"
                    frame.details = [FrameLabel(titles, role: .accent)]
                }
                frame.details.append(FrameLabel(open.sortTitle, role: .dim))
                if !open.filter.isEmpty { frame.details.append(FrameLabel(open.filter, role: .accent)) }
                return frame
            }, isPresent: { $0.profile != nil }, filter: \.filter
        ) { $0.profile?.addColumns(to: &$1) }
    }

    private static var detail: Pane<Self> {
        .text(
            .detail, \.text, frame: { Frame(FrameLabel($0.detailTitle)) },
            above: (
                rows: { page, available in
                    page.view == .history ? page.kernel?.chart.rows(of: available) ?? 0 : 0
                }, draw: { $0.kernel?.chart.draw(into: &$1, in: $2, theme: $3) }
            )
        )
    }

    private var detailTitle: String {
        switch shown {
        case .kernel(let open): "\(open.selected?.name ?? open.title): \(view.rawValue)"
        case .profile(let open):
            (open.selected?.name ?? open.selectedChange?.name).map(FigureText.shortName) ?? open.profile.summary.title
        case nil: "Source"
        }
    }

    // MARK: Layout

    /// Divides the screen: the ladder gets the rows that its rungs need, the list and the text the rest. Narrow screens
    /// show the text only while it has the focus, small ones show one pane.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        guard size.columns >= 110 else { return narrowLayout(in: size) }
        let side = size.columns >= 180 ? size.columns / 2 : min(76, max(58, size.columns / 2))
        let half = max(size.rows * 11 / 20, 10)
        let upper = profile == nil ? min(half, max(ladderNeeds, 9 + size.rows / 5)) : half
        return .rows([
            .init(.fixed(upper), .columns([.init(.weight(1), .roof), .init(.fixed(side), .ladder)])),
            .init(
                .weight(1),
                .columns([
                    .init(.fixed(max(44, min(size.columns / 3, subjects.columnsNeeded))), .subjects),
                    .init(.weight(1), .detail),
                ])),
        ])
    }

    private func narrowLayout(in size: Size) -> PaneTree<PaneName> {
        let focus = screen.focus
        guard size.rows >= 18 else { return .pane(focus) }
        let upper = focus == .roof ? .ladder : focus
        // Launches have many columns: the table takes the whole width.
        if profile != nil { return .rows([.init(.weight(1), .roof), .init(.weight(1), .pane(upper))]) }
        let lower: PaneName = focus == .detail ? .detail : .roof
        guard size.columns >= 64 else {
            return .rows([.init(.weight(1), .pane(upper)), .init(.weight(1), .pane(lower))])
        }
        return .rows([
            .init(
                .fixed(min(max(ladderNeeds, 8), size.rows - 10)),
                .columns([.init(.fixed(min(32, size.columns * 2 / 5)), .subjects), .init(.weight(1), .ladder)])),
            .init(.weight(1), .pane(lower)),
        ])
    }

    /// Rows of the ladder with its header, two remarks, and the border.
    private var ladderNeeds: Int { kernel.map { $0.ladder.rungs.count + 5 } ?? 12 }
}
