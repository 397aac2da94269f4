internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces
internal import Workspace

/// The files that the panel writes.
extension EvalPanel {
    /// Asks for a file name for one run, or for a folder if several runs are marked.
    func askExportOfRuns() -> [Effect<EvalAnswer>] {
        let (entries, ids) = (chosen, chosen.map(\.id))
        guard entries.count > 1 else {
            guard let entry = entries.first else { return [] }
            let name = (Self.plainName(entry.title) ?? "samples") + ".jsonl"
            return [
                .fill(
                    FormRequest(export: "Export the run", name: name, endings: [".jsonl", ".csv"]) {
                        .line(.exportRuns(ids), $0)
                    })
            ]
        }
        let field = Form.Field(
            "folder", value: ".", allowed: "an existing folder",
            help: "Writes one .jsonl file per run. An existing file is never overwritten.", isPath: true)
        return [
            .fill(
                FormRequest(
                    "Export \(entries.count) marked runs", verb: "write", field, cancelled: EvalAnswer.lineCancelled
                ) { .line(.exportRuns(ids), $0) })
        ]
    }

    /// Writes all samples of some runs.
    ///
    /// - Parameter path: The file of a single run, or the folder of several.
    func export(_ ids: [Int64], to path: String) -> [Effect<EvalAnswer>] {
        let (desk, entries) = (desk, ids.compactMap { runs.entry($0) })
        return [
            .ask(key: "export") { cancellation in
                var count = 0
                for entry in entries {
                    let log = try entry.log ?? desk.log(entry.id)
                    let name = "\(Self.plainName(entry.title) ?? "run")-\(entry.id.magnitude).jsonl"
                    let file = entries.count > 1 ? "\(path)/\(name)" : path
                    count += try Self.write(EvalLogExport(log), to: file, until: cancellation)
                }
                let what = entries.count > 1 ? " of \(entries.count) runs" : ""
                return .written("\(Format.count(count)) samples\(what) written to \(path)")
            }
        ]
    }

    /// Writes the listed samples.
    func export(to path: String) -> [Effect<EvalAnswer>] {
        guard let open else { return [] }
        let export = EvalLogExport(open.log, only: open.shown.map { Set($0.lazy.map { Int($0) }) })
        return [
            .ask(key: "export") { cancellation in
                let count = try Self.write(export, to: path, until: cancellation)
                return .written("\(Format.count(count)) samples written to \(path)")
            }
        ]
    }

    /// - Returns: Number of samples written.
    private static func write(
        _ export: EvalLogExport, to path: String, until cancellation: Cancellation
    ) throws -> Int {
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
                    } catch { problem = error }
                }
            }
            if let problem { throw problem }
            try cancellation.check()
        }
        return count
    }
}

extension Cancellation {
    /// Runs a read of a log that ends early when it is canceled, which is not a failure of the log: no panel reports it.
    ///
    /// - Throws: `CancellationError` in place of the log's own error for a canceled read.
    package func during<Value>(_ read: (@escaping @Sendable () -> Bool) throws -> Value) throws -> Value {
        do { return try read { self.isCancelled } } catch let error as EvalLogError where error.isCancellation {
            throw CancellationError()
        }
    }
}
