internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces

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
        write { desk in
            try entries.reduce(0) { count, entry in
                let name = "\(Self.plainName(entry.title) ?? "run")-\(entry.id.magnitude).jsonl"
                let file = entries.count > 1 ? "\(path)/\(name)" : path
                return count + (try Self.write(EvalLogExport(entry.log ?? desk.log(entry.id)), to: file))
            }
        } then: { _, count in
            let what = entries.count > 1 ? " of \(entries.count) runs" : ""
            return .notify("\(Format.count(count)) samples\(what) written to \(path)", .success)
        }
    }

    private func exportListed(to path: String) -> Work<Self> {
        guard let open else { return [] }
        let export = EvalLogExport(open.log, only: open.shown.map { Set($0.lazy.map { Int($0) }) })
        return write { _ in
            try Self.write(export, to: path)
        } then: { _, count in
            .notify("\(Format.count(count)) samples written to \(path)", .success)
        }
    }

    /// - Returns: Number of samples written.
    private static func write(_ export: EvalLogExport, to path: String) throws -> Int {
        // The first line is the header, not a sample.
        var count = -1
        try ExportFile.write(path, replacing: false) { write in
            var problem: (any Error)?
            try export.write(path.hasSuffix(".csv") ? .csv : .jsonLines) { bytes in
                guard problem == nil else { return }
                do {
                    try write(String(decoding: bytes, as: UTF8.self))
                    count += 1
                } catch { problem = error }
            }
            if let problem { throw problem }
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
