internal import Console
internal import Formatting
internal import LanguageModels
internal import System
internal import Traces
internal import Workspace

/// Importing, renaming, deleting, copying, and exporting.
extension TracePage {
    // MARK: Importing

    func askImport() -> Work<Self> {
        .browse(
            "Import a trace", .fileOrFolder,
            isExpected: { name in [".jsonl", ".json", ".ndjson"].contains { name.hasSuffix($0) } }
        ) { page, typed in
            typed.trimmed.isEmpty ? [] : page.importTraces([PathCompletion.expanded(typed.trimmed)])
        }
    }

    func importNewSessions() -> Work<Self> {
        read("new sessions") {
            try $0.newSessions()
        } then: { page, sessions in
            page.discovered = sessions
            return sessions.isEmpty
                ? .notify("no new coding agent sessions found", .warning) : page.importTraces(sessions.map(\.path))
        }
    }

    private func importTraces(_ paths: [String]) -> Work<Self> {
        let title = paths.count == 1 ? "import" : "import \(paths.count) sessions"
        return job(TraceStore.importJob, title: title, arguments: TraceStore.importArguments(paths)) {
            try $0.importTraces(paths, $1)
        } then: {
            $0.show($1.report, only: $1.only)
        } failed: { _, _ in
            .changed
        }
    }

    private mutating func show(_ report: ImportReport, only: TraceSummary?) -> Work<Self> {
        var parts: [String] =
            report.newSpans == 0
            ? ["nothing new in \(Format.count(report.files, "file"))"]
            : [Format.count(report.newTraces, "new trace"), Format.count(report.newSpans, "new span")]
        if report.skipped > 0 { parts.append("\(Format.count(report.skipped, "bad record")) skipped") }
        let problems = report.problems + report.foreignFiles
        let severity: Severity = report.skipped > 0 || !problems.isEmpty ? .warning : .success
        revealing = only?.id
        return [
            only.map { load(Loading(trace: $0.id)) } ?? [],
            .notify((parts + problems.prefix(1)).joined(separator: ", "), severity), .changed, .again("discover"),
            job(TraceStore.textIndexJob, title: "index") {
                try $0.store.indexText(job: $1)
            } then: { _, _ in
                []
            },
        ]
    }

    // MARK: Renaming and deleting

    func askRename() -> Work<Self> {
        guard let trace = subject else { return [] }
        return .value("Rename the run", verb: "rename", Form.Field("name", value: trace.name)) { page, name in
            guard !name.isEmpty else { return [] }
            return page.write {
                try $0.store.rename(trace.id, to: name)
            } then: { page, row in
                page.ownChanges += [OwnChange("renaming", of: trace.name, row: row)].compactMap(\.self)
                return [.notify("renamed (u undoes it)", .success), .changed]
            }
        }
    }

    mutating func delete(_ deleted: [TraceSummary]) -> Work<Self> {
        let ids = deleted.map(\.id)
        if let run, ids.contains(run.id) { closeRun() }
        runs.marked.removeAll { ids.contains($0.id) }
        return write {
            try $0.store.delete(ids)
        } then: { page, row in
            let name = deleted.count == 1 ? deleted[0].name : Format.count(ids.count, "run")
            page.ownChanges += [OwnChange("deletion", of: name, row: row)].compactMap(\.self)
            return [.notify("deleted \(name) (u restores \(ids.count == 1 ? "it" : "them"))", .success), .changed]
        } failed: { _, _ in
            .changed
        }
    }

    /// `3 runs`, or the name of a single run.
    private var markedName: String {
        marked.count == 1
            ? Escape.printable(marked[0].name).truncated(toColumns: 40) : Format.count(marked.count, "run")
    }

    func askDeleteMarked() -> Work<Self> {
        // The title names a single run.
        let names = marked.count == 1 ? [] : marked.prefix(6).map { Escape.printable($0.name) }
        let them = marked.count == 1 ? "it" : "them"
        let others = marked.count > 6 ? ["and \(Format.count(marked.count - 6)) more"] : []
        return .question(
            Question(
                "Delete \(markedName)?", lines: names + others + ["Press u to restore \(them)."],
                escape: "keep \(them)", [.init("d", "delete \(markedName)", value: marked)])
        ) { $0.delete($1) }
    }

    // MARK: Copying and exporting

    func copyText() -> Work<Self> {
        guard let reading, !reading.copyText.isEmpty else { return .notify("no text to copy here", .warning) }
        return .copy(reading.copyText, what: reading.copyName)
    }

    func copyStep() -> Work<Self> {
        guard let run, let span = run.selected else { return .notify("no text to copy here", .warning) }
        let replay = run.replay
        return read("copy") {
            try $0.markdown(ofSpan: span, in: replay)
        } then: { _, markdown in
            .copy(markdown, what: "the step")
        }
    }

    func askExport(wholeRun: Bool) -> Work<Self> {
        guard let run else { return [] }
        let id = String(run.trace.summary.externalID.prefix(8))
        let name = wholeRun ? "run-\(id).md" : "step-\(id)-\(run.step.map { "\($0 + 1)" } ?? "0").md"
        let title = wholeRun ? "Export the run" : "Export the step"
        return .export(title, name: name, endings: [".md", ".json"]) { page, path in
            guard let run = page.run, let span = run.selected, !path.isEmpty else { return [] }
            let replay = run.replay
            return page.job("traces.export", title: "export") {
                try $0.export(replay, span: wholeRun ? nil : span, to: path, $1)
            } then: { _, _ in
                [.notify("written to \(path)", .success), .changed]
            }
        }
    }

    func askExportMarked() -> Work<Self> {
        let names = marked.map { Escape.printable($0.name) }.joined(separator: ", ").truncated(toColumns: 60)
        let form = Form(
            "Export \(markedName)", verb: "write",
            [
                .init(
                    "folder", value: "runs", help: "One file per run: \(names).", isPath: true,
                    check: { $0.trimmed.isEmpty ? "type a folder" : nil }),
                .init("format", value: "md", choices: ["md", "json"]),
            ])
        return .form(form) { page, values in
            let folder = PathCompletion.expanded((values["folder"] ?? "").trimmed)
            let (runs, format) = (page.runs.marked, values["format"] ?? "md")
            return page.job("traces.export", title: "export \(Format.count(runs.count, "run"))") {
                try $0.export(runs, to: folder, as: format, $1)
            } then: { _, _ in
                [.notify("wrote \(Format.count(runs.count, "file")) to \(folder)", .success), .changed]
            }
        }
    }

    // MARK: Test cases

    /// Selected model call.
    var calledModel: Span? { run?.selectedSpan.flatMap { $0.kind == .model ? $0 : nil } }

    func askCase() -> Work<Self> {
        guard let trace = run?.id, let span = calledModel?.ordinal else { return [] }
        let form = Form(
            "Test case", verb: "add",
            [
                .init(
                    "file", value: "cases.jsonl", help: "Appends a row if the file exists.",
                    isPath: true,
                    check: { $0.trimmed.isEmpty || $0.trimmed.hasSuffix("/") ? "type a file name" : nil }),
                .init(
                    "correct answer", value: "", allowed: "empty for the step's note",
                    help: "The reply the model should have given."),
            ])
        return .form(form) { page, values in
            let file = PathCompletion.expanded((values["file"] ?? "").trimmed)
            let answer = (values["correct answer"] ?? "").trimmed
            return page.write {
                try $0.addCase(span: span, of: trace, answer: answer, to: file)
            } then: { _, sentence in
                [.notify(sentence, .success), .changed]
            }
        }
    }
}
