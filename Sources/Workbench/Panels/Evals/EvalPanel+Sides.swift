internal import Console
internal import EvalLogs
internal import Evals
internal import LanguageModels

extension EvalPanel {
    /// Pair whose traces are shown side by side: from the diff, or the open sample and its baseline.
    private var sidesPair: (pair: EvalContrast.Pair, logs: (base: any EvalLog, new: any EvalLog))? {
        guard let pair = diff.pair, let logs = diff.logs else { return nil }
        return (pair, logs)
    }

    /// Goes to the page with the steps of both runs, the cursor where they part.
    mutating func showSides() -> [Effect<EvalAnswer>] {
        guard sidesPair != nil else { return [] }
        let effects = readSides()
        go(to: .sides)
        pane = .rows
        return effects
    }

    mutating func readSides() -> [Effect<EvalAnswer>] {
        guard let (pair, logs) = sidesPair else { return [] }
        sides.wait(for: pair, diff.base, diff.new)
        layoutPanes()
        let desk = desk
        return [
            .ask(key: "sides") { _ in
                func steps(_ log: any EvalLog, _ place: Int32) throws -> SampleSteps? {
                    place >= 0 ? try desk.steps(of: log, sample: Int(place)) : nil
                }
                return .sides(
                    pair, before: try steps(logs.base, pair.base), after: try steps(logs.new, pair.new))
            }
        ]
    }

    mutating func show(
        sides pair: EvalContrast.Pair, _ before: SampleSteps?, _ after: SampleSteps?
    ) -> [Effect<EvalAnswer>] {
        // Compare by index: NaN scores are not equal to themselves.
        guard page == .sides, sides.pair?.base == pair.base, sides.pair?.new == pair.new else { return [] }
        sides.show(before, after)
        layoutPanes()
        return advanceText()
    }

    mutating func moveSides(_ change: (inout ListView) -> Void) -> [Effect<EvalAnswer>] {
        let before = sides.list.selection
        change(&sides.list)
        guard sides.list.selection != before else { return [] }
        sides.showTexts()
        layoutPanes()
        return advanceText()
    }

    /// To the next place at which the two differ.
    mutating func nextDifference(forward: Bool) -> [Effect<EvalAnswer>] {
        guard let row = sides.alignment.difference(from: sides.list.selection, forward: forward) else { return [] }
        return moveSides { $0.select(row) }
    }

    /// Shows the traces of the next or previous broken sample of the diff side by side.
    mutating func nextSides(forward: Bool) -> [Effect<EvalAnswer>] {
        guard let place = diff.broken(forward: forward) else { return [] }
        diff.list.select(place)
        return followPair() + readSides()
    }

    /// The step of the side that has the keys, in the trace panel.
    func openSide() -> [Effect<EvalAnswer>] {
        guard let step = sides.selected else {
            let name = (sides.side == .left ? sides.base : sides.new)?.title ?? "the run"
            return [.notify("\(name) has no step here: press h or l to switch runs", .warning)]
        }
        guard let trace = step.trace else {
            return [
                .notify("no trace to open: the log records no steps, or the workspace is read-only", .warning)
            ]
        }
        let title = sides.pair?.id ?? step.name
        let reference =
            step.span.map { Reference(.span, [trace, Int64($0)], title: title) }
            ?? Reference(.trace, [trace], title: title)
        return [.changed, .open(reference)]
    }

    /// The step of the side that has the keys, offered to the panels that can show it.
    func offerSide() -> [Effect<EvalAnswer>] {
        guard let (pair, logs) = sidesPair, let row = sides.row else { return [] }
        let isLeft = sides.side == .left
        guard let step = isLeft ? row.left : row.right else { return openSide() }
        return askTrace(
            of: isLeft ? logs.base : logs.new, Int(isLeft ? pair.base : pair.new), step: step, isOffer: true)
    }

    func copySide() -> [Effect<EvalAnswer>] {
        guard let row = sides.row, let step = sides.step(sides.side, row) else { return [] }
        let text = step.parts.map { "### \($0.title)\n\n\($0.text)" }.joined(separator: "\n\n")
        return [.copy(SampleReading.printed("## \(step.kind.name) \(step.name)\n\n\(text)\n"), what: "the step")]
    }

    // MARK: Drawing

    func drawRows(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Side by side", isFocused: isFocused)
        if let pair = sides.pair {
            frame.details = [
                FrameLabel(pair.id, role: .text), FrameLabel(pair.change.word, role: EvalFigure.change(pair.change)),
            ]
        }
        if sides.isRead {
            let different = sides.alignment.rows.count { !$0.isSame }
            let rows = sides.alignment.rows.count
            frame.count = FrameLabel("\(rows) \(rows == 1 ? "step" : "steps")")
            frame.trailing = [
                different == 0
                    ? FrameLabel("no difference", role: .success)
                    : FrameLabel(
                        "\(different) differ\(different == 1 ? "s" : ""), the first at"
                            + " \((sides.alignment.firstDifference ?? 0) + 1)", role: .warning)
            ]
        }
        let inside = framed(frame, into: &surface, in: area, theme: theme)
        sides.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    func drawStep(_ pane: Pane, into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let side: SidesPage.Side = pane == .left ? .left : .right
        let entry = side == .left ? sides.base : sides.new
        let step = sides.row.flatMap { sides.step(side, $0) }
        var frame = Frame(
            FrameLabel(step.map { "\($0.kind.name) \($0.name)" } ?? (sides.isRead ? "no step here" : "reading")),
            isFocused: isFocused)
        frame.details = [FrameLabel(entry?.title ?? "", role: side == sides.side ? .accent : .dim)]
        if let seconds = step?.seconds { frame.trailing = [FrameLabel(EvalFigure.seconds(seconds))] }
        drawText(side == .left ? sides.before : sides.after, frame, into: &surface, in: area, theme: theme)
    }
}
