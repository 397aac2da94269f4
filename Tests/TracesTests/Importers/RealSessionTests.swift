import Glibc
import LanguageModels
import Testing
import Traces

/// The files that come with the project's reference, where they are at hand.
private enum SharedTraces {
    static let folder = "../shared/data/traces"
    static let session = folder + "/claude-code/ae4a77f8-aedd-4bc1-888f-c94edc91af04.jsonl"
    static var isThere: Bool { access(session, R_OK) == 0 }
}

@Suite(
    "Real files",
    .enabled(if: SharedTraces.isThere, "the shared traces are not next to this checkout"))
struct RealSessionTests {
    private func read(_ path: String, withCompanions: Bool = true) throws -> (
        totals: TraceTotals, traces: [Trace], skipped: Int
    ) {
        var probe = try TraceSource(path: path, id: 0)
        let type = try TraceFormats.importer(of: try probe.head(), path: path)
        var importer = type.init()
        var assembly = TraceAssembly(format: type.format)
        var skipped = 0
        for (number, file) in ([path] + (withCompanions ? type.companions(of: path) : [])).enumerated() {
            var source = try TraceSource(path: file, id: Int64(number))
            try importer.read(&source, into: &assembly)
            skipped += source.skipped
        }
        let totals = assembly.traces.reduce(into: TraceTotals()) { $0 += TraceTotals(of: $1) }
        return (totals, assembly.traces, skipped)
    }

    @Test("the session has 217 model calls, not one per line, and 3 more in its sub-agent")
    func modelCalls() throws {
        let alone = try read(SharedTraces.session, withCompanions: false)
        #expect(alone.totals.modelCalls == 217)
        #expect(alone.traces[0].messages.filter { $0.role == .assistant }.count == 408)
        let whole = try read(SharedTraces.session)
        #expect(whole.totals.modelCalls == 220)
        #expect(whole.totals.toolCalls == 254)
        #expect(whole.totals.agents == 2)
        #expect(whole.totals.spans == 476)
        #expect(whole.totals.messages == 482)
        #expect(whole.totals.errors == 12)
        #expect(
            whole.totals.usage
                == Usage(input: 16_841_487, cacheRead: 16_582_902, cacheWrite: 255_935, output: 49_474))
        #expect(whole.totals.unpriced == 0)
        #expect(whole.skipped == 0)
    }

    @Test("its sub-agent lies below the call that started it, and its chains are whole")
    func shape() throws {
        let trace = try read(SharedTraces.session).traces[0]
        #expect(TraceInvariants.violation(in: trace) == nil)
        let agent = try #require(trace.span("agent:aac57f5"))
        let parent = try #require(agent.parent)
        #expect(trace.spans[parent].kind == .tool)
        #expect(trace.spans[parent].name == "Task")
        #expect(trace.spans.filter { $0.parent == agent.ordinal }.count == 3 + 12)
        #expect(trace.events.filter { $0.kind == .compaction }.count == 1)
        // Every result of a tool was read by some later call, parallel ones too, but for those before an end.
        var read: Set<Int> = []
        for call in trace.spans(.model) { read.formUnion(trace.conversation(to: call.inputHead)) }
        let unread = trace.messages.filter { $0.role == .tool && !read.contains($0.ordinal) }
        #expect(unread.isEmpty)
        #expect(trace.summary.name.hasPrefix("Work on bead spotter-4te."))
        #expect(trace.summary.project == "/home/USER/projects/spotter-worktrees/spotter-4te")
    }

    @Test(
        "small files have what an independent count finds",
        arguments: [
            ("claude-code/ccl_edge_cases.jsonl", [2, 4, 3, 2, 9, 12, 488, 435, 1, 3]),
            ("claude-code/ccl_representative_messages.jsonl", [1, 5, 2, 1, 8, 11, 218, 445, 0, 0]),
            ("claude-code/ccl_todowrite_examples.jsonl", [1, 6, 3, 1, 10, 11, 883, 328, 0, 0]),
            ("claude-code/contract_all_kinds_2.1.jsonl", [2, 5, 3, 3, 11, 11, 10, 5, 1, 0]),
            ("otlp/proto_examples_trace.json", [1, 0, 0, 0, 1, 0, 0, 0, 0, 0]),
            ("otlp/proto_examples_logs.json", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ])
    func counts(name: String, counts: [Int]) throws {
        let read = try read(SharedTraces.folder + "/" + name)
        let totals = read.totals
        #expect(
            [
                totals.traces, totals.modelCalls, totals.toolCalls, totals.agents, totals.spans, totals.messages,
                totals.usage.input, totals.usage.output, totals.errors, read.skipped,
            ] == counts)
    }
}
