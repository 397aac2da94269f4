internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import Presentation

extension KernelPage {
    var roofFrame: Frame {
        var frame = Frame("Roofline")
        if let roofline {
            frame.details = [FrameLabel(roofline.title, role: .dim)]
            if let origin = origin(of: roofline), hasRoom(for: roofline.title + origin) {
                frame.details.append(FrameLabel(origin, role: .dim))
            }
        }
        if !underWay.isEmpty { frame.trailing = [FrameLabel("measuring", role: .success)] }
        return frame
    }

    /// Whether the frame has room for the details in addition to the labels at the right.
    private func hasRoom(for details: String) -> Bool {
        guard let area = screen.placed.first(where: { $0.pane == .roof })?.area else { return false }
        let isLast = screen.placed.last?.pane == .roof && !screen.isZoomed
        let others = isLast ? PaneName.allCases.filter { screen.area(of: $0) == nil }.compactMap(Self.word) : []
        let right =
            (underWay.isEmpty ? 0 : 13) + (others.isEmpty ? 0 : others.joined(separator: ", ").count + 9)
        return details.count + 22 + right <= area.columns
    }

    /// The source of the roof: `measured 09:14, load 0.2`, or a data sheet.
    private func origin(of roofline: Roofline) -> String? {
        if profile != nil { return roofline.source }
        // The ceilings of the machine that measured the shown figures.
        let shown = kernel.flatMap { $0.ladder.machine == nil ? nil : $0 }.map(\.ceilings) ?? ceilings
        guard let shown, let when = Int(exactly: shown.measuredAt.rounded()) else { return nil }
        let time = Format.clock(when, now: Int(engine.now() / 1_000_000_000))
        return "measured \(time), load \(Format.fixed(shown.conditions.loadBefore, digits: 1))"
    }

    /// The roof over the selected rung, for the rung's number of threads.
    private var roofline: Roofline? {
        switch shown {
        case .kernel(let open): open.roofline
        case .profile(let open):
            if let launch = open.selected {
                open.roofline(of: launch)
            } else {
                open.profile.summary.roofline(ofDevice: 0, in: open.catalog)
            }
        case nil: ceilings?.roofline(threads: threads, arithmetic: .float32)
        }
    }

    func drawRoof(into surface: inout Surface, in area: Rect, theme: Theme) {
        var area = area
        for measurement in underWay where area.rows >= Measuring.rows {
            measurement.draw(into: &surface, in: area.takeTop(Measuring.rows), theme: theme)
        }
        guard let roofline else { return drawNoRoof(into: &surface, in: area, theme: theme) }
        let marks = shown?.marks ?? []
        let unit = RateUnit.fitting(
            max(roofline.peak, marks.map(\.rate).max() ?? 0),
            isFloatingPoint: kernel?.arithmetic.isFloatingPoint ?? true)
        let roofs = RooflineChart.Roofs(
            compute: roofline.compute.map { ($0.name, $0.rate) },
            memory: roofline.memory.map { ($0.name, $0.bandwidth) })
        let chart = RooflineChart(roofs, marks: marks, unit: unit)
        if let small = chart.draw(into: &surface, in: area, theme: theme) {
            ProseLines.draw("no room for the chart: z zooms", .dim, into: &surface, in: small, theme: theme)
        }
    }

    private func drawNoRoof(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let sentence =
            profile == nil
            ? "c measures the ceilings of \(Format.count(kernel?.selected?.threads ?? threads, "thread")) (20 s)"
            : "no known peaks for this device: add them to ~/.config/orrery/peaks.toml"
        let column = area.column + max(0, (area.columns - DisplayWidth.of(sentence)) / 2)
        surface.put(
            sentence, at: Point(column: column, row: area.row + area.rows / 2), style: theme[.dim],
            width: area.endColumn - column)
    }
}

extension Roofline {
    /// The highest horizontal roof; 0 without one.
    var peak: Double { compute.map(\.rate).max() ?? 0 }
}

extension KernelPage.Shown {
    /// The rungs or launches as marks on the roofline.
    var marks: [RooflineChart.Mark] {
        switch self {
        case .kernel(let open):
            open.ladder.rungs.enumerated().compactMap { index, rung in
                // A rung with another number of threads has another roof.
                guard rung.threads == open.selected?.threads, var mark = rung.point.map(RooflineChart.Mark.init) else {
                    return nil
                }
                mark.sign = Ladder.letter(index)
                mark.spread = open.ladder.figures(index)?.rates
                mark.role = rung.regression == nil ? .series1 : .failure
                mark.isSelected = index == open.list.selection
                return mark
            }
        case .profile(let open): open.selectedChange.map(Self.marks) ?? Self.marks(of: open)
        }
    }

    private static func marks(of change: OpenProfile.Change) -> [RooflineChart.Mark] {
        [(change.before, "before"), (change.after, "after")].compactMap { launch, word in
            guard var mark = launch?.point.map(RooflineChart.Mark.init) else { return nil }
            mark.title = word
            mark.role = .warning
            mark.isSelected = word == "after"
            mark.isNamed = true
            return mark
        }
    }

    private static func marks(of open: OpenProfile) -> [RooflineChart.Mark] {
        let others = open.profile.launches.lazy.filter { $0.ordinal != open.selected?.ordinal }.prefix(mostMarks)
        let marks: [RooflineChart.Mark] = others.compactMap { $0.point.map(RooflineChart.Mark.init) }
        guard let launch = open.selected, var mark = launch.point.map(RooflineChart.Mark.init) else { return marks }
        mark.title = FigureText.shortName(launch.name)
        mark.isSelected = true
        return marks + [mark]
    }

    /// Dots beyond these cover each other.
    private static let mostMarks = 2_000
}

extension RooflineChart.Mark {
    fileprivate init(_ point: RooflinePoint) {
        self.init(point.title, rate: point.rate, intensities: point.intensities.map { ($0.level, $0.value) })
    }
}
