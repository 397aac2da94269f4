import GRDB
import LanguageModels
import Testing
import Traces
import Workspace

@Suite("Origin and project of runs")
struct TraceOriginTests {
    private let fixture: StoreFixture
    private var store: TraceStore { fixture.store }

    init() throws { fixture = try StoreFixture() }

    private static func trace(
        _ id: String, _ kinds: SpanKind..., firstID: String = "1", service: String = "orrery", format: String = "otlp"
    ) -> Trace {
        var trace = Trace(summary: TraceSummary(externalID: id, format: format))
        trace.summary.project = service
        trace.spans = kinds.enumerated().map { place, kind in
            Span(
                ordinal: place, parent: place == 0 || kinds[0] == .model ? nil : 0, kind: kind, name: "s", start: 1,
                externalID: place == 0 ? firstID : "\(place)")
        }
        return trace
    }

    @Test("runs of an older workspace get the origin that their spans tell, agent where they tell none")
    func migration() throws {
        let path = fixture.folder + "/old.orrery"
        let old = try Workspace.open(path, migrations: [TraceStore.migrations[0]], create: true)
        try old.write { db in
            try db.execute(sql: "INSERT INTO word (id, text) VALUES (1, 'orrery'), (2, 'otlp'), (3, 'other')")
            // External id, project, and the spans as kind, parent, and id.
            let runs: [(String, Int, [(Int, Int?, String)])] = [
                ("agent", 1, [(1, nil, "a"), (2, 0, "b")]),
                ("retrieval", 1, [(9, nil, "0000000000000001"), (4, 0, "0000000000000002")]),
                ("eval", 1, [(9, nil, "a"), (2, 0, "b")]), ("chat", 1, [(2, nil, "a"), (2, nil, "b")]),
                ("foreign", 3, [(2, nil, "a")]), ("empty", 1, []),
            ]
            for (row, run) in runs.enumerated() {
                try db.execute(
                    sql: """
                        INSERT INTO trace (id, external_id, format, recorded_name, start, end, spans, model_calls,
                            tool_calls, messages, events, errors, input, cache_read, cache_write, output, reasoning,
                            unpriced, origin, message_rows)
                        VALUES (?, ?, 2, '', 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ?, 0)
                        """, arguments: [row + 1, run.0, run.2.count, run.1])
                for (ordinal, span) in run.2.enumerated() {
                    try db.execute(
                        sql: """
                            INSERT INTO span (trace, ordinal, parent, kind, status, name, start, external_id, records)
                            VALUES (?, ?, ?, ?, 0, 3, 0, ?, x'')
                            """, arguments: [row + 1, ordinal, span.1, span.0, span.2])
                }
            }
        }
        old.close()
        let new = TraceStore(try Workspace.open(path, migrations: TraceStore.migrations))
        defer { new.workspace.close() }
        let found = try new.summaries().reduce(into: [String: TraceSummary]()) { $0[$1.externalID] = $1 }
        #expect(
            found.mapValues(\.origin) == [
                "agent": .agent, "retrieval": .retrieval, "eval": .eval, "chat": .chat, "foreign": .agent,
                "empty": .agent,
            ])
        #expect(found["chat"]?.project == "orrery" && found["foreign"]?.project == "other")
    }

    @Test("a filter within origins keeps those runs, unless it names origins itself")
    func within() throws {
        var random = SplitMix(seed: 3)
        try store.insert((0..<120).map { RandomTrace.make($0, &random) })
        let all = try store.summaries(limit: 1_000)
        for text in ["", "errors>0", "kind:tool", "errors>0 name:fix"] {
            let filter = try Filter(parsing: text)
            let wide = Set(try store.identifiers(matching: filter))
            for origins in [Set([TraceOrigin.agent]), [.chat, .eval], Set(TraceOrigin.allCases), []] {
                let narrow = filter.within(origins)
                let expected = all.filter { wide.contains($0.id) && origins.contains($0.origin) }.map(\.id)
                #expect(try store.identifiers(matching: narrow) == expected, "\(text) \(origins)")
                #expect(try store.summaries(matching: narrow, limit: 1_000).map(\.id) == expected)
                #expect(try store.count(matching: narrow) == expected.count)
                #expect(try store.census(matching: narrow).count() == expected.count)
            }
            #expect(try store.identifiers(matching: filter.within(nil)).count == wide.count)
        }
        let own = try Filter(parsing: "origin:chat,eval")
        #expect(own.within([.agent]) == own)
        #expect(try Filter(parsing: "errors>0 (origin:chat or kind:tool)").namesOrigins)
    }

    @Test("a census counts runs by origin, and says whether they are of several projects")
    func census() throws {
        try store.insert([
            Self.trace("a", .agent, service: "one"), Self.trace("b", .agent, service: "one"),
        ])
        #expect(try store.census() == store.census(matching: Filter(parsing: "origin:agent")))
        #expect(try store.census().counts == [.agent: 2])
        #expect(try !store.census().hasSeveralProjects())
        var chat = Self.trace("c", .model, service: "two")
        chat.summary.origin = .chat
        try store.insert([chat])
        let census = try store.census()
        #expect(census.counts == [.agent: 2, .chat: 1])
        #expect(census.count(of: [.agent]) == 2 && census.count() == 3)
        #expect(census.hasSeveralProjects() && !census.hasSeveralProjects(of: [.agent]))
        #expect(try store.census(matching: Filter(parsing: "project:two")).counts == [.chat: 1])
        try store.delete(try store.identifiers(matching: Filter(parsing: "origin:chat")))
        #expect(try store.census().counts == [.agent: 2])
    }

    @Test("an import uses the given project even for known files, and growing files keep it")
    func project() throws {
        var session = MadeSession("s1", steps: 2)
        let path = try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        let id = try store.find("s1").id
        #expect(try store.summary(id)?.project == "/work")
        try store.importTraces([path], options: ImportOptions(project: "tides"))
        #expect(try store.summary(id)?.project == "tides")
        session.addStep(2)
        try fixture.write(session.text, to: "s1.jsonl")
        try store.importTraces([path])
        let grown = try #require(try store.summary(id))
        #expect(grown.project == "tides" && grown.toolCalls == 3)
        #expect(try store.values(of: .project) == ["tides"])
    }

    @Test("more of a run does not change what made it")
    func origin() throws {
        let trace = String(repeating: "a", count: 32)
        let first = try fixture.write(otlpLine(trace: trace, spans: [("01", nil, "ask")]), to: "1.json")
        try store.importTraces([first], options: ImportOptions(origin: .chat))
        let second = try fixture.write(otlpLine(trace: trace, spans: [("02", "01", "more")], at: 1), to: "2.json")
        try store.importTraces([second])
        let run = try #require(try store.summaries().first)
        #expect(run.origin == .chat && run.spans == 2)
    }

    @Test("an import that is taken up again has the project and origin that it was given")
    func resumed() throws {
        let path = try fixture.write(MadeSession("s2", steps: 1).text, to: "s2.jsonl")
        let options = ImportOptions(origin: .eval, project: "tides")
        let arguments = TraceStore.importArguments([path], options: options)
        #expect(arguments.contains(#""origin":"eval""#) && arguments.contains(#""project":"tides""#))
    }
}
