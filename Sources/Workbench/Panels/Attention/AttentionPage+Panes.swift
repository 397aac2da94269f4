internal import Console
internal import Formatting
internal import Presentation

extension AttentionPage {
    package static var panes: [Pane<Self>] {
        [
            .canvas(
                .heads, frame: \.headsFrame, move: { $0.moveRows($1) }, press: { $0.pressHeads(at: $1, in: $2) },
                opens: { $0.hitsHead(at: $1, in: $2) },
                draw: { $0.drawHeads(into: &$1, in: $2, $3) }),
            .canvas(
                .head, frame: \.headFrame, move: { $0.moveRows($1) }, press: { $0.pressHead(at: $1, in: $2) },
                scroll: { $0.zoomWindow(isIn: $1 < 0) }, draw: { $0.drawHead(into: &$1, in: $2, $3) }),
            .canvas(
                .tokens, frame: \.tokensFrame, move: { $0.moveRows($1) }, press: { $0.pressTokens(at: $1, in: $2) },
                scroll: { page, rows in
                    page.tokens.scroll(by: rows)
                    page.otherTokens.scroll(by: rows)
                }, fit: { $0.fitTokens(to: $1) }, draw: { $0.drawTokens(into: &$1, in: $2, $3) }),
            .canvas(
                .reading, frame: \.readingFrame, move: { $0.moveRows($1) },
                draw: { $0.drawReading(into: &$1, in: $2, $3) }),
        ]
    }

    /// Returns an empty name, because the border lists no hidden panes.
    package static func word(of pane: PaneName) -> String? { "" }

    // MARK: The text

    private var tokensFrame: Frame {
        var frame = Frame("Tokens")
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
            frame.trailing = [FrameLabel(state(of: run), role: operation == nil ? .dim : .info)]
        } else if !order.model.isEmpty {
            frame.details = [FrameLabel(order.model, role: .dim)]
        }
        return frame
    }

    private func drawTokens(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard run != nil else {
            if let text = order.text, !text.isEmpty, operation == nil, fault == nil {
                return drawProposal(text, into: &surface, in: area, theme)
            }
            return drawNothing(into: &surface, in: area, theme)
        }
        let parts = textParts(of: area)
        let texts = shadedTexts
        let isFocused = screen.focus == .tokens
        texts.first.draw(into: &surface, in: parts.first, theme: theme, isFocused: isFocused)
        if second != nil {
            texts.second.draw(into: &surface, in: parts.second, theme: theme, isFocused: isFocused)
            drawDivider(between: parts.first, and: parts.second, into: &surface, theme)
        }
        drawShadingLegend(texts, into: &surface, in: parts.legend, theme)
    }

    /// The texts of A and B, shaded by the views unless those belong to another position of the cursor.
    var shadedTexts: (first: ShadedTokens, second: ShadedTokens) {
        func values(_ look: AttentionLook?) -> [Float] {
            guard let look, look.request.token == token else { return [] }
            return (shading == .attendsTo ? look.attended : look.attending) ?? []
        }
        var (first, second) = (tokens, otherTokens)
        first.marked = request.range
        if shading == .divergence {
            if looks?.second != nil { second.values = divergences }
        } else {
            (first.values, second.values) = (values(looks?.first), values(looks?.second))
        }
        let both = first.values + second.values
        first.scale = shading == .divergence ? .sequential(of: both) : .root(of: both)
        second.scale = first.scale
        return (first, second)
    }

    /// KL divergence of the next-token distribution at each token of the changed text; NaN before the change.
    private var divergences: [Float] {
        guard let divergence = looks?.divergence else { return [] }
        return Array(repeating: .nan, count: max(0, divergence.from)) + divergence.values
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
        switch operation {
        case .reading(let count, let total)?: return "reading \(Format.count(count)) of \(Format.count(total))"
        case .generating?: return run.tokensPerSecond.map { Format.rate($0, "tokens") } ?? "generating"
        case .changing?: return "rerunning"
        case .stepping?: return "stepping back"
        case nil: return run.finish ?? "paused"
        }
    }

    /// Whether the text is the proposed sample, on its own model.
    private var isSample: Bool { SampleTexts.isModel(order.model) && order.text == SampleTexts.attention.text }

    /// The note on the sample text, which says what to look for.
    var note: String? { isSample && second == nil && run != nil ? SampleTexts.attention.note : nil }

    func noteLines(columns: Int) -> [StyledLine] { note.map { ProseLines.of($0, .dim, columns: columns) } ?? [] }

    func drawShadingLegend(
        _ texts: (first: ShadedTokens, second: ShadedTokens), into surface: inout Surface, in area: Rect, _ theme: Theme
    ) {
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
        guard !texts.first.values.isEmpty || !texts.second.values.isEmpty else {
            surface.put(note + ": not computed yet", at: area.origin, style: theme[.faint], width: area.columns)
            return
        }
        var whole = note
        if let divergence = looks?.divergence {
            whole += ", mean \(Format.fixed(divergence.mean, digits: 3))"
            if divergence.from > 0 { whole += ", starting at token \(divergence.from)" }
        }
        HeatLegend(texts.first.scale, note: whole).draw(into: &surface, in: area, theme: theme)
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
        draw(
            Array(shown.prefix(max(1, area.rows - hints.count - 1))) + [StyledLine()] + hints, into: &surface, in: area,
            theme)
    }

    func drawNothing(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        var line = StyledLine()
        switch operation {
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
        draw(ProseLines.of(line, columns: area.columns), into: &surface, in: area, theme)
    }
}
