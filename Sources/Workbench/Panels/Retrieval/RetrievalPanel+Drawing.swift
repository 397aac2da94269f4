package import Console
internal import Formatting
internal import Retrieval

extension RetrievalPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        if hasQuery { drawQuery(into: &surface, theme) }
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
            if let changes = changesLabel { frame.details.append(FrameLabel(changes, role: .dim)) }
        }
        let shown = typing ?? (mode == .comparison || isForeign ? record?.query : nil) ?? query
        if isSearching, record?.query != shown.trimmed {
            frame.trailing = [FrameLabel("searching", role: .info)]
        } else if let seconds = record?.seconds {
            frame.trailing = [FrameLabel(Format.duration(seconds: seconds), role: .dim)]
        }
        let inside = frame.draw(into: &surface, in: queryArea, theme: theme).inset(columns: 1)
        if shown.isEmpty {
            surface.put(
                corpus == nil ? Self.noCorpus : "/ asks a question", at: inside.origin, style: theme[.dim],
                width: inside.columns)
        } else {
            let used = surface.put(
                shown.truncated(toColumns: inside.columns), at: inside.origin, style: theme[.strong])
            guard isExample, typing == nil else { return }
            let note = "a sample question: / asks your own"
            let column = inside.endColumn - DisplayWidth.of(note)
            guard column >= inside.column + used + 2 else { return }
            surface.put(note, at: Point(column: column, row: inside.row), style: theme[.info])
        }
    }

    /// All changed settings, or their number if they do not fit; `v` then lists them.
    private var changesLabel: String? {
        let changes = pipeline.changes
        guard !changes.isEmpty else { return nil }
        let all = changes.map(\.text).joined(separator: ", ")
        let taken = ["Question", corpus?.name ?? "", pipeline.title].reduce(0) { $0 + DisplayWidth.of($1) + 4 }
        guard taken + DisplayWidth.of(all) + 6 > area.columns else { return all }
        return changes.count == 1 ? all : "\(changes.count) settings, v lists them"
    }

    /// The area inside a pane's border, or all of it if the border has no room.
    private func framed(
        _ frame: Frame, into surface: inout Surface, in area: Rect, _ theme: Theme
    ) -> Rect {
        guard area.rows >= Self.leastFramed else { return area }
        return frame.draw(into: &surface, in: area, theme: theme).inset(columns: 1)
    }

    private func drawStages(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame(stagesTitle, isFocused: isFocused)
        // `╭─ ` before the title and ` ─╮` behind it.
        let room = area.columns - 6 - DisplayWidth.of(frame.title.text)
        let hidden = hiddenStages(in: room)
        switch mode {
        case .stages:
            // Hidden stages and their keys precede the context, so the frame cuts the context first.
            let used = (hidden.before + hidden.behind + stageDetails).reduce(0) { $0 + DisplayWidth.of($1.text) + 4 }
            frame.details = hidden.before + (hidden.behind.isEmpty || used <= room ? stageDetails : [])
        case .comparison:
            if let comparison {
                frame.details = [
                    FrameLabel("A \(comparison.before.title)", role: .dim),
                    FrameLabel("B \(comparison.after.title)", role: .dim),
                ]
            }
            frame.details = hidden.before + frame.details
        case .health: if let health { frame.details = [FrameLabel(health.corpus.name, role: .dim)] }
        }
        if mode != .health { frame.trailing = hidden.behind }
        let inside = framed(frame, into: &surface, in: area, theme)
        if mode == .health { return healthText.draw(into: &surface, in: inside, theme: theme) }
        if let fault, record == nil {
            surface.put(fault, at: inside.origin, style: theme[.failure], width: inside.columns)
            return
        }
        guard record != nil else { return drawNothing(into: &surface, in: inside, theme) }
        columns.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
        ScrollBar(count: columns.longest, top: columns.top, height: columns.height)
            .draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private var stagesTitle: FrameLabel {
        switch mode {
        case .stages: "Stages"
        case .comparison: "A and B"
        case .health: "Health"
        }
    }

    /// Hidden stages and the key that reaches them: `‹ lexical (h)`, or `‹ 2 (h)` if the names exceed `room` columns.
    private func hiddenStages(in room: Int) -> (before: [FrameLabel], behind: [FrameLabel]) {
        guard let inside = inside(.stages) else { return ([], []) }
        let hidden = columns.hidden(in: inside)
        func name(_ stages: [String]) -> String { stages.count == 1 ? stages[0] : "\(stages.count) more stages" }
        // ` ── ` and `‹  (h)` around a name.
        let used = [hidden.before, hidden.behind].filter { !$0.isEmpty }.reduce(0) {
            $0 + DisplayWidth.of(name($1)) + 10
        }
        func label(_ stages: [String]) -> String { used <= room ? name(stages) : "\(stages.count)" }
        return (
            hidden.before.isEmpty ? [] : [FrameLabel("‹ \(label(hidden.before)) (h)", role: .warning)],
            hidden.behind.isEmpty ? [] : [FrameLabel("\(label(hidden.behind)) (l) ›", role: .warning)]
        )
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
                ("no corpus yet", .text), ("", .dim), ("i  adds files or a folder to a corpus", .dim),
                ("   Markdown, HTML, PDF, code, JSONL, CSV, BEIR", .dim),
            ]
            : [
                ("/  asks a question; every stage shows its results", .dim), ("c  chooses another corpus", .dim),
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
        let inside = framed(frame, into: &surface, in: area, theme)
        guard open != nil || view == .answer && record != nil else { return }
        text.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: text, into: &surface, in: area, theme)
    }

    private func drawWhy(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame("Why", isFocused: isFocused)
        if let explanation {
            frame.details = [FrameLabel(explanation.passage.label, role: .accent)]
            if let count = explanation.remedies.count > 1 ? explanation.remedies.count : nil {
                frame.details.append(FrameLabel(". \(remedy + 1) of \(count)", role: .dim))
            }
            if !explanation.remedies.isEmpty {
                frame.details.append(FrameLabel(isFocused ? "Enter applies" : "X applies", role: .info))
            }
            if target != nil { frame.trailing = [FrameLabel("pinned, Esc unpins", role: .dim)] }
        }
        if isForeign { frame = Frame("Matches", isFocused: isFocused) }
        let inside = framed(frame, into: &surface, in: area, theme)
        guard explanation != nil || isForeign else {
            surface.put(
                mode == .comparison ? "Esc returns to the explanation" : "w  why was a document not found?",
                at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        why.draw(into: &surface, in: inside, theme: theme)
        drawThumb(of: why, into: &surface, in: area, theme)
    }

    private func drawQuestions(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        var frame = Frame("Questions", isFocused: isFocused)
        if let name = questions.name {
            frame.count = FrameLabel(Format.count(questions.rows.count))
            // A set read from a file is named by its path.
            frame.details = [FrameLabel(name.split(separator: "/").last.map(String.init) ?? name, role: .dim)]
        }
        var inside = framed(frame, into: &surface, in: area, theme)
        guard questions.name != nil else {
            surface.put("Q  chooses a question set", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        if let comparison, mode == .comparison, inside.rows > 3 {
            surface.put(comparison.line, at: inside.origin, theme: theme, width: inside.columns)
            _ = inside.takeTop(2)
        }
        questions.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused)
        ScrollBar(questions.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private func drawThumb(of text: TextView, into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard !(text.isAtTop && text.isAtEnd), area.rows >= Self.leastFramed else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }
}
