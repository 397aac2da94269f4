internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces
internal import Workspace

/// Files that the page writes.
extension EvalPage {
    /// Asks for the file of the listed samples or of one run, or for the folder of several marked runs.
    func askExport() -> Work<Self> {
        let entries = view == .runs ? chosen : []
        let title = view == .runs ? entries.first?.title : open.map { runs.title($0) }
        guard entries.count > 1 else {
            let name = (title.flatMap(Self.plainName) ?? "samples") + ".jsonl"
            return .export(
                "Export the \(view == .runs ? "run" : "samples")", name: name, endings: [".jsonl", ".csv"]
            ) { page, path in
                entries.isEmpty ? page.exportListed(to: path) : page.export(entries, to: path)
            }
        }
        let field = Form.Field(
            "folder", value: ".", allowed: "an existing folder",
            help: "Writes one .jsonl file per run. An existing file is never overwritten.", isPath: true)
        return .value("Export \(entries.count) marked runs", verb: "write", field) { page, path in
            path.isEmpty ? [] : page.export(entries, to: PathCompletion.expanded(path))
        }
    }

    /// Writes all samples of some runs.
    ///
    /// - Parameter path: File of a single run, or folder of several.
    private func export(_ entries: [EvalRunEntry], to path: String) -> Work<Self> {
        let isMany = entries.count > 1
        let total = entries.reduce(0) { $0 + $1.completed }
        let title = isMany ? "\(entries.count) runs" : entries.first?.title ?? "run"
        return export(title, of: total, to: path, what: isMany ? " of \(entries.count) runs" : "") { desk in
            try entries.map { entry in
                let name = "\(Self.plainName(entry.title) ?? "run")-\(entry.id.magnitude).jsonl"
                return (EvalLogExport(try entry.log ?? desk.log(entry.id)), isMany ? "\(path)/\(name)" : path)
            }
        }
    }

    private func exportListed(to path: String) -> Work<Self> {
        guard let open else { return [] }
        let export = EvalLogExport(open.log, only: open.shown.map { Set($0.lazy.map { Int($0) }) })
        return self.export(runs.title(open), of: open.count, to: path) { _ in [(export, path)] }
    }

    /// Writes files in a job. A read-only workspace has no jobs, so the export runs without progress there.
    private func export(
        _ title: String, of total: Int, to path: String, what: String = "",
        files: @escaping @Sendable (any EvalDesk) throws -> [(export: EvalLogExport, path: String)]
    ) -> Work<Self> {
        @Sendable func write(_ desk: any EvalDesk, _ job: JobHandle?) throws -> Int {
            try files(desk).reduce(0) { try $0 + Self.write($1.export, to: $1.path, of: total, job) }
        }
        func report(_ page: inout Self, _ count: Int) -> Work<Self> {
            .notify("\(Format.count(count)) samples\(what) written to \(path)", .success)
        }
        guard !isReadOnly else { return self.write({ try write($0, nil) }, then: report) }
        return job("evals.export", title: "export \(Escape.printable(title))", { try write($0, $1) }, then: report)
    }

    /// - Returns: Number of samples written.
    private static func write(
        _ export: EvalLogExport, to path: String, of total: Int, _ job: JobHandle?
    ) throws -> Int {
        let cancellation = job?.cancellation ?? Cancellation()
        // The first line is the header, not a sample.
        var count = -1
        try ExportFile.write(path, replacing: false) { write in
            var problem: (any Error)?
            try cancellation.during { isCancelled in
                try export.write(path.hasSuffix(".csv") ? .csv : .jsonLines, isCancelled: isCancelled) { bytes in
                    guard problem == nil else { return }
                    do {
                        try write(String(decoding: bytes, as: UTF8.self))
                        count += 1
                        try job?.advance(by: count > 0 ? 1 : 0, of: Int64(total), unit: "samples")
                    } catch { problem = error }
                }
            }
            if let problem { throw problem }
            try cancellation.check()
        }
        return count
    }

    /// Returns a run's name as a file name: `facts exec:./solve.py` becomes `facts-exec-solve.py`.
    static func plainName(_ name: String) -> String? {
        let parts = name.unicodeScalars.split {
            !($0.properties.isAlphabetic || "0123456789._".unicodeScalars.contains($0))
        }
        // Drop dots at either end: in `./`, they belong to the path.
        let words = parts.compactMap { part -> String? in
            guard let first = part.firstIndex(where: { $0 != "." }), let last = part.lastIndex(where: { $0 != "." })
            else { return nil }
            return String(part[first...last])
        }
        return words.isEmpty ? nil : words.joined(separator: "-")
    }
}
