internal import Console
internal import Formatting
internal import LanguageModels
internal import Traces
internal import Workspace

/// Overview of a run: question, answer, failures, models, and tools.
struct RunOverview: Sendable {
    /// A name with its text; entries without a name continue the previous entry.
    struct Entry: Sendable {
        var name: String
        var line: StyledLine
        /// Maximum number of rows if there is room for more than one per entry.
        var mostRows = 1
    }

    var trace: Int64
    private(set) var entries: [Entry] = []
    /// The run with the cursor at its first failed step, or its first step, for the waterfall.
    var run: OpenRun?

    /// Runs with more spans are read only when they are opened.
    private static let mostSpans = 20_000
    /// Maximum length of a question or an answer, in characters.
    private static let mostCharacters = 2_400
    private static let mostFailures = 8

    /// Reads the overview of a run.
    init(of summary: TraceSummary, store: TraceStore, cancellation: Cancellation) throws {
        trace = summary.id
        if let note = summary.note { add("note", note, .info, rows: 3) }
        guard summary.spans <= Self.mostSpans else {
            add("size", "\(Format.count(summary.spans)) spans: Enter opens them", .dim)
            return
        }
        guard let loaded = try store.trace(summary.id) else { return }
        try cancellation.check()
        let replay = Replay(loaded)
        let marks = try store.marks(of: summary.id)
        if let asked = try Self.question(of: replay, store) { add("asked", asked, rows: 8) }
        if let answered = try Self.answer(of: replay, store) { add("answered", answered, rows: 24) }
        try cancellation.check()
        addFailures(of: replay)
        addWork(of: replay)
        if let project = summary.project { add("project", project, .dim) }
        var open = OpenRun(replay, marked: Set(marks.filter { $0.letter != nil }.map(\.span)))
        if let first = replay.next(.error, after: -1).map({ replay.steps[$0] }) ?? replay.steps.first {
            open.select(span: first)
        }
        run = open
    }

    // MARK: Texts

    private static func question(of replay: Replay, _ store: TraceStore) throws -> String? {
        guard let step = replay.next(.model, after: -1) else { return nil }
        let messages = replay.context(at: step).messages
        guard let entry = messages.first(where: { $0.role == .user && !$0.marks.contains(.injected) }) else {
            return nil
        }
        return try text(of: entry, store)
    }

    private static func answer(of replay: Replay, _ store: TraceStore) throws -> String? {
        guard let step = replay.previous(.model, before: replay.count) else { return nil }
        let answers = replay.messages(of: replay.steps[step]).filter { $0.role == .assistant }
        return try answers.reversed().lazy.compactMap { try text(of: $0, store) }.first
    }

    private static func text(of entry: MessageEntry, _ store: TraceStore) throws -> String? {
        guard let message = try store.message(entry) else { return nil }
        let said = message.parts.compactMap { if case .text(let text) = $0 { text } else { nil } }
            .joined(separator: "\n").split(whereSeparator: \.isNewline).map { String($0).trimmed }.filter {
                !$0.isEmpty
            }
            .joined(separator: "\n")
        guard !said.isEmpty else { return nil }
        return said.count > mostCharacters ? said.prefix(mostCharacters) + "…" : said
    }

    // MARK: Figures

    private mutating func addFailures(of replay: Replay) {
        let failed = replay.steps.indices.filter { replay[$0].status == .error }
        for (index, step) in failed.prefix(Self.mostFailures).enumerated() {
            var line = StyledLine("step \(Format.count(step + 1))  ", .dim)
            line.append(SpanLabel(replay[step]).text, .failure)
            entries.append(Entry(name: index == 0 ? "failed" : "", line: line))
        }
        if failed.count > Self.mostFailures {
            add("", "\(Format.count(failed.count - Self.mostFailures)) more: press ]e to step through them", .dim)
        }
    }

    private mutating func addWork(of replay: Replay) {
        func counted(_ kind: SpanKind, _ name: (Span) -> String?) -> String {
            var counts: [String: Int] = [:]
            for span in replay.trace.spans where span.kind == kind { counts[name(span) ?? "unknown", default: 0] += 1 }
            return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
                .map { "\($0.key) \(Format.count($0.value))" }.joined(separator: ", ")
        }
        let summary = replay.trace.summary
        if summary.modelCalls > 0 { add("models", counted(.model) { $0.model }, .dim) }
        if summary.toolCalls > 0 { add("tools", counted(.tool) { $0.name }, .dim) }
        guard summary.usage.total > 0 else { return }
        let usage = summary.usage
        var parts = ["\(Format.compact(usage.input)) in", "\(Format.compact(usage.output)) out"]
        if usage.cacheRead > 0 {
            parts.insert("\(Format.percent(usage.cacheRead, of: usage.input)) cached", at: 1)
        }
        add("tokens", parts.joined(separator: ", "), .dim)
    }

    // MARK: Lines

    private mutating func add(_ name: String, _ text: String, _ role: Console.Role = .text, rows: Int = 1) {
        entries.append(Entry(name: name, line: StyledLine(text, role), mostRows: rows))
    }
}

/// Draws an overview: names on the left, texts to their right, and the waterfall of the run below.
struct RunOverviewView {
    var overview: RunOverview

    private static let nameColumns = 10

    func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        var text = area
        var time: Rect?
        if area.columns >= 130, area.rows > 4 {
            // Side by side if both fit.
            time = text.takeRight(area.columns / 2)
            _ = text.takeRight(2)
        }
        // Stacked otherwise: the waterfall gets two fifths of the rows if there are many.
        let rows = time == nil && overview.run != nil && text.rows >= 18 ? text.rows * 3 / 5 : text.rows
        let lines = lines(columns: text.columns, rows: rows)
        for (name, line) in lines {
            guard text.rows > 0 else { break }
            let row = text.takeTop(1)
            surface.put(name, at: row.origin, style: theme[.heading], width: Self.nameColumns - 1)
            surface.put(
                line, at: Point(column: row.column + Self.nameColumns, row: row.row), theme: theme,
                width: row.columns - Self.nameColumns)
        }
        if time == nil, text.rows > 4 {
            _ = text.takeTop(1)
            time = text
        }
        guard let time, let run = overview.run else { return }
        WaterfallView(run: run, isFocused: false).draw(into: &surface, in: time, theme: theme)
    }

    /// Returns as many rows of the entries as fit: first the first row of each, then the others.
    private func lines(columns: Int, rows: Int) -> [(name: String, line: StyledLine)] {
        let wrapped = overview.entries.map { entry in
            let all = Self.paragraphs(of: entry.line).flatMap {
                ProseLines.of($0, columns: max(1, columns - Self.nameColumns))
            }
            return all.count > entry.mostRows ? Self.cut(all, to: entry.mostRows) : all
        }
        var spare = rows - wrapped.count
        return zip(overview.entries, wrapped).flatMap { entry, all -> [(name: String, line: StyledLine)] in
            let more = min(max(0, spare), all.count - 1)
            spare -= more
            let shown = more + 1 < all.count ? Self.cut(all, to: more + 1) : all
            return shown.enumerated().map { ($0 == 0 ? entry.name : "", $1) }
        }
    }

    private static func paragraphs(of line: StyledLine) -> [StyledLine] {
        guard line.runs.count == 1, let run = line.runs.first else { return [line] }
        return run.text.split(separator: "\n").map { StyledLine(String($0), run.role) }
    }

    /// Returns the first lines, with an ellipsis if there are more.
    private static func cut(_ lines: [StyledLine], to count: Int) -> [StyledLine] {
        var shown = Array(lines.prefix(max(1, count)))
        shown[shown.count - 1].append(" …", .dim)
        return shown
    }
}
