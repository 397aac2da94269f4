internal import Console
internal import Formatting
internal import Retrieval
internal import Tables

extension RetrievalPage {
    package static var panes: [Pane<Self>] {
        [stageColumns, corpusHealth, passageText, whyText, questionList, queryLine]
    }

    /// Returns an empty name, because the borders do not list hidden panes.
    package static func word(of pane: PaneName) -> String? { "" }

    // MARK: The question

    private static var queryLine: Pane<Self> {
        Pane.canvas(.query, frame: \.queryFrame) { $0.drawQuery(into: &$1, in: $2, $3) }
            .bordered(from: 3).performing("ask")
    }

    /// Visible question: the typed or recorded one, if there is one.
    private var shownQuery: String { typing ?? (mode == .comparison || isForeign ? record?.query : nil) ?? query }

    private var queryFrame: Frame {
        var frame = Frame("Question")
        if isForeign, let own = recorded?.own {
            frame.details = [FrameLabel(own.corpus, role: .dim), FrameLabel(own.pipeline, role: .dim)]
            frame.details.append(FrameLabel("as recorded", role: .info))
        } else if isForeign {
            frame.details = [FrameLabel("recorded by another system", role: .info)]
        } else {
            if let corpus { frame.details.append(FrameLabel(corpus.name, role: .dim)) }
            frame.details.append(FrameLabel(pipeline.title, role: pipeline.isChanged ? .warning : .dim))
            if let changes = changesLabel { frame.details.append(FrameLabel(changes, role: .dim)) }
        }
        if isSearching, record?.query != shownQuery.trimmed {
            frame.trailing = [FrameLabel("searching", role: .info)]
        } else if let seconds = record?.seconds {
            frame.trailing = [FrameLabel(Format.duration(seconds: seconds), role: .dim)]
        }
        return frame
    }

    /// All changed settings, or their number if they do not fit; `v` then lists them.
    private var changesLabel: String? {
        let changes = pipeline.changes
        guard !changes.isEmpty, let area = screen.area(of: .query) else { return nil }
        let all = changes.map(\.text).joined(separator: ", ")
        let taken = ["Question", corpus?.name ?? "", pipeline.title].reduce(0) { $0 + DisplayWidth.of($1) + 4 }
        guard taken + DisplayWidth.of(all) + 2 > area.columns else { return all }
        return changes.count == 1 ? all : "\(changes.count) settings, v lists them"
    }

    private func drawQuery(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        guard !shownQuery.isEmpty else {
            let hint = whyNoCorpus ?? "/ asks a question"
            surface.put(hint, at: area.origin, style: theme[.dim], width: area.columns)
            return
        }
        let query = shownQuery.truncated(toColumns: area.columns)
        let used = surface.put(query, at: area.origin, style: theme[.strong])
        guard isExample, typing == nil else { return }
        let note = "a sample question: / asks your own"
        let column = area.endColumn - DisplayWidth.of(note)
        guard column >= area.column + used + 2 else { return }
        surface.put(note, at: Point(column: column, row: area.row), style: theme[.info])
    }

    // MARK: The stages

    private static var stageColumns: Pane<Self> {
        .canvas(
            .stages, frame: \.stagesFrame, isPresent: { $0.mode != .health }, move: { $0.columns.move($1) },
            press: { $0.columns.select(at: $1, in: $2) }, opens: { $0.columns.hitsEntry(at: $1, in: $2) },
            scroll: { $0.columns.move(.rows($1)) },
            fit: { $0.columns.list.height = max(1, $1.rows - StageColumns.headRows(in: $1.rows)) },
            bar: { ScrollBar($0.columns.list) },
            draw: { $0.drawStages(into: &$1, in: $2, $3) })
    }

    private static var corpusHealth: Pane<Self> {
        .text(
            .stages, \.health,
            frame: { page in Frame("Health", details: page.corpus.map { [FrameLabel($0.name, role: .dim)] } ?? []) },
            isPresent: { $0.mode == .health }
        ).unmarked
    }

    private var stagesFrame: Frame {
        var frame = Frame(mode == .stages ? "Stages" : "A and B")
        guard let area = screen.area(of: .stages) else { return frame }
        // `╭─ ` before the title and ` ─╮` after it.
        let room = area.columns - 2 - DisplayWidth.of(frame.title.text)
        let hidden = columns.hiddenLabels(in: area, room: room)
        frame.trailing = hidden.after
        let details =
            mode == .stages
            ? stageDetails
            : comparison.map { ["A \($0.before.title)", "B \($0.after.title)"].map { FrameLabel($0, role: .dim) } }
                ?? []
        // Hidden stages and their keys precede the context, so the frame cuts the context first.
        let used = (hidden.before + hidden.after + details).reduce(0) { $0 + DisplayWidth.of($1.text) + 4 }
        let fits = mode == .comparison || hidden.after.isEmpty || used <= room
        frame.details = hidden.before + (fits ? details : [])
        return frame
    }

    private var stageDetails: [FrameLabel] {
        var details: [FrameLabel] = []
        if let context = record?.context { details.append(FrameLabel("context \(context.sizeText)", role: .dim)) }
        if let truth { details.append(FrameLabel(truth.line.text, role: truth.recall == 1 ? .success : .warning)) }
        return details
    }

    private func drawStages(into surface: inout Surface, in area: Rect, _ theme: Theme) {
        if record != nil {
            return columns.draw(into: &surface, in: area, theme: theme, isFocused: screen.focus == .stages)
        }
        let lines: [StyledLine]
        if let fault {
            lines = [StyledLine(fault, .failure)]
        } else if catalog.corpora.isEmpty {
            lines = [
                StyledLine("no corpus yet", .text), "", StyledLine("i  adds files or a folder to a corpus", .dim),
                StyledLine("   Markdown, HTML, PDF, code, JSONL, CSV, BEIR", .dim),
            ]
        } else {
            lines = [
                "/  asks a question; every stage shows its results", "c  chooses another corpus",
                "Q  chooses a question set",
            ].map { StyledLine($0, .dim) }
        }
        for (row, line) in lines.enumerated() where row < area.rows {
            surface.put(
                line, at: Point(column: area.column, row: area.row + row), theme: theme, width: area.columns)
        }
    }

    // MARK: The passage and its explanation

    private static var passageText: Pane<Self> {
        .text(
            .passage, \.text,
            frame: { page in
                var frame = Frame(FrameLabel(page.view.title))
                if let open = page.open, page.view != .answer {
                    frame.details = [FrameLabel(open.passage.label, role: .accent)]
                    if !open.title.isEmpty { frame.details.append(FrameLabel(open.title, role: .dim)) }
                }
                return frame
            })
    }

    private static var whyText: Pane<Self> {
        .text(
            .why, \.why, frame: \.whyFrame,
            empty: { page in
                guard page.explanation == nil, !page.isForeign else { return nil }
                return [
                    page.mode == .comparison ? "Esc returns to the explanation" : "w  why was a document not found?"
                ]
            })
    }

    private var whyFrame: Frame {
        if isForeign { return Frame("Matches") }
        var frame = Frame("Why")
        guard let explanation else { return frame }
        frame.details = [FrameLabel(explanation.passage.label, role: .accent)]
        let count = explanation.remedies.count
        if count > 1 { frame.details.append(FrameLabel(". \(remedy + 1) of \(count)", role: .dim)) }
        if count > 0 {
            frame.details.append(FrameLabel(screen.focus == .why ? "Enter applies" : "X applies", role: .info))
        }
        if target != nil { frame.trailing = [FrameLabel("pinned, Esc unpins", role: .dim)] }
        return frame
    }

    // MARK: The questions

    private static var questionList: Pane<Self> {
        .rows(
            .questions, \.questions.rows.list,
            frame: { page in
                guard let name = page.questions.name else { return Frame("Questions") }
                return Frame(
                    "Questions", count: FrameLabel(Format.count(page.questions.rows.count)),
                    details: [FrameLabel(Self.name(of: name), role: .dim)])
            }, part: { Table([]).rowsArea(in: $0.questionRows(of: $1)) }
        ) { $0.drawQuestions(into: &$1, in: $2, $3, isFocused: $4) }
    }

    /// Returns the area of the table, below the line about a comparison.
    private func questionRows(of area: Rect) -> Rect {
        var rows = area.inset(columns: 1)
        if comparison != nil, mode == .comparison, rows.rows > 3 { _ = rows.takeTop(2) }
        return rows
    }

    private func drawQuestions(into surface: inout Surface, in area: Rect, _ theme: Theme, isFocused: Bool) {
        let inside = area.inset(columns: 1)
        guard questions.name != nil else {
            surface.put("Q  chooses a question set", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        let rows = questionRows(of: area)
        if let comparison, rows.row > inside.row {
            surface.put(comparison.line, at: inside.origin, theme: theme, width: inside.columns)
        }
        var columns = Columns<QuestionList.Row>(width: rows.columns, theme: theme)
        questions.addColumns(to: &columns)
        columns.draw(questions.rows.rows, questions.rows.list, into: &surface, in: rows, isFocused: isFocused)
    }
}
