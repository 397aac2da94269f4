package import Console
internal import Retrieval

extension RetrievalPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        if !isZoomed, area.rows > 10 { drawQuery(into: &surface, theme) }
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .stages: drawStages(into: &surface, in: placed.area, theme, isFocused: isFocused)
            case .passage: drawPassage(into: &surface, in: placed.area, theme, isFocused: isFocused)
            case .why: drawWhy(into: &surface, in: placed.area, theme, isFocused: isFocused)
            case .questions: drawQuestions(into: &surface, in: placed.area, theme, isFocused: isFocused)
            }
        }
    }

    private func drawQuery(into surface: inout Surface, _ theme: Theme) {
        var frame = Frame("Question")
        if isForeign {
            if let own {
                frame.details = [
                    FrameLabel(own.corpus, role: .dim), FrameLabel(own.pipeline, role: .dim),
                    FrameLabel("as recorded", role: .info),
                ]
            } else {
                frame.details = [FrameLabel("recorded by another system", role: .info)]
            }
        } else {
            if let corpus { frame.details.append(FrameLabel(corpus.name, role: .dim)) }
            frame.details.append(FrameLabel(pipeline.title, role: pipeline.isChanged ? .warning : .dim))
            if let changes = pipeline.changes.last { frame.details.append(FrameLabel(changes, role: .dim)) }
        }
        if isSearching {
            frame.trailing = [FrameLabel("searching", role: .info)]
        } else if let seconds = record?.seconds {
            frame.trailing = [FrameLabel(RetrievalFigure.duration(seconds), role: .dim)]
        }
        let inside = frame.draw(into: &surface, in: queryArea, theme: theme).inset(columns: 1)
        let shown = typing ?? (mode == .comparison || isForeign ? record?.query : nil) ?? query
        if shown.isEmpty {
            surface.put(
                corpus == nil ? Self.noCorpus : "/ asks a question", at: inside.origin, style: theme[.dim],
                width: inside.columns)
        } else {
            surface.put(shown, at: inside.origin, style: theme[.strong], width: inside.columns)
        }
    }

    private func drawStages(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame(stagesTitle, isFocused: isFocused)
        switch mode {
        case .stages: frame.details = stageDetails
        case .comparison:
            if let comparison {
                frame.details = [
                    FrameLabel("A \(comparison.before.title)", role: .dim),
                    FrameLabel("B \(comparison.after.title)", role: .dim),
                ]
            }
        case .health: if let health { frame.details = [FrameLabel(health.corpus.name, role: .dim)] }
        }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        if mode == .health { return healthText.draw(into: &surface, in: inside, theme: theme) }
        if let fault, record == nil {
            surface.put(fault, at: inside.origin, style: theme[.failure], width: inside.columns)
            return
        }
        guard record != nil else { return drawNothing(into: &surface, in: inside, theme) }
        columns.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    private var stagesTitle: FrameLabel {
        switch mode {
        case .stages: "Stages"
        case .comparison: "A and B"
        case .health: "Health"
        }
    }

    private var stageDetails: [FrameLabel] {
        var details: [FrameLabel] = []
        if let context = record?.context {
            let budget = context.budget.map { " of \(Format.count($0))" } ?? ""
            details.append(FrameLabel("context \(Format.count(context.used))\(budget) \(context.unit)", role: .dim))
        }
        if let truth { details.append(FrameLabel(truth.line.text, role: truth.recall == 1 ? .success : .warning)) }
        return details
    }

    private func drawNothing(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        let lines: [(String, Role)] =
            corpora.isEmpty
            ? [
                ("no corpus yet", .text), ("", .dim), ("i  adds files or a folder to one", .dim),
                ("   Markdown, HTML, PDF, code, JSONL, CSV, BEIR", .dim),
            ]
            : [
                ("/  asks: every stage shows what it found", .dim), ("c  chooses another corpus", .dim),
                ("Q  chooses a question set", .dim),
            ]
        for (row, line) in lines.enumerated() where row < area.rows {
            surface.put(
                line.0, at: Point(column: area.column, row: area.row + row), style: theme[line.1], width: area.columns)
        }
    }

    private func drawPassage(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(view.title), isFocused: isFocused)
        if let open, view != .answer {
            frame.details = [FrameLabel(open.passage.label, role: .accent)]
            if !open.title.isEmpty { frame.details.append(FrameLabel(open.title, role: .dim)) }
        }
        if let status = text.searchStatus { frame.trailing = [FrameLabel(status, role: .match)] }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard open != nil || view == .answer && record != nil else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: text, into: &surface, in: area, theme)
    }

    private func drawWhy(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame("Why", isFocused: isFocused)
        if let explanation { frame.details = [FrameLabel(explanation.passage.label, role: .accent)] }
        if isForeign { frame = Frame("Matches", isFocused: isFocused) }
        let inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard explanation != nil || isForeign else {
            surface.put(
                "w  why was a document not found?", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        why.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: why, into: &surface, in: area, theme)
    }

    private func drawQuestions(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame("Questions", isFocused: isFocused)
        if let name = questions.name {
            frame.count = FrameLabel(Format.count(questions.rows.count))
            frame.details = [FrameLabel(name, role: .dim)]
        }
        var inside = frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
        guard questions.name != nil else {
            surface.put("Q  chooses a question set", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        if let comparison, mode == .comparison, inside.rows > 3 {
            surface.put(comparison.line, at: inside.origin, theme: theme, width: inside.columns)
            _ = inside.takeTop(2)
        }
        questions.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
    }

    private func drawThumb(of text: TextView, into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard !(text.isAtTop && text.isAtEnd), area.rows > 2 else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
