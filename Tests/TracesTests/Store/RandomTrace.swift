import LanguageModels
import Traces

/// Traces without texts, different for each seed and the same for the same one.
enum RandomTrace {
    static let names = ["Bash", "bash", "Read", "run bash", "ÜBER", "über", "plan", ""]
    static let models = ["claude-opus-4", "gpt-5", "Claude-Haiku"]
    static let errors = ["timeout after 5s", "Permission denied", "exit 1"]
    static let projects = ["/srv/a", "/srv/B", "service"]

    static func make(_ number: Int, _ random: inout SplitMix) -> Trace {
        var trace = Trace(summary: TraceSummary(externalID: "run-\(number)", format: "made"))
        trace.summary.name = random.pick(["Fix the test", "fix THE test", "Größe", "run \(number)"])
        trace.summary.project = random.chance(0.2) ? nil : random.pick(projects)
        trace.summary.origin = random.chance(0.5) ? .agent : random.pick(TraceOrigin.allCases)
        let start = 1_772_323_200_000_000_000 + Int64(random.next(5)) * 43_200_000_000_000
        for ordinal in 0..<random.next(7) {
            var span = Span(
                ordinal: ordinal, parent: ordinal == 0 ? nil : random.next(ordinal),
                kind: random.pick(SpanKind.allCases),
                status: random.pick(SpanStatus.allCases), name: random.pick(names),
                start: start + Int64(random.next(4)) * 1_000_000_000, externalID: "span-\(random.next(20))")
            if random.chance(0.8) { span.end = span.start + Int64(random.next(4)) * 500_000_000 }
            if random.chance(0.7) { span.model = random.pick(models) }
            if random.chance(0.7) {
                span.usage = Usage(input: random.next(4) * 500, cacheRead: random.next(3), output: random.next(3) * 500)
            }
            if random.chance(0.6) { span.cost = Double(random.next(4)) / 10 }
            if random.chance(0.4) { span.error = random.pick(errors) }
            trace.spans.append(span)
        }
        return trace
    }
}
