package import Console
internal import Formatting
internal import Presentation

extension AttentionPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        for placed in placedPanes {
            let isFocused = placed.pane == pane || run == nil
            switch placed.pane {
            case .heads: drawHeads(into: &surface, in: placed.area, theme, isFocused)
            case .head: drawHead(into: &surface, in: placed.area, theme, isFocused)
            case .tokens: drawTokens(into: &surface, in: placed.area, theme, isFocused)
            case .reading: drawReading(into: &surface, in: placed.area, theme, isFocused)
            }
        }
    }

    // MARK: The text

    private func drawTokens(into surface: inout Surface, in area: Rect, _ theme: Theme, _ isFocused: Bool) {
        var frame = Frame("Tokens", isFocused: isFocused)
        if let run {
            frame.count = FrameLabel(Format.count(run.tokens.count), role: .dim)
            frame.details = [FrameLabel(second == nil ? run.title : "A \(run.title)", role: .dim)]
            if let second {
                let title = changes.isEmpty ? second.title : changesTitle
                frame.details.append(FrameLabel("B \(title)", role: changes.isEmpty ? .dim : .warning))
            }
            if run.readCount < run.tokens.count {
                frame.details.append(FrameLabel("\(Format.count(run.readCount)) read", role: .warning))
            }
            frame.trailing = [FrameLabel(state(of: run), role: work == nil ? .dim : .info)]
        } else if !order.model.isEmpty {
            frame.details = [FrameLabel(order.model, role: .dim)]
        }
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard run != nil else {
            if let text = order.text, !text.isEmpty, work == nil, fault == nil {
                return drawProposal(text, into: &surface, in: inside, theme)
            }
            return drawNothing(into: &surface, in: inside, theme)
        }
        let parts = textParts(of: inside)
        tokens.draw(into: &surface, in: parts.first, theme: theme, isFocused: isFocused)
        if second != nil {
            otherTokens.draw(into: &surface, in: parts.second, theme: theme, isFocused: isFocused)
            drawDivider(between: parts.first, and: parts.second, into: &surface, theme)
        }
        drawShadingLegend(into: &surface, in: parts.legend, theme)
    }

    private func drawDivider(between first: Rect, and second: Rect, into surface: inout Surface, _ theme: Theme) {
        if second.row == first.row {
            surface.verticalLine(
                column: first.endColumn + 1, rows: first.row..<first.endRow, style: theme[.border], glyphs: theme.glyphs
            )
        } else {
            surface.horizontalLine(
                row: first.endRow, columns: first.column..<first.endColumn, style: theme[.border], glyphs: theme.glyphs)
        }
    }

    private func state(of run: AttentionRun) -> String {
        switch work {
        case .reading(let count, let total)?: return "reading \(Format.count(count)) of \(Format.count(total))"
        case .generating?: return run.tokensPerSecond.map { Format.rate($0, "tokens") } ?? "generating"
        case .changing?: return "rerunning"
        case .stepping?: return "stepping back"
        case nil: return run.finish ?? "paused"
        }
    }

    /// The note on the sample text, which says what to look for.
    var note: String? { isSample && second == nil && run != nil ? SampleTexts.attention.note : nil }

    func noteLines(columns: Int) -> [StyledLine] { note.map { ProseLines.of($0, .dim, columns: columns) } ?? [] }

    func drawShadingLegend(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard !area.isEmpty else { return }
        var area = area
        for line in noteLines(columns: area.columns) where area.rows > 1 {
            surface.put(line, at: area.takeTop(1).origin, theme: theme, width: area.columns)
        }
        let note: String
        switch shading {
        case .attendsTo: note = "\(headName): what token \(token) attends to"
        case .attendedBy: note = "\(headName): what attends to token \(token)"
        case .divergence:
            // KL divergence of the next-token distribution at each token, in nats.
            note = "KL(A ‖ B) nats"
        }
        guard !tokens.values.isEmpty || !otherTokens.values.isEmpty else {
            surface.put(note + ": not computed yet", at: area.origin, style: theme[.faint], width: area.columns)
            return
        }
        var whole = note
        if let divergence = looks?.divergence {
            whole += ", mean \(Format.fixed(divergence.mean, digits: 3))"
            if divergence.from > 0 { whole += ", starting at token \(divergence.from)" }
        }
        HeatLegend(tokens.scale, note: whole).draw(into: &surface, in: area, theme: theme)
    }

    /// Draws a text that no model has read yet, with the keys that read or change it.
    private func drawProposal(_ text: String, into surface: inout Surface, in area: Rect, _ theme: Theme) {
        var hint = StyledLine()
        if order.model.isEmpty {
            hint.append("M", .key)
            hint.append(" chooses a model for the text", .dim)
        } else {
            hint.append("Enter", .key)
            hint.append(" runs \(order.model) on this text, ", .dim)
            hint.append("i", .key)
            hint.append(" types new text, ", .dim)
            hint.append("M", .key)
            hint.append(" chooses the model", .dim)
        }
        let shown = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .flatMap { ProseLines.of(Escape.printable($0), columns: area.columns) }
        let hints = ProseLines.of(hint, columns: area.columns)
        let lines = shown.prefix(max(1, area.rows - hints.count - 1)) + [StyledLine()] + hints
        for (row, line) in lines.prefix(area.rows).enumerated() {
            surface.put(
                line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }

    func drawNothing(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        var line = StyledLine()
        switch work {
        case .reading(let count, let total)?:
            line.append(
                total == 0 ? "opening the model" : "read \(Format.count(count)) of \(Format.count(total)) tokens", .info
            )
        case .generating?, .changing?, .stepping?: line.append("running", .info)
        case nil:
            if let fault {
                line.append(fault, .failure)
            } else if run != nil {
                line.append("waiting for the first results", .dim)
            } else {
                line.append("i", .key)
                line.append(" types text, ", .dim)
                line.append("M", .key)
                line.append(" chooses a model for the text", .dim)
                if knownModels == [] { line.append(": no local model is registered; type a path", .dim) }
            }
        }
        let lines = ProseLines.of(line, columns: area.columns)
        for (row, line) in lines.prefix(area.rows).enumerated() {
            surface.put(
                line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }
}
