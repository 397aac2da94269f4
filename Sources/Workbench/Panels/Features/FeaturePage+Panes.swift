package import Console
internal import FeatureLab
internal import Formatting
internal import Interpretability

extension FeaturePage {
    package static var panes: [Pane<Self>] {
        [listPane, cardPane, textPane, activePane, mapPane, partsPane, cellPane].flatMap(\.withFormulas)
    }

    private static var listPane: Pane<Self> {
        var pane = Pane<Self>.rows(
            .list, \.list.list, frame: \.listFrame, part: { Table([]).rowsArea(in: $1) }
        ) { page, surface, area, theme, isFocused in
            page.list.draw(
                into: &surface, in: area.inset(columns: 1), theme: theme, isFocused: isFocused,
                shown: page.card?.feature, changes: page.changes)
        }
        pane.move = { page, motion in page.moveList { $0.move(motion) } }
        return pane
    }

    private static var cardPane: Pane<Self> {
        .rows(.card, \.examples.list, frame: \.cardFrame, part: { FeatureCardView.parts(of: $1).examples }) {
            page, surface, area, theme, isFocused in
            guard let card = page.card else { return }
            page.examples.draw(
                card, of: page.dictionary?.name ?? "", into: &surface, in: area.inset(columns: 1), theme: theme,
                isFocused: isFocused)
        }
    }

    private static var textPane: Pane<Self> {
        .canvas(
            .text, frame: \.textFrame, move: { $0.moveText($1) }, press: { $0.pressText(at: $1, in: $2) },
            scroll: { page, rows in page.text.move { $0.scroll(by: rows) } },
            fit: { $0.text.layout(columns: $1.columns, rows: textRows($1)) },
            draw: { $0.drawText(into: &$1, in: $2, theme: $3) })
    }

    private static var activePane: Pane<Self> {
        .rows(.active, \.active.list, frame: \.activeFrame, part: { $1 }) { page, surface, area, theme, isFocused in
            page.active.draw(
                into: &surface, in: area.inset(columns: 1), theme: theme, isFocused: isFocused,
                shown: page.card?.feature, changes: page.changes)
        }
    }

    private static var mapPane: Pane<Self> {
        .canvas(
            .map, frame: \.circuit.mapFrame, move: { $0.circuit.moveCursor($1) },
            press: { $0.circuit.pressMap(at: $1, in: $2) }, opens: { $0.circuit.cell(at: $1, in: $2) != nil },
            draw: { $0.circuit.drawMap(into: &$1, in: $2, theme: $3) })
    }

    private static var partsPane: Pane<Self> {
        .rows(
            .parts, \.circuit.parts, frame: \.circuit.partsFrame, part: { OpenCircuit.parts(of: $1).bars },
            draw: { $0.circuit.drawParts(into: &$1, in: $2.inset(columns: 1), theme: $3, isFocused: $4) })
    }

    private static var cellPane: Pane<Self> {
        .canvas(
            .cell, frame: \.circuit.cellFrame, move: { $0.circuit.moveCursor($1) },
            draw: { $0.circuit.drawCell(into: &$1, in: $2, theme: $3) })
    }

    /// Returns an empty name, because the border lists no hidden panes.
    package static func word(of pane: PaneName) -> String? { "" }

    // MARK: Layout

    /// The list to the left of the dashboard, and below them the text and its active features; or the map above the
    /// parts and the cell. Narrow screens show the focused pane with the list, the text, or the map.
    package func layout(in size: Size) -> PaneTree<PaneName> {
        let (isWide, focus) = (size.columns >= 100, screen.focus)
        guard isWide || size.rows >= 18 else { return .pane(focus) }
        if showsCircuits {
            let lower: PaneTree<PaneName> =
                isWide
                ? .columns([.init(.weight(1), .parts), .init(.weight(1), .cell)])
                : .pane(focus == .parts ? .parts : .cell)
            return .rows([.init(.weight(3), .map), .init(.weight(2), lower)])
        }
        guard isWide else {
            return focus == .text || focus == .active
                ? .rows([.init(.weight(1), .text), .init(.weight(1), .active)])
                : .rows([.init(.weight(2), .list), .init(.weight(3), .card)])
        }
        let columns = min(84, size.columns * 9 / 20)
        let side = Extent.fixed(columns)
        let rows = max(8, min(size.rows * 2 / 5, textRowsNeeded(in: size.columns - columns)))
        return .rows([
            .init(.weight(1), .columns([.init(side, .list), .init(.weight(1), .card)])),
            .init(.fixed(rows), .columns([.init(.weight(1), .text), .init(side, .active)])),
        ])
    }

    /// Returns the rows that the text and its active features need, with their border.
    private func textRowsNeeded(in columns: Int) -> Int {
        guard !text.isEmpty else { return 8 }
        let (untouched, changed) = (text.untouched.rowCount, text.hasChanged ? text.changed.rowCount : 0)
        // Stacked texts both need rows: they differ at the end, which must be visible.
        let isStacked = text.hasChanged && !SteeredText.isBeside(columns - 4)
        let texts = isStacked ? untouched + 1 + changed : max(untouched, changed)
        return 2 + max(texts + 3, active.most)
    }

    // MARK: Frames

    private var listFrame: Frame {
        guard let dictionary else { return Frame("Features") }
        return Frame(
            FrameLabel(dictionary.name), count: FrameLabel(Format.count(dictionary.featureCount)),
            details: [FrameLabel(list.shown.title, role: .dim)])
    }

    private var cardFrame: Frame {
        guard let card else { return Frame("Feature") }
        var frame = Frame(FrameLabel("Feature \(card.feature)"))
        if let name = card.name { frame.details = [FrameLabel(name, role: card.label == nil ? .dim : .accent)] }
        if let change = changes[card.feature] { frame.trailing = [FrameLabel(change.words, role: .warning)] }
        return frame
    }

    private var textFrame: Frame {
        var frame = Frame("Text")
        if !changes.isEmpty { frame.details = [FrameLabel(changes.sentence, role: .warning)] }
        guard let side = text.side else {
            if isRunning { frame.trailing = [FrameLabel("reading", role: .info)] }
            return frame
        }
        frame.count = FrameLabel(Format.count(side.texts.count))
        if isRunning, side.readCount < side.promptCount {
            frame.trailing = [FrameLabel("read \(side.readCount) of \(side.promptCount)", role: .info)]
        } else if isRunning, side.tokensPerSecond > 0 {
            frame.trailing = [FrameLabel(Format.rate(side.tokensPerSecond, "tokens"), role: .info)]
        } else if side.isOver {
            frame.trailing = [FrameLabel("end of text", role: .dim)]
        }
        return frame
    }

    private var activeFrame: Frame {
        guard let side = text.side else { return Frame("Active") }
        var frame = Frame("Active", count: FrameLabel("\(active.rows.count)"))
        if side.texts.indices.contains(text.cursor) {
            frame.details = [
                FrameLabel("token \(text.cursor)", role: .dim),
                FrameLabel(ShadedTokens.visible(side.texts[text.cursor]), role: .accent),
            ]
        }
        if text.isInChanged, let divergence = text.reading?.divergence(after: text.cursor) {
            frame.trailing = [FrameLabel("KL \(Format.fixed(Double(divergence), digits: 3))", role: .dim)]
        }
        return frame
    }

    /// Whether a pane shows its formulas and sums.
    fileprivate func isTurned(_ pane: PaneName) -> Bool {
        turned.contains(pane) && (circuit.reading != nil || !pane.isOfCircuits)
    }

    // MARK: Empty panes

    /// Returns the lines of a pane without content; `nil` if it has content.
    fileprivate func emptyLines(of pane: PaneName) -> [String]? {
        switch pane {
        case .list: return list.rows.isEmpty ? linesWithoutRows : nil
        case .card:
            guard card == nil else { return nil }
            return dictionary == nil ? [] : ["Enter opens a feature from the list"]
        case .active:
            guard let side = text.side else { return ["features of the token under the cursor"] }
            guard text.cursor < side.readCount else { return ["not read yet: press . to read the next token"] }
            return active.rows.isEmpty ? ["no feature is active here"] : nil
        default: return nil
        }
    }

    private var linesWithoutRows: [String] {
        guard let dictionary else {
            let own = offered.first.map { ["Enter adds \($0),", "  included with Orrery", ""] } ?? []
            return ["no dictionary yet", ""] + own + [
                "orrery feature train MODEL", "  trains a dictionary on a hook",
                "orrery feature add FOLDER", "  imports SAELens or Gemma Scope",
            ]
        }
        guard list.answered != nil else { return [] }
        guard dictionary.index == nil, !list.query.isOfText else { return ["no feature matches: / searches again"] }
        return ["not indexed yet: no activations", "", "orrery feature index \(dictionary.name)", "  indexes them"]
    }
}

extension Pane<FeaturePage> {
    /// The pane in its half of the page, and the formulas and sums that can replace its content.
    fileprivate var withFormulas: [Pane] {
        let name = name
        var front = self
        front.empty = { $0.emptyLines(of: name) }
        front.isPresent = { $0.showsCircuits == name.isOfCircuits && !$0.isTurned(name) }
        let back = Pane.canvas(
            name, frame: frame,
            isPresent: { $0.showsCircuits == name.isOfCircuits && $0.isTurned(name) },
            move: { front.move(&$0, $1) },
            draw: { $0.sums(of: name).draw(into: &$1, in: $2, theme: $3) })
        return [front, back]
    }
}
