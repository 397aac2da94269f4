import EvalLogs
import JSON
import LanguageModels
import Testing
import Traces

@Suite("Logs of Inspect")
struct InspectLogTests {
    /// A log, and the file with what Inspect itself reads in it.
    static let finished = [
        ("inspect_zstd.eval", "inspect_zstd.eval"), ("inspect_deflate.eval", "inspect_deflate.eval"),
        ("inspect_frames.eval", "inspect_zstd.eval"), ("inspect_run.eval", "inspect_run.eval"),
        ("inspect_run.json", "inspect_run.json"),
    ]

    @Test("every sample is what Inspect reads: texts, calls, scores, errors", arguments: finished)
    func samples(name: String, golden: String) throws {
        let log = try EvalLogFixtures.log(name)
        let expected = try EvalLogFixtures.lines(golden + ".expected.jsonl").dropLast()
        let rows = try log.rows(0..<1000) { false }
        #expect(rows.count == expected.count)
        for one in expected {
            let id = try #require(one["id"]?.string)
            let row = try #require(rows.first { $0.id == id && $0.epoch == one["epoch"]?.int })
            let sample = try log.sample(row.index)
            #expect(sample.input == one["input"]?.string)
            #expect((sample.answer ?? "") == (one["answer"]?.string ?? ""))
            #expect(sample.targets == one["targets"]?.elements?.compactMap(\.string))
            #expect((row.outcome == .error) == (one["error"]?.string != nil), "\(id)")
            let scores = one["scores"]?.members ?? []
            #expect(sample.scores.map(\.name) == scores.map(\.key))
            #expect(sample.scores.map(\.value) == scores.map { $0.value.double })
            let messages = one["messages"]?.elements ?? []
            #expect(sample.messages.map(\.role.name) == messages.map { $0["role"]?.string })
            for (ours, theirs) in zip(sample.messages, messages) where theirs["failed"]?.bool == false {
                #expect(text(ours) == theirs["text"]?.string)
                let calls = ours.parts.compactMap {
                    if case .toolCall(let call) = $0 { [call.id, call.name] } else { nil }
                }
                #expect(calls == theirs["calls"]?.elements?.compactMap { $0.elements?.compactMap(\.string) })
            }
        }
    }

    private func text(_ message: Message) -> String {
        message.parts.map { part in
            switch part {
            case .text(let text): text
            case .toolResult(let result): result.content
            default: ""
            }
        }.joined()
    }

    @Test("the recorded metrics are what the samples give", arguments: finished.map(\.0))
    func metrics(name: String) throws {
        let checks = try InspectMetrics.checks(try EvalLogFixtures.log(name))
        #expect(checks.count == (name.contains("run") ? 18 : 2))
        for check in checks { #expect(abs(check.recorded - check.recomputed) <= 1e-12, "\(check)") }
    }

    @Test(
        "of the shared logs too",
        .enabled(if: SharedEvalLogs.isThere, "the shared logs are not next to this checkout"),
        arguments: SharedEvalLogs.names)
    func sharedMetrics(name: String) throws {
        let log = try #require(EvalLogFormats.open(SharedEvalLogs.folder + name).first)
        let checks = try InspectMetrics.checks(log)
        #expect(checks.count == 2)
        for check in checks { #expect(abs(check.recorded - check.recomputed) <= 1e-12, "\(check)") }
        let row = try #require(try log.rows(0..<1) { false }.first)
        #expect(try !log.spans(of: row.index).isEmpty)
    }

    @Test("the head describes the run")
    func head() throws {
        let run = try EvalLogFixtures.log("inspect_run.eval").run
        #expect(run.task == "wheels")
        #expect(run.model == "mockllm/model")
        #expect(run.state == .done)
        #expect(run.total == 15 && run.completed == 15)
        #expect(run.scores.map(\.name) == ["match", "quality/length", "quality/style"])
        #expect(run.slices == ["kind"])
        let accuracy = try #require(run.metrics.first { $0.name == "accuracy (mean)" })
        let error = try #require(accuracy.standardError)
        #expect(abs(error - 1.0 / 12) < 1e-12)
        #expect(!run.metrics.contains { $0.name.hasPrefix("stderr") })
        #expect(run.settings.contains(EvalSetting("solver", "fails_at, use_tools, generate")))
    }

    @Test(
        "a log without its header goes on as long as it is young, its rows from the journal",
        arguments: [(0, EvalRun.State.running), (3600, .unfinished)])
    func unfinished(age: Int, state: EvalRun.State) throws {
        let file = try ScratchFile(try EvalLogFixtures.bytes(EvalLogFixtures.path("inspect_unfinished.eval")))
        try file.age(seconds: age)
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(log.run.state == state)
        #expect(log.run.total == 12)
        let rows = try log.rows(0..<100) { false }
        #expect(rows.map(\.index) == Array(0..<rows.count))
        #expect(rows.count == log.run.completed && rows.count > 5)
        #expect(try log.sample(3).row.id == rows[3].id)
    }

    @Test("a log that is written on is read on", arguments: [0, 3600])
    func growing(age: Int) throws {
        let file = try ScratchFile(try EvalLogFixtures.bytes(EvalLogFixtures.path("inspect_unfinished.eval")))
        try file.age(seconds: age)
        let log = try #require(EvalLogFormats.open(file.path).first)
        #expect(log.run.state != .done)
        try file.write(try EvalLogFixtures.bytes(EvalLogFixtures.path("inspect_zstd.eval")))
        #expect(log.run.state == .done)
        #expect(try log.rows(0..<100) { false }.count == 24)
    }

    @Test("only a sample that did not pass has a step at which it went wrong")
    func failingSteps() throws {
        let log = try EvalLogFixtures.log("inspect_zstd.eval")
        let rows = try log.rows(0..<100) { false }
        #expect(rows.contains { $0.outcome == .passed } && rows.contains { $0.outcome == .failed })
        for row in rows {
            let step = try log.sample(row.index).failingStep
            #expect((step == nil) == (row.outcome != .failed && row.outcome != .error), "\(row.id)")
        }
    }

    @Test("a cut log ends with a sentence that names the file")
    func cut() throws {
        let bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path("inspect_zstd.eval"))
        let file = try ScratchFile(Array(bytes[..<(bytes.count / 2)]))
        let error = #expect(throws: EvalLogError.self) { try EvalLogFormats.open(file.path) }
        #expect(
            error?.sentence == file.path
                + ": the ZIP archive has no central directory. The file is truncated or still being "
                + "written. Open it again later.")
    }

    @Test("an entry that says it has ten gigabytes is refused before it takes memory")
    func bomb() throws {
        var bytes = try EvalLogFixtures.bytes(EvalLogFixtures.path("inspect_deflate.eval"))
        // The sizes of every sample in the directory become 4 GB less two.
        var place = 0
        var changed = 0
        while place + 46 < bytes.count {
            if bytes[place...].starts(with: [0x50, 0x4B, 1, 2]), bytes[(place + 46)...].starts(with: "samples/".utf8) {
                bytes.replaceSubrange((place + 24)..<(place + 28), with: [0xFE, 0xFF, 0xFF, 0xFF])
                changed += 1
            }
            place += 1
        }
        #expect(changed == 12)
        let log = try log(of: bytes)
        let error = #expect(throws: EvalLogError.self) { try log.sample(0) }
        #expect(error?.problem == "the entry decompresses to 4095 MiB, above the 256 MiB limit")
    }

    /// A log of these bytes, which is open and needs its file's name no longer.
    private func log(of bytes: [UInt8]) throws -> any EvalLog {
        let file = try ScratchFile(bytes)
        return try withExtendedLifetime(file) { try #require(EvalLogFormats.open(file.path).first) }
    }

    @Test("the trace of a sample has its calls under their solver, with messages, tokens and what failed")
    func spans() throws {
        let log = try EvalLogFixtures.log("inspect_zstd.eval")
        // The tool of sample 3 fails; tokens read there are 100 + 3 and 3 from the cache.
        let index = try #require(try log.rows(0..<24) { false }.firstIndex { $0.id == "4" })
        let trace = try Trace(spans: try log.spans(of: index))
        #expect(trace.summary.externalID == (try log.sample(index).trace))
        #expect(trace.spans.map(\.kind) == [.agent, .chain, .model, .tool, .model, .evaluator])
        let calls = trace.spans(.model)
        #expect(calls.map { $0.usage?.input } == [106, 106])
        #expect(calls.map { $0.usage?.cacheRead } == [3, 3])
        let tool = try #require(trace.spans(.tool).first)
        #expect(tool.status == .error)
        #expect(calls.allSatisfy { $0.parent == tool.parent })
        // The second call's input is the first call's input, generation, and results, after the tools' definitions.
        let read = trace.conversation(to: calls[1].inputHead).map { trace.messages[$0] }.filter { $0.index >= 0 }
        #expect(read.map(\.role) == [.system, .user, .assistant, .tool])
        #expect(try log.sample(index).failingStep == 1)
        #expect(try log.spans(of: index) == log.spans(of: index))
    }

    @Test("a log without events has a trace of its conversation")
    func oldLog() throws {
        let text = """
            {"version": 1, "status": "success", "eval": {"task": "old", "model": "m", "created": "2024-01-01T00:00:00Z"},
             "samples": [{"id": 1, "epoch": 1, "input": "How?", "target": "so", "output": {"model": "m"},
              "messages": [{"role": "user", "content": "How?"}, {"role": "assistant", "content": "So."}],
              "scores": {"match": {"value": NaN}}}]}
            """
        let log = try log(of: Array(text.utf8))
        #expect(try log.rows(0..<5) { false }.map(\.outcome) == [.unscored])
        let trace = try Trace(spans: try log.spans(of: 0))
        #expect(trace.spans.map(\.kind) == [.agent, .model])
        #expect(trace.spans(.model).first?.inputHead != nil)
    }

    @Test("tokens without a recorded cost are priced as in traces, and unknown models are not")
    func prices() throws {
        func log(_ usage: String) throws -> EvalRun {
            let text = """
                {"version": 1, "status": "success", "eval": {"task": "priced", "model": "openai/gpt-4o-mini"},
                 "stats": {"model_usage": {\(usage)}}, "samples": [{"id": 1, "epoch": 1, "input": "How?", "target": ""}]}
                """
            return try self.log(of: Array(text.utf8)).run
        }
        let priced = try log(#""openai/gpt-4o-mini": {"input_tokens": 620, "output_tokens": 20}"#)
        #expect(abs((priced.cost ?? 0) - 0.000105) < 1e-12 && priced.isCostEstimated)
        let told = try log(#""m": {"input_tokens": 620, "output_tokens": 20, "total_cost": 0.5}"#)
        #expect(told.cost == 0.5 && !told.isCostEstimated)
        let unknown = try log(#""m": {"input_tokens": 620, "output_tokens": 20}"#)
        #expect(unknown.cost == nil && !unknown.isCostEstimated)
    }
}

/// Logs that come with the project's reference, where they are at hand.
enum SharedEvalLogs {
    static let folder = "../shared/data/traces/inspect/"
    static let names = ["metr_class_eval_gpt5nano.eval", "popularity_2025-02.eval"]
    static var isThere: Bool { (try? EvalLogFormats.open(folder + names[0])) != nil }
}
