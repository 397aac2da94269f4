package import Console
internal import Formatting
internal import KernelLab
internal import Kernels

extension KernelPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        let placedPanes = placedPanes
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .subjects: drawSubjects(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .roof: drawRoof(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .ladder: drawLadder(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .detail: drawDetail(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    /// Draws the border of a pane; the last pane's border names the panes that have no room.
    private func framed(_ frame: Frame, _ pane: Pane, into surface: inout Surface, in area: Rect, theme: Theme) -> Rect
    {
        let hidden = placedPanes.last?.pane == pane ? hidden : []
        return frame.drawIfRoom(into: &surface, in: area, theme: theme, hidden: hidden)
    }

    // MARK: The list

    private func drawSubjects(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Kernels", count: FrameLabel(Format.count(subjects.rows.count)), isFocused: isFocused)
        frame.details = [FrameLabel(Format.count(threads, "thread"), role: .dim)]
        let inside = framed(frame, .subjects, into: &surface, in: area, theme: theme)
        subjects.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: shownSubject)
        ScrollBar(subjects.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    // MARK: The roof

    private func drawRoof(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let roofline = shownRoofline
        var frame = Frame("Roofline", isFocused: isFocused)
        if let roofline {
            frame.details = [FrameLabel(roofline.title, role: .dim)]
            // The source of the roof gives way to the labels at the right.
            let others = placedPanes.last?.pane == .roof ? hidden.joined(separator: ", ") : ""
            let right = (underWay.isEmpty ? 0 : 13) + (others.isEmpty ? 0 : others.count + 9)
            if let origin = origin(of: roofline), roofline.title.count + origin.count + 22 + right <= area.columns {
                frame.details.append(FrameLabel(origin, role: .dim))
            }
        }
        if !underWay.isEmpty { frame.trailing = [FrameLabel("measuring", role: .success)] }
        var inside = framed(frame, .roof, into: &surface, in: area, theme: theme).inset(columns: 1)
        for measurement in underWay where inside.rows >= Measuring.rows {
            measurement.draw(into: &surface, in: inside.takeTop(Measuring.rows), theme: theme)
        }
        guard let roofline else { return drawNoRoof(into: &surface, in: inside, theme: theme) }
        RooflineView(
            roofline: roofline, marks: marks,
            unit: .fitting(max(roofline.peak, marks.map(\.point.rate).max() ?? 0), isFloatingPoint: isFloatingPoint)
        ).draw(into: &surface, in: inside, theme: theme)
    }

    private var isFloatingPoint: Bool {
        switch shown {
        case .operation(let open), .own(let open): open.arithmetic.isFloatingPoint
        default: true
        }
    }

    /// Where the roof comes from: `measured 09:14, load 0.2`, or whose data sheet.
    private func origin(of roofline: Roofline) -> String? {
        if case .profile = shown { return roofline.source }
        guard let ceilings = shownCeilings, let when = Int(exactly: ceilings.measuredAt.rounded()) else { return nil }
        let time = Format.clock(when, now: Int(engine.now() / 1_000_000_000))
        return "measured \(time), load \(Format.fixed(ceilings.conditions.loadBefore, digits: 1))"
    }

    /// The ceilings of the machine that measured the shown figures.
    private var shownCeilings: Ceilings? {
        switch shown {
        case .operation(let open), .own(let open): open.ladder.machine == nil ? ceilings : open.ceilings
        case .profile, nil: ceilings
        }
    }

    /// The roof over the selected rung, for the rung's number of threads.
    var shownRoofline: Roofline? {
        switch shown {
        case .operation(let open), .own(let open): return open.roofline
        case .profile(let open):
            if let launch = open.selected { return open.roofline(of: launch) }
            return open.profile.summary.roofline(ofDevice: 0, in: open.catalog)
        case nil: return ceilings?.roofline(threads: threads, arithmetic: .float32)
        }
    }

    private var marks: [RooflineView.Mark] {
        switch shown {
        case .operation(let open), .own(let open):
            let threads = open.selected?.threads
            return open.ladder.rungs.enumerated().compactMap { index, rung in
                // A rung with another number of threads has another roof.
                guard rung.threads == threads else { return nil }
                return rung.point.map {
                    .init(
                        point: $0, sign: Ladder.letter(index), spread: open.ladder.figures(index)?.rates,
                        role: rung.regression == nil ? .series1 : .failure, isSelected: index == open.list.selection)
                }
            }
        case .profile(let open):
            if let change = open.selectedChange {
                return [(change.before, "before"), (change.after, "after")].compactMap { launch, word in
                    launch?.point.map { point in
                        .init(point: point.titled(word), role: .warning, isSelected: word == "after", isNamed: true)
                    }
                }
            }
            let selected = open.selected
            let others = open.profile.launches.lazy.filter { $0.ordinal != selected?.ordinal }.prefix(Self.mostMarks)
            return others.compactMap { launch in launch.point.map { RooflineView.Mark(point: $0) } }
                + [selected].compactMap { launch in
                    guard let launch, let point = launch.point else { return nil }
                    return RooflineView.Mark(point: point.titled(FigureText.shortName(launch.name)), isSelected: true)
                }
        case nil: return []
        }
    }

    /// Dots beyond these lie upon one another.
    private static let mostMarks = 2_000

    /// Number of threads of the roof to show.
    private var roofThreads: Int {
        switch shown {
        case .operation(let open), .own(let open): open.selected?.threads ?? threads
        case .profile, nil: threads
        }
    }

    private func drawNoRoof(into surface: inout Surface, in area: Rect, theme: Theme) {
        let sentence: String
        if case .profile = shown {
            sentence = "unknown peaks for this device: add them to ~/.config/orrery/peaks.toml"
        } else {
            sentence = "c measures the ceilings of \(Format.count(roofThreads, "thread")) (20 s)"
        }
        guard area.rows > 0 else { return }
        let column = area.column + max(0, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }

    // MARK: Rungs and launches

    private func drawLadder(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        switch shown {
        case .operation(let open), .own(let open):
            var frame = Frame(FrameLabel(open.title), isFocused: isFocused)
            frame.details =
                [FrameLabel(open.shape, role: .dim)]
                + (open.ladder.circumstances.isEmpty
                    ? [FrameLabel(Format.count(open.threads, "thread"), role: .dim)]
                    : open.ladder.circumstances.map { FrameLabel($0, role: .dim) })
            let inside = framed(frame, .ladder, into: &surface, in: area, theme: theme)
            LadderView(
                ladder: open.ladder, list: open.list, isFocused: isFocused, showsBytes: open.isStreaming,
                isFloatingPoint: open.arithmetic.isFloatingPoint, fault: open.fault
            ).draw(into: &surface, in: inside, theme: theme)
            ScrollBar(open.list).draw(into: &surface, onBorderOf: area, theme: theme)
        case .profile(let open):
            var frame = Frame("Launches", isFocused: isFocused)
            frame.count = FrameLabel(Format.count(open.list.count))
            if let comparison = open.comparison {
                frame.details = [FrameLabel("\(comparison.before.title) and \(comparison.after.title)", role: .accent)]
            }
            frame.details.append(FrameLabel(open.sortTitle, role: .dim))
            if !open.filter.isEmpty { frame.details.append(FrameLabel(open.filter, role: .accent)) }
            let inside = framed(frame, .ladder, into: &surface, in: area, theme: theme)
            LaunchTable(profile: open, isFocused: isFocused).draw(into: &surface, in: inside, theme: theme)
            ScrollBar(open.list).draw(into: &surface, onBorderOf: area, theme: theme)
        case nil: _ = framed(Frame("Ladder", isFocused: isFocused), .ladder, into: &surface, in: area, theme: theme)
        }
    }

    // MARK: Text

    private func drawDetail(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(detailTitle), isFocused: isFocused)
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let parts = detailParts(of: framed(frame, .detail, into: &surface, in: area, theme: theme))
        guard shown != nil else { return }
        if !parts.chart.isEmpty { historyChart?.draw(into: &surface, in: parts.chart, theme: theme) }
        text.draw(into: &surface, in: parts.text, theme: theme)
        guard !(text.isAtTop && text.isAtEnd), Frame.inside(of: area).rows < area.rows else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }

    private var detailTitle: String {
        switch shown {
        case .operation(let open), .own(let open): "\(open.selected?.name ?? open.title): \(view.rawValue)"
        case .profile(let open):
            (open.selected?.name ?? open.selectedChange?.name).map(FigureText.shortName) ?? open.profile.summary.title
        case nil: "Source"
        }
    }
}

extension RooflinePoint {
    fileprivate func titled(_ title: String) -> RooflinePoint {
        var point = self
        point.title = title
        return point
    }
}
