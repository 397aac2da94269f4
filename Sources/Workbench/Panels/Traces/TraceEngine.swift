internal import Console
internal import Evals
internal import Formatting
internal import System
internal import Traces
internal import Workspace

/// Operations of the traces page outside the UI thread.
package struct TraceEngine: Sendable {
    let store: TraceStore
    /// Path of the user's price table.
    let prices: String?
    let discovery: SessionDiscovery

    /// The run was deleted permanently while the list still showed it.
    private static let traceGone = Problem(
        .missing, "", "The run is no longer in the workspace", remedy: "Another program removed it.")

    /// Returns the sessions of coding agents that are not in the workspace.
    func newSessions() throws -> [DiscoveredSession] {
        try discovery.sessions().filter { try $0.isReadable && store.traces(fromFile: $0.path).isEmpty }
    }

    func open(_ trace: Int64, _ cancellation: Cancellation) throws -> OpenRun {
        guard let loaded = try store.trace(trace) else { throw Self.traceGone }
        try cancellation.check()
        let marks = try store.marks(of: trace).filter { $0.letter != nil }
        return OpenRun(Replay(loaded), marked: Set(marks.map(\.span)))
    }

    /// Returns the values that completion offers, by field.
    func filterWords() throws -> [FilterField: [String]] {
        Dictionary(uniqueKeysWithValues: try FilterField.allCases.map { ($0, try store.values(of: $0)) })
    }

    /// Returns completions of a filter for the word at its end.
    static func completions(of text: String, from words: [FilterField: [String]]) -> [String] {
        let typed = Array(text)
        let word = (typed.lastIndex(of: " ") ?? -1) + 1
        return Filter.completions(for: text, at: typed.count) { words[$0] ?? [] }
            .filter { $0.range.lowerBound >= word }
            .map { (String(typed[word..<$0.range.lowerBound]) + $0.replacement).trimmed }
    }

    func preview(of reference: Reference) throws -> Preview {
        guard let id = reference.path.first, let run = try store.summary(id) else {
            return .nothing("the run is no longer in the workspace")
        }
        let spans = Format.count(run.spans, "span")
        guard reference.kind == .span, reference.path.count > 1 else {
            return .shows("\(spans), \(Format.count(run.errors, "error"))")
        }
        return .shows("this span among the \(spans) of \(run.name.truncated(toColumns: 40))")
    }

    /// Imports files and folders.
    ///
    /// - Returns: `only`: the trace of a single file.
    func importTraces(_ paths: [String], _ job: JobHandle) throws -> (report: ImportReport, only: TraceSummary?) {
        let options = ImportOptions(prices: try prices.map { try PriceTable(contentsOf: $0) } ?? .builtIn)
        let report = try store.importTraces(paths, options: options, job: job)
        try store.finish(job, with: report)
        if report.isCancelled { throw CancellationError() }
        let traces = paths.count == 1 ? try store.traces(fromFile: paths[0]) : []
        return (report, traces.count == 1 ? traces[0] : nil)
    }

    /// Marks a span with the first free letter, unless it has one.
    ///
    /// - Returns: The message for the user.
    func mark(_ span: Int, of trace: Int64) throws -> String {
        let marks = try store.marks(of: trace)
        let own = marks.first { $0.span == span && $0.letter != nil }?.letter
        let taken = Set(marks.compactMap(\.letter))
        guard let letter = own ?? "abcdefghijklmnopqrstuvwxyz".first(where: { !taken.contains($0) }) else {
            throw Problem(
                .limit, "", "All 26 marks of this run are in use",
                remedy: "Press m on a marked step to remove its mark.")
        }
        if own == nil { try store.mark(letter, span: span, of: trace) }
        return "marked \(letter): ' returns here"
    }

    /// Removes the marks of a span.
    ///
    /// - Returns: The message for the user.
    func unmark(_ span: Int, of trace: Int64) throws -> String {
        for mark in try store.marks(of: trace) where mark.span == span {
            if let letter = mark.letter { try store.removeMark(letter, of: trace) }
        }
        return "mark removed"
    }

    // MARK: Exporting

    func markdown(ofSpan span: Int, in replay: Replay) throws -> String {
        var markdown = ""
        try TraceExport(replay, store: store).write(span: span, as: .markdown) { markdown += $0 }
        return markdown
    }

    /// Writes a span, or the whole run if there is none, to a file.
    func export(_ replay: Replay, span: Int?, to path: String, _ job: JobHandle) throws {
        let export = TraceExport(replay, store: store)
        let format = TraceExport.Format(path: path)
        try ExportFile.write(path, replacing: false) { output in
            if let span { return try export.write(span: span, as: format, to: output) }
            try export.writeRun(as: format, to: output) { _ in
                try job.advance(by: 1, of: Int64(replay.count), unit: "steps")
            }
        }
    }

    /// Writes each run to a file of its own in a folder.
    func export(_ runs: [TraceSummary], to folder: String, as format: String, _ job: JobHandle) throws {
        XDG.makeFolder(folder)
        for run in runs {
            guard let trace = try store.trace(run.id) else { throw Self.traceGone }
            // Row numbers are unique; beginnings of recorded identifiers may not be.
            let path = "\(folder)/run-\(run.id)-\(run.externalID.prefix(8)).\(format)"
            try ExportFile.write(path, replacing: false) { output in
                try TraceExport(Replay(trace), store: store)
                    .writeRun(as: TraceExport.Format(path: path), to: output)
            }
            try job.advance(by: 1, of: Int64(runs.count), unit: "runs")
        }
    }

    /// Appends a model call to a file of test cases, which a task reads with `[data] file`.
    ///
    /// - Returns: The message for the user.
    func addCase(span: Int, of trace: Int64, answer: String, to file: String) throws -> String {
        let id = try TaskCases.append(
            store.workspace, run: trace, span: span, target: answer.isEmpty ? nil : answer, to: file)
        return "added case \(id) to \(file)"
    }
}
