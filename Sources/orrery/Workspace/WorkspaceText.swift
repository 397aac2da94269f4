import CommandSupport
import Console
import Formatting
public import JSON
import Traces
import Workbench
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
        var table = TextTable(["table", "rows", "bytes"], rightAligned: [1, 2])
        for each in info.tables {
            table.add([each.name, each.rows.text, each.bytes.map { Format.bytes(Int($0)) } ?? ""])
        }
        return lines.joined(separator: "\n") + "\n\n" + table.text
    }

    static func table(of jobs: [Job]) -> String {
        var table = TextTable(["job", "state", "done", "title"], rightAligned: [0, 2])
        for job in jobs {
            let share = job.stateWords != job.state.rawValue ? "" : job.doneWords
            table.add(["\(job.id)", job.stateWords, share, job.title + (job.error.map { ": \($0)" } ?? "")])
        }
        return table.text
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

extension Job: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("kind", kind)
            $0.member("title", title)
            $0.member("state", state.rawValue)
            $0.member("done", done)
            $0.member("total", ifPresent: total)
            $0.member("unit", unit)
            $0.member("error", ifPresent: error)
            write("arguments", arguments, to: &$0)
            write("result", result, to: &$0)
        }
    }

    /// Writes a member whose value is JSON text; invalid JSON is omitted.
    private func write(_ name: String, _ text: String?, to json: inout JSONWriter) {
        guard let document = text.flatMap({ try? JSONDocument(parsing: $0) }) else { return }
        document.withRoot { json.member(name, $0) }
    }
}
