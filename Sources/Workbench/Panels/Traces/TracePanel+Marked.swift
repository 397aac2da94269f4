internal import Console
internal import Formatting
internal import Traces
internal import Workspace

/// Actions on several runs, marked in the list.
extension TracePanel {
    var isInList: Bool { pane == .runs || pane == .overview }

    /// The marked runs, if the list has the focus: no action reaches marks that another pane hides.
    var marked: [TraceSummary] { isInList ? runs.marked : [] }

    mutating func toggleRunMark() -> [Effect<TraceAnswer>] {
        runs.toggleMark()
        return []
    }

    /// `3 runs`, or the name of a single run.
    private var markedName: String {
        marked.count == 1
            ? Escape.printable(marked[0].name).truncated(toColumns: 40) : Format.count(marked.count, "run")
    }

    func askDeleteMarked() -> [Effect<TraceAnswer>] {
        // The title names a single run.
        let names = marked.count == 1 ? [] : marked.prefix(6).map { Escape.printable($0.name) }
        let them = marked.count == 1 ? "it" : "them"
        let others = marked.count > 6 ? ["and \(Format.count(marked.count - 6)) more"] : []
        return [
            .question(
                Question(
                    "Delete \(markedName)?", lines: names + others + ["Press u to restore \(them)."],
                    escape: "keep \(them)",
                    [.init("d", "delete \(markedName)", value: .delete(marked))]))
        ]
    }

    func askExportMarked() -> [Effect<TraceAnswer>] {
        let names = marked.map { Escape.printable($0.name) }.joined(separator: ", ").truncated(toColumns: 60)
        let form = Form(
            "Export \(markedName)", verb: "write",
            [
                .init(
                    "folder", value: "runs", help: "One file per run: \(names).", isPath: true,
                    check: { $0.trimmed.isEmpty ? "type a folder" : nil }),
                .init("format", value: "md", choices: ["md", "json"]),
            ])
        return [
            .fill(
                FormRequest(form) { values in
                    .exportMarked(folder: (values["folder"] ?? "").trimmed, format: values["format"] ?? "md")
                })
        ]
    }

    func exportMarked(to typed: String, as format: String) -> [Effect<TraceAnswer>] {
        let (store, runs, folder) = (store, runs.marked, PathCompletion.expanded(typed))
        return [
            .job(
                JobRequest("traces.export", title: "export \(Format.count(runs.count, "run"))") { job in
                    XDG.makeFolder(folder)
                    for run in runs {
                        guard let trace = try store.trace(run.id) else { throw TracePanel.traceGone }
                        // Row numbers are unique; beginnings of recorded identifiers may not be.
                        let path = "\(folder)/run-\(run.id)-\(run.externalID.prefix(8)).\(format)"
                        let export = TraceExport(Replay(trace), store: store)
                        try ExportFile.write(path, replacing: false) { output in
                            try export.writeRun(as: TraceExport.Format(path: path), to: output)
                        }
                        try job.advance(by: 1, of: Int64(runs.count), unit: "runs")
                    }
                    return .done("wrote \(Format.count(runs.count, "file")) to \(folder)")
                })
        ]
    }
}
