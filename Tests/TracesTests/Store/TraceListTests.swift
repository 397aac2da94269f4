import LanguageModels
import Testing
import Traces
import Workspace

@Suite("Lists of runs")
struct TraceListTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    @Test("come in every order, forwards and backwards, ties by row", arguments: TraceOrder.Column.allCases)
    func orders(column: TraceOrder.Column) throws {
        var random = SplitMix(seed: 7)
        try store.insert((0..<200).map { RandomTrace.make($0, &random) })
        let all = try store.summaries(limit: 1_000)
        #expect(all.count == 200)
        for descending in [true, false] {
            let order = TraceOrder(column, isDescending: descending)
            let ids = try store.identifiers(by: order)
            #expect(Set(ids).count == 200)
            #expect(try store.summaries(by: order, limit: 50).map(\.id) == Array(ids.prefix(50)))
            #expect(try store.summaries(ids).map(\.id) == ids)
            let keys = try store.summaries(ids).map { key(of: $0, column) }
            // A cost that is not known is last both ways.
            let known = keys.filter { !$0.isUnknown }
            #expect(keys.prefix(known.count).elementsEqual(known))
            for (a, b) in zip(known, known.dropFirst()) { #expect(descending ? !(a < b) : !(b < a)) }
        }
    }

    private struct Key: Equatable {
        var number: Double
        var text: String
        var isUnknown = false

        static func < (a: Key, b: Key) -> Bool { (a.number, a.text) < (b.number, b.text) }
    }

    private func key(of run: TraceSummary, _ column: TraceOrder.Column) -> Key {
        switch column {
        case .start: Key(number: Double(run.start), text: "")
        case .duration: Key(number: Double(run.duration), text: "")
        case .tokens: Key(number: Double(run.usage.total), text: "")
        case .errors: Key(number: Double(run.errors), text: "")
        case .cost: Key(number: run.cost ?? 0, text: "", isUnknown: run.cost == nil)
        case .name: Key(number: 0, text: run.name.lowercased())
        }
    }

    @Test("know their totals")
    func totals() throws {
        var random = SplitMix(seed: 8)
        try store.insert((0..<50).map { RandomTrace.make($0, &random) })
        let all = try store.summaries()
        let totals = try store.totals()
        #expect(totals.runs == 50)
        #expect(totals.spans == all.reduce(0) { $0 + $1.spans })
        #expect(totals.tokens == all.reduce(0) { $0 + $1.usage.total })
        #expect(totals.errors == all.reduce(0) { $0 + $1.errors })
        let filter = try Filter(parsing: "errors>0")
        #expect(try store.totals(matching: filter).runs == all.count { $0.errors > 0 })
    }

    @Test("offer values for completion")
    func values() throws {
        var random = SplitMix(seed: 9)
        try store.insert((0..<20).map { RandomTrace.make($0, &random) })
        #expect(try Set(store.values(of: .model)).isSubset(of: Set(RandomTrace.models)))
        #expect(try Set(store.values(of: .name)).isSubset(of: Set(RandomTrace.names)))
        #expect(try store.values(of: .format) == ["made"])
        #expect(try store.values(of: .tokens).isEmpty)
    }

    @Test("find a run by row, whole id, name, or the beginning of an id")
    func find() throws {
        var traces: [Trace] = []
        for (id, name) in [("abc-111", "First"), ("abc-222", "Second"), ("abd", "abc-2"), ("deadbeef", "Second")] {
            var trace = Trace(summary: TraceSummary(externalID: id, format: "made"))
            trace.summary.name = name
            trace.spans = [Span(ordinal: 0, kind: .model, name: "m", start: 1, externalID: "1")]
            traces.append(trace)
        }
        try store.insert(traces)
        #expect(try store.find("#2").externalID == "abc-222")
        #expect(try store.find("abc-111").name == "First")
        #expect(try store.find("first").externalID == "abc-111")
        #expect(try store.find("abc-2").externalID == "abd", "a name goes before the beginning of an id")
        #expect(try store.find("abc-22").externalID == "abc-222")
        #expect(try store.find("DEAD").externalID == "deadbeef")
        for (reference, count) in [("ab", 3), ("second", 2), ("nobody", 0), ("#77", 0), ("", 0), ("%", 0)] {
            let error = #expect(throws: TraceReferenceError.self) { try store.find(reference) }
            #expect(error?.candidates.count == count, "\(reference)")
            #expect(error?.sentence.isEmpty == false)
        }
    }
}
