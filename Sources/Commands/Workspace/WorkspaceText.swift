import CommandSupport
import Console
import Formatting
public import JSON
import Presentation
import Tables
import Traces
public import Workspace

/// Workspace contents as text.
enum WorkspaceText {
    static func table(of info: WorkspaceInfo, totals: ListTotals) -> String {
        let sources = info.tables.first { $0.name == "source" }?.rows.text ?? "0"
        var facts = [
            ("runs", Format.count(totals.runs)), ("spans", Format.count(totals.spans)), ("sources", sources),
            ("size", Format.bytes(Int(info.size + info.logSize))), ("file", info.path),
            ("free", Format.bytes(Int(info.freePages * Int64(info.pageSize)))), ("journal", info.journal.rawValue),
            ("schema", "generation \(info.generation), \(info.migrations.count) migrations"),
        ]
        for backup in info.backups { facts.append(("before update", backup)) }
        if let warning = info.logWarning { facts.append(("log", warning)) }
        for note in info.notes { facts.append(("note", note)) }
        let width = facts.map { $0.0.count }.max() ?? 0
        let lines = facts.map { name, value in name.padded(to: width + 2) + Escape.printable(value) }
        let table = Columns<WorkspaceInfo.Table> { table in
            table.text("table", \.name)
            table.text("rows", align: .right, \.rows.text)
            table.text("bytes", align: .right) { $0.bytes.map { Format.bytes(Int($0)) } ?? "" }
        }
        return lines.joined(separator: "\n") + "\n\n" + table.text(info.tables)
    }
}

extension WorkspaceInfo: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("path", path)
            $0.member("bytes", size)
            $0.member("log_bytes", logSize)
            $0.member("free_bytes", freePages * Int64(pageSize))
            $0.member("journal", journal.rawValue)
            $0.member("generation", generation)
            $0.member("migrations", migrations)
            $0.member("tables") { json in
                json.object { for table in tables { $0.member(table.name, table.rows.value) } }
            }
            $0.member("jobs") { json in
                json.object {
                    for (state, count) in jobs.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                        $0.member(state.rawValue, count)
                    }
                }
            }
            $0.member("backups", backups)
            $0.member("notes", notes)
        }
    }
}

extension Job: Tabular {
    static func columns(_ table: inout Columns<Job>) {
        table.text("job", json: "id", align: .right, \.id)
        table.member("kind", \.kind)
        table.member("title", \.title)
        table.member("state", \.state.rawValue)
        table.text("state", \.stateWords)
        table.text("done", align: .right) { $0.stateWords != $0.state.rawValue ? "" : $0.doneWords }
        table.text("title") { job in job.title + (job.error.map { ": \($0)" } ?? "") }
        table.member("done", \.done)
        table.member("total", ifPresent: \.total)
        table.member("unit", \.unit)
        table.member("error", ifPresent: \.error)
        table.write { write("arguments", $0.arguments, to: &$1) }
        table.write { write("result", $0.result, to: &$1) }
    }

    /// Writes a member whose value is JSON text; invalid JSON is omitted.
    private static func write(_ name: String, _ text: String?, to json: inout JSONWriter) {
        guard let document = text.flatMap({ try? JSONDocument(parsing: $0) }) else { return }
        document.withRoot { json.member(name, $0) }
    }
}
