package import Console
internal import FeatureLab
internal import Formatting
internal import Presentation

extension FeaturePanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        if showsCircuits { return circuits.render(into: &surface, area: area, theme: theme) }
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            let frame = frame(of: placed.pane, isFocused: isFocused)
            let inside = frame.drawIfRoom(into: &surface, in: placed.area, theme: theme).inset(columns: 1)
            if turned.contains(placed.pane) {
                sums(of: placed.pane).draw(into: &surface, in: inside, theme: theme)
                continue
            }
            switch placed.pane {
            case .list:
                drawList(into: &surface, in: inside, theme: theme, isFocused: isFocused)
                ScrollBar(list.list).draw(into: &surface, onBorderOf: placed.area, theme: theme)
            case .card:
                drawCard(into: &surface, in: inside, theme: theme, isFocused: isFocused)
                if card != nil {
                    ScrollBar(cardView.list).draw(into: &surface, onBorderOf: placed.area, theme: theme)
                }
            case .text: drawText(into: &surface, in: inside, theme: theme, isFocused: isFocused)
            case .active:
                drawActive(into: &surface, in: inside, theme: theme, isFocused: isFocused)
                ScrollBar(active.list).draw(into: &surface, onBorderOf: placed.area, theme: theme)
            }
        }
    }

    // MARK: Frames

    private func frame(of pane: Pane, isFocused: Bool) -> Frame {
        switch pane {
        case .list: listFrame(isFocused)
        case .card: cardFrame(isFocused)
        case .text: textFrame(isFocused)
        case .active: activeFrame(isFocused)
        }
    }

    private func listFrame(_ isFocused: Bool) -> Frame {
        var frame = Frame(FrameLabel(dictionary?.name ?? "Features"), isFocused: isFocused)
        if let dictionary {
            frame.count = FrameLabel(Format.count(dictionary.featureCount))
            frame.details = [FrameLabel(list.shown.title, role: .dim)]
        }
        return frame
    }

    private func cardFrame(_ isFocused: Bool) -> Frame {
        var frame = Frame(FrameLabel(card.map { "Feature \($0.feature)" } ?? "Feature"), isFocused: isFocused)
        if let card {
            if let name = card.name {
                frame.details = [FrameLabel(name, role: card.label == nil ? .dim : .accent)]
            }
            if let change = changes[card.feature] { frame.trailing = [FrameLabel(change.words, role: .warning)] }
        }
        return frame
    }

    private func textFrame(_ isFocused: Bool) -> Frame {
        var frame = Frame("Text", isFocused: isFocused)
        if !changes.isEmpty { frame.details = [FrameLabel(changes.sentence, role: .warning)] }
        if let side = text.side {
            frame.count = FrameLabel(Format.count(side.texts.count))
            if isRunning, side.readCount < side.promptCount {
                frame.trailing = [FrameLabel("read \(side.readCount) of \(side.promptCount)", role: .info)]
            } else if isRunning, side.tokensPerSecond > 0 {
                frame.trailing = [FrameLabel(Format.rate(side.tokensPerSecond, "tokens"), role: .info)]
            } else if side.isOver {
                frame.trailing = [FrameLabel("end of text", role: .dim)]
            }
        } else if isRunning {
            frame.trailing = [FrameLabel("reading", role: .info)]
        }
        return frame
    }

    private func activeFrame(_ isFocused: Bool) -> Frame {
        var frame = Frame("Active", isFocused: isFocused)
        guard let side = text.side else { return frame }
        frame.count = FrameLabel("\(active.rows.count)")
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

    // MARK: Lists

    private func put(_ lines: [String], into surface: inout Surface, in area: Rect, theme: Theme) {
        for (row, line) in lines.enumerated() where row < area.rows {
            surface.put(
                line, at: Point(column: area.column, row: area.row + row), style: theme[.dim], width: area.columns)
        }
    }

    private func put(_ fault: String, into surface: inout Surface, in area: Rect, theme: Theme) {
        var rest = area
        for line in StyledLine(fault, .failure).wrapped(to: max(1, area.columns)) where rest.rows > 0 {
            surface.put(line, at: rest.takeTop(1).origin, theme: theme, width: area.columns)
        }
    }

    private func drawList(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        guard let dictionary else {
            let own = offered.first.map { ["Enter adds \($0),", "  included with Orrery", ""] } ?? []
            return put(
                ["no dictionary yet", ""] + own + [
                    "orrery feature train MODEL", "  trains a dictionary on a hook",
                    "orrery feature add FOLDER", "  imports SAELens or Gemma Scope",
                ], into: &surface, in: inside, theme: theme)
        }
        guard !list.rows.isEmpty else {
            let lines =
                dictionary.index == nil && !list.query.isOfText
                ? [
                    "not indexed yet: no activations", "", "orrery feature index \(dictionary.name)",
                    "  indexes them",
                ] : ["no feature matches: / searches again"]
            return put(lines, into: &surface, in: inside, theme: theme)
        }
        list.draw(
            into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: card?.feature, changes: changes)
    }

    private func drawCard(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        guard let card else {
            return put(
                dictionary == nil ? [] : ["Enter opens a feature from the list"], into: &surface, in: inside,
                theme: theme
            )
        }
        cardView.draw(
            card, of: dictionary?.name ?? "", into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    private func drawActive(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        guard let side = text.side else {
            return put(["features of the token under the cursor"], into: &surface, in: inside, theme: theme)
        }
        guard text.cursor < side.readCount else {
            return put(["not read yet: press . to read the next token"], into: &surface, in: inside, theme: theme)
        }
        guard !active.rows.isEmpty else {
            return put(["no feature is active here"], into: &surface, in: inside, theme: theme)
        }
        active.draw(
            into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: card?.feature, changes: changes)
    }

    // MARK: The text

    private func drawText(into surface: inout Surface, in inside: Rect, theme: Theme, isFocused: Bool) {
        guard let reading = text.reading else {
            if let fault { return put(fault, into: &surface, in: inside, theme: theme) }
            let line =
                text.prompt.isEmpty
                ? "p  enters a text to show its features token by token" : ShadedTokens.visible(text.prompt.text)
            return put([line], into: &surface, in: inside, theme: theme)
        }
        let areas = textAreas(inside)
        text.untouched.draw(
            into: &surface, in: areas.untouched, theme: theme, isFocused: isFocused && !text.isInChanged)
        if let changed = areas.changed {
            text.changed.draw(into: &surface, in: changed, theme: theme, isFocused: isFocused && text.isInChanged)
            drawDivider(between: areas.untouched, changed, into: &surface, theme: theme)
        }
        drawFoot(reading, into: &surface, in: inside, theme: theme)
    }

    private func drawDivider(between left: Rect, _ right: Rect, into surface: inout Surface, theme: Theme) {
        if right.row == left.row {
            surface.verticalLine(
                column: right.column - 2, rows: right.row..<right.endRow, style: theme[.faint], glyphs: theme.glyphs)
        } else {
            surface.horizontalLine(
                row: right.row - 1, columns: right.column..<right.endColumn, style: theme[.faint], glyphs: theme.glyphs)
        }
    }

    /// How far the changed text is from the untouched one, token by token; without one, what could be done.
    private func drawFoot(_ reading: SteeringReading, into surface: inout Surface, in inside: Rect, theme: Theme) {
        guard inside.rows > 2 else { return }
        var line = Rect(column: inside.column, row: inside.endRow - 1, columns: inside.columns, rows: 1)
        if let fault {
            surface.put(fault, at: line.origin, style: theme[.failure], width: line.columns)
            return
        }
        guard reading.changed != nil else {
            if inside.rows > 6, text.prompt.text == SampleTexts.features.text {
                let lines = ProseLines.of(SampleTexts.features.note, columns: line.columns).count
                let room = max(1, inside.rows - text.untouched.rowCount - 2)
                let rows = min(lines, room)
                let note = Rect(column: line.column, row: line.row - rows, columns: line.columns, rows: rows)
                ProseLines.draw(SampleTexts.features.note, .dim, into: &surface, in: note, theme: theme)
            }
            if let card {
                let label = card.name.map { ", \($0)" } ?? ""
                surface.put(
                    "shaded by feature \(card.feature)\(label)", at: line.origin, style: theme[.dim],
                    width: line.columns)
            }
            return
        }
        if let silence = text.silence {
            surface.put(silence, at: line.origin, style: theme[.warning], width: line.columns)
            return
        }
        let parts = reading.firstDifference.map { ", diverging at token \($0)" } ?? ", same text so far"
        let words = "KL \(Format.fixed(reading.meanDivergence, digits: 3)) nats/token\(parts)  "
        surface.put(words, at: line.takeLeft(min(line.columns, DisplayWidth.of(words))).origin, style: theme[.dim])
        Sparkline(reading.divergences.map(Double.init), range: 0...max(1e-9, Double(reading.divergences.max() ?? 0)))
            .draw(into: &surface, in: line, style: theme[.series2], theme: theme)
    }
}

extension FeatureQuery {
    /// It can be answered without an index.
    var isOfText: Bool { if case .active = self { true } else { false } }
}
