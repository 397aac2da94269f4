import EvalLogs
import JSON
import LanguageModels
import TestFixtures
import Testing
import Traces
import Workspace

/// The recorded runs among the sample data, of which it is known what was planted.
@Suite("Recorded runs")
struct RecordedEvalRunTests {
    private func log(_ name: String) throws -> any EvalLog {
        let folder = String(#filePath.dropLast("Tests/EvalLogsTests/RecordedEvalRunTests.swift".count))
        return try #require(EvalLogFormats.open(folder + "sample-data/evals/recorded/\(name).jsonl").first)
    }

    private func rows(_ log: any EvalLog) throws -> [EvalRow] { try log.rows(0..<1000) { false } }

    private func mean(_ rows: [EvalRow]) -> Double {
        let values = rows.map { $0.scores[0] }.filter { !$0.isNaN }
        return values.reduce(0, +) / Double(values.count)
    }

    @Test("half a point better as a whole, twenty-six points worse where the question holds a negation")
    func planted() throws {
        let (before, after) = (try rows(log("before")), try rows(log("after")))
        #expect(before.count == 300 && before.map(\.id) == after.map(\.id))
        #expect(before.filter { $0.outcome == .error }.isEmpty)
        #expect(
            after.filter { $0.outcome == .error && $0.problem?.hasPrefix("no answer within 60 s") == true }.count == 5)
        #expect(abs(mean(after) - mean(before) - 0.005) < 0.001)
        let negations = [before, after].map { rows in rows.filter { $0.slices[0] == "negation" } }
        #expect(negations.map(\.count) == [50, 50])
        #expect(abs(mean(negations[1]) - mean(negations[0]) + 0.26) < 1e-12)
        for kind in ["plain", "table", "two documents"] {
            #expect(mean(after.filter { $0.slices[0] == kind }) > mean(before.filter { $0.slices[0] == kind }))
        }
    }

    @Test("the figures in the head are those of the samples", arguments: ["before", "after"])
    func head(name: String) throws {
        let log = try log(name)
        let rows = try rows(log)
        #expect(log.run.metrics.map(\.score) == ["exact", "judge"] && log.run.total == rows.count)
        for (place, metric) in log.run.metrics.enumerated() {
            let values = rows.map { $0.scores[place] }.filter { !$0.isNaN }
            #expect(values.count == metric.count)
            #expect(abs(values.reduce(0, +) / Double(values.count) - metric.value) < 1e-12)
        }
        let unread = try rows.filter { row in
            try log.sample(row.index).scores.contains { $0.name == "judge" && $0.problem != nil }
        }
        #expect(unread.count == (name == "before" ? 4 : 5))
    }

    @Test("every sample records its steps, and its numbers are consistent", arguments: ["before", "after"])
    func samples(name: String) throws {
        let log = try log(name)
        for row in try rows(log) {
            let sample = try log.sample(row.index)
            let calls = sample.messages.flatMap(\.parts).compactMap {
                if case .toolCall(let call) = $0 { call.name } else { nil }
            }
            #expect(sample.steps.filter { $0.kind == .tool }.map(\.name) == calls)
            #expect((sample.failingStep == nil) == (row.outcome == .passed))
            if row.outcome == .passed { #expect(sample.scores[0].answer == sample.targets[0]) }
            if row.outcome == .failed { #expect(sample.scores[0].answer != sample.targets[0]) }
            #expect(!(try log.spans(of: row.index)).isEmpty)
        }
    }

    @Test("a broken sample becomes a trace whose failing span is the tool that failed")
    func trace() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(
            folder.file("test.orrery"), migrations: TraceStore.migrations, create: true)
        defer { workspace.close() }
        let store = TraceStore(workspace)
        let log = try log("after")
        let traced = try rows(log).filter { try log.sample($0.index).trace != nil }
        #expect(traced.count == 6)
        let traces = SampleTraces(workspace)
        for row in traced {
            let sample = try log.sample(row.index)
            let kept = try #require(try traces.trace(of: row.index, in: log))
            let spans = try store.spans(of: kept.summary.id)
            let failing = try #require(spans.first { $0.ordinal == kept.failingSpan })
            #expect(failing.kind == .tool && failing.status == .error)
            #expect(sample.failingStep.map { sample.steps[$0].name } == "read_section")
            #expect(kept.steps.allSatisfy { $0 != nil } && spans.count == sample.steps.count + 1)
            #expect(try traces.trace(of: row.index, in: log)?.summary.id == kept.summary.id)
        }
        // Others get their trace from their steps.
        let other = try #require(try rows(log).first { $0.outcome == .failed && !traced.contains($0) })
        let kept = try #require(try traces.trace(of: other.index, in: log))
        #expect(kept.steps.allSatisfy { $0 != nil })
        #expect(try traces.trace(of: other.index, in: log)?.summary.id == kept.summary.id)
    }
}
