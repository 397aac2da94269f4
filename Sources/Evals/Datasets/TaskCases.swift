internal import Glibc
package import JSON
package import System
internal import Traces
public import Workspace

/// Turns failures into cases of a task.
public enum TaskCases {
    /// Appends a model call, tool call, or search to a data file as a row (JSON Lines); a row with the same id is
    /// replaced.
    ///
    /// The write is atomic: the file is complete or unchanged.
    ///
    /// - Parameters:
    ///   - run: Number of the trace in the workspace.
    ///   - span: Ordinal of the call.
    ///   - target: Correct answer (default: the note at the span).
    ///   - path: Path of the data file, created if missing.
    /// - Returns: ID of the sample.
    @discardableResult
    public static func append(
        _ workspace: Workspace, run: Int64, span: Int, target: String? = nil, to path: String
    ) throws -> String {
        let spans = AnnotatedSpans(workspace)
        let note = try target ?? spans.note(of: run, span: span)
        guard let row = try spans.row(of: run, span: span, note: note), let id = row["id"]?.string else {
            throw Problem(
                .invalid, path, "span \(span) is not a model call, tool call, or search with recorded input",
                remedy: "Choose such a span among its descendants.")
        }
        try append(row, id: id, to: path)
        return id
    }

    /// Appends a row to a data file in the same way.
    package static func append(_ row: JSONValue, id: String, to path: String) throws(Problem) {
        var text = ""
        if ByteFile.exists(path) {
            try DataRows.read(path) { old throws(Problem) in
                if old.fields["id"]?.plainText != id { text += old.fields.json() + "\n" }
                return true
            }
        }
        text += row.json() + "\n"
        let other = path + ".new-\(getpid())"
        if let problem = write(Array(text.utf8), to: other) {
            unlink(other)
            throw Problem(.invalid, path, "the file cannot be written (\(problem))", remedy: "Check the folder.")
        }
        guard rename(other, path) == 0 else {
            let problem = String(cString: strerror(errno))
            unlink(other)
            throw Problem(.invalid, path, "the file cannot be written (\(problem))")
        }
    }

    /// Writes and syncs a file, and returns an error message; `nil` on success.
    private static func write(_ bytes: [UInt8], to path: String) -> String? {
        guard let file = fopen(path, "we") else { return String(cString: strerror(errno)) }
        let isWritten =
            bytes.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) } == bytes.count && fflush(file) == 0
            && fsync(fileno(file)) == 0
        let problem = isWritten ? nil : String(cString: strerror(errno))
        return fclose(file) == 0 ? problem : problem ?? String(cString: strerror(errno))
    }
}

extension AnnotatedSpans {
    /// Returns the note at a span; empty if there is none.
    func note(of run: Int64, span: Int) throws -> String { try notes(of: run).first { $0.span == span }?.note ?? "" }
}
