import LanguageModels
import Testing
import Traces

@Suite("Filters in memory and in SQL")
struct FilterTwinTests {
    @Test("memory and SQL select the same runs", arguments: 0..<6)
    func runs(seed: UInt64) throws {
        let fixture = try StoreFixture()
        var random = SplitMix(seed: seed)
        let ids = try fixture.store.insert((0..<60).map { RandomTrace.make($0, &random) })
        try fixture.store.delete([ids[0]])
        let traces = try ids.dropFirst().map { try #require(try fixture.store.trace($0)) }
        var answers = (none: 0, some: 0)
        for _ in 0..<150 {
            let filter = try Filter(parsing: Self.expression(&random, depth: 3))
            let expected = traces.filter { filter.matches($0) }.map(\.summary.id)
            let found = try fixture.store.identifiers(matching: filter, by: TraceOrder(.start)).sorted()
            #expect(found == expected, "\(filter.text)")
            #expect(try fixture.store.count(matching: filter) == expected.count)
            if expected.isEmpty { answers.none += 1 } else if expected.count < traces.count { answers.some += 1 }
        }
        #expect(answers.some > 30 && answers.none > 5, "some filters must select a part of the runs, and some none")
    }

    @Test("matching many spans at once equals matching each span")
    func oneByOne() throws {
        var random = SplitMix(seed: 99)
        for number in 0..<200 {
            let trace = RandomTrace.make(number, &random)
            let filter = try Filter(parsing: Self.expression(&random, depth: 2))
            let together = filter.matching(trace.spans, of: trace.summary) { $0.count > 2 ? [0, 2] : [] }
            let each = trace.spans.map { span in
                filter.matches(span, of: trace.summary) { $0.count > 2 && [0, 2].contains(span.ordinal) }
            }
            #expect(together == each, "\(filter.text)")
        }
    }

    /// Returns a random valid filter.
    private static func expression(_ random: inout SplitMix, depth: Int) -> String {
        switch depth == 0 ? 0 : random.next(6) {
        case 1: "not \(expression(&random, depth: depth - 1))"
        case 2: "(\(expression(&random, depth: depth - 1)) or \(expression(&random, depth: depth - 1)))"
        case 3, 4: "(\(expression(&random, depth: depth - 1)) \(expression(&random, depth: depth - 1)))"
        default: condition(&random)
        }
    }

    private static func condition(_ random: inout SplitMix) -> String {
        let comparison = random.pick([":", "=", "!=", "<", "<=", ">", ">="])
        let equality = random.pick([":", "=", "!="])
        switch random.next(14) {
        case 0: return "kind\(equality)\(random.pick(SpanKind.allCases).name)"
        case 1: return "status\(equality)\(random.pick(SpanStatus.allCases).name)"
        case 2: return "name\(equality)\(random.pick(["bash", "ead", "über", "\"run bash\"", "\"\""]))"
        case 3: return "model\(equality)\(random.pick(["opus", "claude", "gpt-5"]))"
        case 4: return "error\(equality)\(random.pick(["timeout", "denied", "\"exit 1\""]))"
        case 5: return "project\(equality)\(random.pick(["/srv", "/srv/b", "service"]))"
        case 6: return "id\(equality)\(random.pick(["span-1", "run-3", "run"]))"
        case 7:
            let field = random.pick(["tokens", "input", "output", "cached"])
            return "\(field)\(comparison)\(random.pick(["0", "1", "500", "1k", "1.5k"]))"
        case 8: return "cost\(comparison)\(random.pick(["0", "0.1", "20c"]))"
        case 9: return "duration\(comparison)\(random.pick(["0", "500ms", "1s", "0.001h"]))"
        case 10:
            let date = random.pick(["2026-03-01", "2026-03-02", "2026-03-01T12:00", "2026"])
            return "start\(comparison == "!=" ? ":" : comparison)\(date)"
        case 11: return "\(random.pick(["errors", "spans", "messages"]))\(comparison)\(random.next(5))"
        case 12: return "origin\(equality)\(random.pick(TraceOrigin.allCases).name)"
        default: return random.pick(["\"fix the\"", "bash", "größe", "denied", "\"no such text\""])
        }
    }
}
