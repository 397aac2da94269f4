import CommandSupport
import Console
import Formatting
import Traces

extension ImportReport {
    /// Import counts and rates as a table and one line.
    var table: String {
        var table = TextTable(
            ["files", "traces", "spans", "messages", "tool calls", "input", "output", "errors", "skipped"],
            rightAligned: Set(0..<9))
        table.add([
            Format.count(files), Format.count(traces), Format.count(spans), Format.count(messages),
            Format.count(toolCalls), Format.compact(inputTokens), Format.compact(outputTokens), Format.count(errors),
            Format.count(skipped),
        ])
        var lines = [table.text, ""]
        var facts = ["\(Format.count(newTraces)) new traces, \(Format.count(newSpans)) new spans"]
        if unchangedFiles > 0 { facts.append("\(Format.count(unchangedFiles)) files unchanged") }
        if otherFiles > 0 { facts.append("\(Format.count(otherFiles)) other files ignored") }
        if seconds > 0, bytes > 0 {
            facts.append("\(Format.bytes(bytes)) in \(Format.duration(seconds: seconds))")
            facts.append(Format.rate(bytesPerSecond: Double(bytes) / seconds))
        }
        if traces == 0, files > unchangedFiles { facts.insert("no traces found", at: 0) }
        lines.append(facts.joined(separator: ", "))
        if isCancelled { lines.append("canceled: every file counted here was imported completely") }
        return lines.joined(separator: "\n")
    }
}
