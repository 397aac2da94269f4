internal import Console
internal import Evals
internal import Formatting
internal import LanguageModels

/// Panes of the diff, of steps side by side, and of the queue.
extension EvalPage {
    // MARK: Two runs

    static var pairList: Pane<Self> {
        .rows(
            .pairs, \.diff.list, frame: \.pairFrame, isPresent: { $0.view == .diff },
            empty: { $0.diff.contrast == nil ? ["comparing"] : nil }, part: { $0.diff.rowsArea(in: $1) }
        ) { $0.diff.draw(into: &$1, in: $2, theme: $3, isFocused: $4) }
    }

    var pairFrame: Frame {
        var frame = Frame("Diff")
        if let contrast = diff.contrast {
            let all = Format.count(contrast.pairs.count)
            let isWhole = diff.only == nil && diff.words.isEmpty
            frame.count = FrameLabel(isWhole ? all : "\(Format.count(diff.list.count)) of \(all)")
            frame.details = [FrameLabel(contrast.measure.name)]
            if !diff.words.isEmpty { frame.details.append(FrameLabel(diff.words, role: .match)) }
            if let only = diff.only { frame.details.append(FrameLabel(only.word, role: EvalFigure.change(only))) }
        }
        if let base = diff.base, let new = diff.new {
            frame.trailing = [FrameLabel("\(base.title) → \(new.title)", role: .accent)]
        }
        return frame
    }

    func sideFrame(_ title: FrameLabel, _ entry: EvalRunEntry?) -> Frame {
        Frame(title, details: entry.map { [FrameLabel($0.title, role: .dim)] } ?? [])
    }

    static var stepPairList: Pane<Self> {
        .rows(
            .rows, \.sides.list, frame: \.stepPairFrame, isPresent: { $0.view == .sides },
            part: { page, area in
                var rest = area
                _ = rest.takeTop(EvalSides.headRows)
                return rest
            },
            selects: { page, point, area in
                page.sides.side = point.column < area.column + area.columns / 2 ? .left : .right
            }
        ) { $0.sides.draw(into: &$1, in: $2, theme: $3, isFocused: $4) }
    }

    var stepPairFrame: Frame {
        var frame = Frame("Side by side")
        if let pair = sides.pair {
            frame.details = [
                FrameLabel(pair.id, role: .text), FrameLabel(pair.change.word, role: EvalFigure.change(pair.change)),
            ]
        }
        guard sides.isRead else { return frame }
        let rows = sides.alignment.rows
        let different = rows.count { !$0.isSame }
        frame.count = FrameLabel("\(rows.count) \(rows.count == 1 ? "step" : "steps")")
        let first = (sides.alignment.firstDifference ?? 0) + 1
        frame.trailing = [
            different == 0
                ? FrameLabel("no difference", role: .success)
                : FrameLabel(
                    "\(different) differ\(different == 1 ? "s" : ""), the first at \(first)", role: .warning)
        ]
        return frame
    }

    func stepFrame(_ side: EvalSides.Side) -> Frame {
        let step = sides.row.flatMap { sides.step(side, $0) }
        var frame = Frame(
            FrameLabel(step.map { "\($0.kind.name) \($0.name)" } ?? (sides.isRead ? "no step here" : "reading")))
        let entry = side == .left ? sides.base : sides.new
        frame.details = [FrameLabel(entry?.title ?? "", role: side == sides.side ? .accent : .dim)]
        if let seconds = step?.seconds { frame.trailing = [FrameLabel(EvalFigure.seconds(seconds))] }
        return frame
    }

    // MARK: Queue

    var queueFrame: Frame {
        var frame = Frame("To judge")
        if let entries = queue.queue?.entries, let place = queue.place {
            frame.count = FrameLabel("\(Format.count(place + 1)) of \(Format.count(entries.count))")
        }
        if let entry = queue.run.flatMap({ runs.entry($0) }) { frame.details = [FrameLabel(entry.title, role: .dim)] }
        return frame
    }
}
