internal import Configuration
internal import Console
internal import Formatting
internal import Traces
internal import Workspace

extension TracePanel {
    /// Returns a prompt for a line with a purpose.
    func line(
        _ purpose: TraceAnswer.Line, _ label: String, text: String = "", isProposal: Bool = true,
        history: String? = nil, isLive: Bool = false,
        complete: @escaping @Sendable (String) -> [String] = { _ in [] }
    ) -> Prompt<TraceAnswer> {
        let live: @Sendable (String) -> TraceAnswer = { .lineChanged(purpose, $0) }
        return Prompt(
            label, text: text, isProposal: isProposal, history: history, complete: complete, live: isLive ? live : nil,
            cancelled: TraceAnswer.lineCancelled(purpose), accept: { .line(purpose, $0) })
    }

    /// Asks for a search: it filters runs, finds steps in a run, or finds text in the detail pane.
    func askSearch() -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs, .overview: askFilter(.runFilter, runs.filter.text)
        case .run, .context: askFilter(.search, run?.matches?.query ?? "")
        case .detail: [.prompt(line(.find, "find ", history: "find", isLive: true))]
        }
    }

    mutating func accept(_ purpose: TraceAnswer.Line, _ typed: String) -> [Effect<TraceAnswer>] {
        let typed = typed.trimmed
        switch purpose {
        case .runFilter: return filterRuns(typed)
        case .search: return search(typed)
        case .find:
            text.find(typed)
            return advanceText()
        case .rename: return rename(typed)
        case .importPath: return typed.isEmpty ? [] : importing([PathCompletion.expanded(typed)])
        case .exportStep: return export(to: typed, wholeRun: false)
        case .exportRun: return export(to: typed, wholeRun: true)
        case .caseAnswer(let file): return makeCase(typed, file)
        }
    }

    private mutating func filterRuns(_ typed: String) -> [Effect<TraceAnswer>] {
        do {
            runs.filter = try Filter(parsing: typed)
            return reloadRuns()
        } catch {
            return [.notify(error.sentence, .failure)] + askFilter(.runFilter, typed, isRefused: true)
        }
    }

    private mutating func search(_ typed: String) -> [Effect<TraceAnswer>] {
        guard let run else { return [] }
        guard !typed.isEmpty else {
            self.run?.clearMatches()
            text.find("")
            return []
        }
        do {
            let filter = try Filter(parsing: typed)
            let trace = run.trace
            let store = store
            return [
                .ask(key: "search") { cancellation in
                    let spans = try store.spans(matching: filter, in: trace, until: cancellation)
                    let scanned = try !filter.texts.isEmpty && store.textsWithoutIndex() > 0
                    return .found(spans, query: typed, scanned: scanned)
                }
            ]
        } catch {
            return [.notify(error.sentence, .failure)] + askFilter(.search, typed, isRefused: true)
        }
    }

    /// Asks for a filter. The current filter is a proposal that typing replaces; an invalid filter comes back for
    /// correction.
    private func askFilter(
        _ purpose: TraceAnswer.Line, _ text: String, isRefused: Bool = false
    ) -> [Effect<TraceAnswer>] {
        let store = store
        return [
            .prompt(
                line(
                    purpose, "/", text: text, isProposal: !isRefused, history: "filter",
                    complete: { FilterLine.completions(of: $0, store) }))
        ]
    }

    /// Shows the matches of a search and goes to the first match at or after the cursor.
    mutating func show(matches spans: [Int], query: String, scanned: Bool) -> [Effect<TraceAnswer>] {
        guard run != nil else { return [] }
        run?.show(matches: spans, of: query)
        text.find((try? Filter(parsing: query))?.texts.first ?? "")
        let how = scanned ? " (full scan: the text index is incomplete)" : ""
        guard !spans.isEmpty else { return [.notify("no match for \(query)\(how)", .warning)] }
        let said: Effect<TraceAnswer> = .notify(
            "\(Format.count(spans.count, "span")) found\(how): n and N step through them, f shows only matches")
        if let selected = run?.selected, run?.matches?.isMatch[selected] == true { return [said] + readStep() }
        return [said] + (run?.match(by: 1).map { go(to: $0) } ?? [])
    }

    // MARK: Rename, delete, undo

    func askRename() -> [Effect<TraceAnswer>] {
        guard let trace = subject else { return [] }
        return [
            .fill(
                FormRequest(
                    "Rename the run", verb: "rename", Form.Field("name", value: trace.name),
                    cancelled: TraceAnswer.lineCancelled(.rename)
                ) { .line(.rename, $0) })
        ]
    }

    /// Run under the cursor.
    private var subject: TraceSummary? {
        pane == .runs || pane == .overview ? runs.selected : run?.trace.summary ?? runs.selected
    }

    private func rename(_ name: String) -> [Effect<TraceAnswer>] {
        guard let trace = subject, !name.isEmpty else { return [] }
        let store = store
        return [
            .ask(key: "rename") { _ in
                let row = try store.rename(trace.id, to: name)
                return .changedRuns(OwnChange("renaming", of: trace.name, row: row), "renamed (u undoes it)")
            }
        ]
    }

    mutating func deleteRun() -> [Effect<TraceAnswer>] { subject.map { delete([$0]) } ?? [] }

    mutating func delete(_ deleted: [TraceSummary]) -> [Effect<TraceAnswer>] {
        let ids = deleted.map(\.id)
        if let open = run?.trace.summary.id, ids.contains(open) { closeRun() }
        runs.marked.removeAll { ids.contains($0.id) }
        let store = store
        return [
            .ask(key: "delete") { _ in
                let name = deleted.count == 1 ? deleted[0].name : Format.count(ids.count, "run")
                let change = OwnChange("deletion", of: name, row: try store.delete(ids))
                return .changedRuns(change, "deleted \(name) (u restores \(ids.count == 1 ? "it" : "them"))")
            }
        ]
    }

    mutating func closeRun() {
        run = nil
        reading = nil
        pane = .runs
        layoutPanes()
    }

    func undo() -> [Effect<TraceAnswer>] {
        guard let change = ownChanges.last else { return [] }
        let store = store
        return [.ask(key: "undo") { _ in .undone(change, try store.undo(only: change.row)) }]
    }

    // MARK: Copy and export

    func copy(_ action: TraceAction) -> [Effect<TraceAnswer>] {
        if action == .copy, let reading, !reading.copyText.isEmpty {
            return [.copy(reading.copyText, what: reading.copyName)]
        }
        guard action == .copyStep, let run, let span = run.selected else {
            return [.notify("no text to copy here", .warning)]
        }
        let export = TraceExport(run.replay, store: store)
        return [
            .ask(key: "copy") { _ in
                var markdown = ""
                try export.write(span: span, as: .markdown) { markdown += $0 }
                return .copied(markdown)
            }
        ]
    }

    func askExport(_ action: TraceAction) -> [Effect<TraceAnswer>] {
        guard let run else { return [] }
        let id = String(run.trace.summary.externalID.prefix(8))
        if action == .exportRun {
            return [
                .fill(
                    FormRequest(export: "Export the run", name: "run-\(id).md", endings: [".md", ".json"]) {
                        .line(.exportRun, $0)
                    })
            ]
        }
        let step = run.step.map { "\($0 + 1)" } ?? "0"
        return [
            .fill(
                FormRequest(export: "Export the step", name: "step-\(id)-\(step).md", endings: [".md", ".json"]) {
                    .line(.exportStep, $0)
                })
        ]
    }

    private func export(to typed: String, wholeRun: Bool) -> [Effect<TraceAnswer>] {
        guard let run, let span = run.selected, !typed.isEmpty else { return [] }
        let path = PathCompletion.expanded(typed)
        let export = TraceExport(run.replay, store: store)
        let steps = run.replay.count
        return [
            .job(
                JobRequest("traces.export", title: "export") { job in
                    try ExportFile.write(path, replacing: false) { output in
                        let format = TraceExport.Format(path: path)
                        guard wholeRun else { return try export.write(span: span, as: format, to: output) }
                        try export.writeRun(as: format, to: output) { _ in
                            try job.advance(by: 1, of: Int64(steps), unit: "steps")
                        }
                    }
                    return .done("written to \(path)")
                })
        ]
    }
}
