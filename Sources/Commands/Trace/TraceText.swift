import CommandSupport
import Console
import Formatting
import JSON
import LanguageModels
import Presentation
import System
import Traces

/// Prints a trace and its steps on standard output.
enum TraceText {
    static func printTree(of replay: Replay, store: TraceStore, filter: Filter, json: Bool) throws {
        let trace = replay.trace
        let wanted = try store.spans(matching: filter, in: trace)
        if json {
            var writer = JSONWriter(style: .pretty)
            writer.object {
                $0.member("trace", trace.summary)
                $0.member("spans", wanted.map { trace.spans[$0] })
            }
            return Output.result(writer.text)
        }
        let run = trace.summary
        Output.result(Printable.line(run.name))
        Output.result(
            "\(Format.timestamp(nanoseconds: run.start))  \(Format.duration(nanoseconds: Int(run.duration)))  \(run.tokenFigure) total "
                + "tokens  "
                + "\(run.cost == nil ? "no price" : run.costFigure)  "
                + "\(Format.count(run.errors)) \(run.errors == 1 ? "error" : "errors")")
        Output.result(
            [
                run.project.map { "project \(Printable.line($0))" },
                run.origin == .agent ? nil : "origin \(run.origin.name)",
            ]
            .compactMap(\.self).joined(separator: "  ") + "\n")
        let depth = depths(trace.spans)
        for ordinal in inTreeOrder(wanted, trace.spans) {
            let span = trace.spans[ordinal]
            let step = replay.step(of: ordinal).flatMap { replay.steps[$0] == ordinal ? "\($0 + 1)" : nil } ?? ""
            let sign = span.status == .error ? "✗" : " "
            let indent = String(repeating: "  ", count: min(20, depth[ordinal]))
            let time = span.duration.map { Format.duration(nanoseconds: Int($0)) } ?? ""
            let tail = span.status == .error ? "  " + (span.error ?? "failed") : span.caption.map { "  \($0)" } ?? ""
            let number = step.padded(to: 5, atBeginning: true)
            Output.result(
                Printable.line("\(number) \(sign) \(indent)\(span.kind.name) \(span.name)  \(time)\(tail)"))
        }
    }

    static func printStep(_ step: Int, of replay: Replay, store: TraceStore, json: Bool) throws {
        let export = TraceExport(replay, store: store)
        if json { return try export.write(span: replay.steps[step], as: .json) { Output.raw($0) } }
        Output.result("step \(step + 1) of \(replay.count)")
        try export.write(span: replay.steps[step], as: .markdown) { Output.raw(Printable.text($0)) }
        guard let breakdown = try store.context(at: step, of: replay) else { return Output.raw("\n") }
        Output.result(
            "\n\ncontext: \(Format.count(breakdown.total)) tokens\(breakdown.billed == nil ? ", estimated" : " billed")"
        )
        for part in ContextBreakdown.Part.allCases where breakdown[part] > 0 {
            let count = Format.count(breakdown[part]).padded(to: 10, atBeginning: true)
            let share = Format.percent(breakdown[part], of: breakdown.total).padded(to: 7, atBeginning: true)
            Output.result("  \(part.title.padded(to: 15)) \(count) \(share)")
        }
        Output.result(breakdown.note)
    }

    /// Returns spans below their parents, with siblings sorted by start.
    private static func inTreeOrder(_ wanted: [Int], _ spans: [Span]) -> [Int] {
        let isWanted = Set(wanted)
        let byStart = spans.indices.sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
        let children = Dictionary(grouping: byStart) { spans[$0].parent ?? -1 }
        var ordered: [Int] = []
        var waiting = Array((children[-1] ?? []).reversed())
        while let span = waiting.popLast() {
            if isWanted.contains(span) { ordered.append(span) }
            waiting += (children[span] ?? []).reversed()
        }
        return ordered
    }

    private static func depths(_ spans: [Span]) -> [Int] {
        var depth = [Int](repeating: 0, count: spans.count)
        for span in spans {
            var parent = span.parent
            while let next = parent, depth[span.ordinal] < 64 {
                depth[span.ordinal] += 1
                parent = spans[next].parent
            }
        }
        return depth
    }
}
