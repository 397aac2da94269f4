import Console
import Traces

extension ImportReport {
    /// What an import did, for a person.
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
        if otherFiles > 0 { facts.append("\(Format.count(otherFiles)) other files passed over") }
        if seconds > 0, bytes > 0 {
            facts.append("\(Format.bytes(bytes)) in \(Format.duration(seconds: seconds))")
            facts.append(Format.rate(bytesPerSecond: Double(bytes) / seconds))
        }
        if traces == 0, files > unchangedFiles { facts.insert("no traces in what was read", at: 0) }
        lines.append(facts.joined(separator: ", "))
        if isCancelled { lines.append("ended early: the files that are counted are kept whole") }
        return lines.joined(separator: "\n")
    }
}
