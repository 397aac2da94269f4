import EvalLogs
import JSON
import LanguageModels
import Testing

@Suite("Logs of other programs")
struct ForeignLogTests {
    private func rows(_ log: any EvalLog) throws -> [EvalRow] { try log.rows(0..<1000) { false } }

    @Test("a folder of lm-eval holds a run a task, each document a sample with the scores of every filter")
    func lmEval() throws {
        let logs = try EvalLogFormats.open(EvalLogFixtures.path("lm-eval"))
        #expect(logs.map(\.run.task) == ["made_gen", "made_choice", "made_words"])
        #expect(logs.allSatisfy { $0.run.model == "dummy" && $0.run.format == "lm-eval" })
        let generated = try rows(logs[0])
        #expect(generated.count == 6 && logs[0].run.total == 6)
        #expect(generated.map(\.id).prefix(2) == ["0", "1"])
        #expect(Set(logs[0].run.scores.map(\.name)) == ["exact_match,strict", "exact_match,loose"])
        for (place, kind) in logs[0].run.scores.enumerated() {
            let metric = try #require(logs[0].run.metrics.first { $0.score == kind.name })
            #expect(abs(generated.map { $0.scores[place] }.reduce(0, +) / 6 - metric.value) < 1e-12)
        }
        let both = try logs[0].sample(3)
        #expect(both.scores.map(\.name) == logs[0].run.scores.map(\.name) && both.row.id == "3")
        #expect(generated[0].input == "What is 0+0?" && generated[0].answer == "[invalid]")
        #expect(Set(logs[0].run.metrics.map(\.name)) == ["exact_match,strict", "exact_match,loose"])
    }

    @Test("the mean of a choice's rows is the metric that lm-eval wrote, and the likelier choice the answer")
    func lmEvalChoices() throws {
        let logs = try EvalLogFormats.open(EvalLogFixtures.path("lm-eval"))
        let run = logs[1].run
        let rows = try rows(logs[1])
        for (place, kind) in run.scores.enumerated() {
            let metric = try #require(run.metrics.first { $0.score == kind.name })
            #expect(abs(rows.map { $0.scores[place] }.reduce(0, +) / 6 - metric.value) < 1e-12)
        }
        for row in rows {
            let sample = try logs[1].sample(row.index)
            #expect(sample.choices.contains(" " + row.answer))
            // acc is 1 if the generation is the target's choice.
            let label = try #require(Int(row.target))
            #expect((sample.choices[label] == " " + row.answer) == (row.outcome == .passed))
        }
    }

    @Test("a perplexity is neither passed nor failed, and its parts add up to the run's")
    func lmEvalPerplexity() throws {
        let logs = try EvalLogFormats.open(EvalLogFixtures.path("lm-eval"))
        let samples = try rows(logs[2]).map { try logs[2].sample($0.index) }
        #expect(samples.allSatisfy { $0.row.outcome == .scored && $0.answer == nil })
        let bits = try #require(logs[2].run.metrics.first { $0.score == "bits_per_byte,none" })
        let parts = samples.map { sample in sample.scores.first { $0.name == "bits_per_byte,none" }?.parts ?? [] }
        let likelihood = parts.reduce(0) { $0 + $1[0] }
        let bytes = parts.reduce(0) { $0 + $1[1] }
        #expect(abs(-likelihood / bytes / 0.693_147_180_559_945_3 - bits.value) < 1e-12)
    }

    @Test("a column of promptfoo is a run, an assertion a score, an API's error no failure")
    func promptfoo() throws {
        let logs = try EvalLogFormats.open(EvalLogFixtures.path("promptfoo.json"))
        #expect(logs.map(\.run.model) == ["openai:model-0", "openai:model-1"])
        for log in logs {
            let rows = try rows(log)
            #expect(rows.count == 8)
            let passed = rows.filter { $0.outcome == .passed }.count
            #expect(log.run.metrics.first { $0.name == "pass rate" }?.value == Double(passed) / 8)
            let tones = rows.compactMap { $0.scores[2].isNaN ? nil : $0.scores[2] }
            let mean = try #require(log.run.metrics.first { $0.score == "tone" })
            #expect(abs(tones.reduce(0, +) / Double(tones.count) - mean.value) < 1e-12)
        }
        let failed = try rows(logs[1])[5]
        #expect(failed.outcome == .error && failed.problem == "API error: 500")
        let sample = try logs[0].sample(0)
        #expect(sample.scores.map(\.name) == ["pass", "score", "tone", "contains #1", "tone #2"])
        #expect(sample.messages.map(\.role) == [.system, .user, .assistant])
        #expect(try logs[0].spans(of: 0).count == 2)
    }

    @Test("an attempt of garak is a row an output, which fails where a detector is hit")
    func garak() throws {
        let log = try EvalLogFixtures.log("garak.jsonl")
        #expect(log.run.model == "test Blank" && log.run.state == .done)
        let rows = try rows(log)
        // Two probes, four attempts with two outputs each, the last with a third that is missing.
        #expect(rows.count == 18)
        #expect(rows.filter { $0.outcome == .error }.count == 2)
        for metric in log.run.metrics {
            let detector = String(metric.name.split(separator: " ")[1])
            let values = try rows.filter { metric.name.hasPrefix($0.slices[0]) }.compactMap { row in
                try log.sample(row.index).scores.first { $0.name == detector }?.value
            }
            #expect(Double(values.filter { $0 >= 0.5 }.count) / 8 == metric.value, "\(metric.name)")
        }
        for row in rows where row.outcome != .error {
            #expect((row.outcome == .failed) == (row.scores[0] >= 0.5))
        }
    }

    @Test("events of OpenAI evals come together by their sample")
    func openAIEvals() throws {
        let log = try EvalLogFixtures.log("openai_evals.jsonl")
        #expect(log.run.name == "wheels.dev.v0" && log.run.model == "gpt-4")
        let rows = try rows(log)
        #expect(rows.map(\.id) == (0..<9).map { "wheels.dev.\($0)" })
        #expect(rows.allSatisfy { ($0.outcome == .passed) == ($0.answer == $0.target) })
        let accuracy = try #require(log.run.metrics.first)
        #expect(Double(rows.filter { $0.outcome == .passed }.count) / 9 == accuracy.value && accuracy.count == 9)
        #expect(try log.sample(2).messages.map(\.role) == [.system, .user, .assistant])
    }

    @Test("a file of lines that grows shows its new lines, and a half line only when it is whole")
    func growing() throws {
        let lines = try EvalLogFixtures.bytes(EvalLogFixtures.path("garak.jsonl"))
        let cut = lines.count / 2
        let file = try ScratchFile(Array(lines[..<cut]))
        let log = try #require(EvalLogFormats.open(file.path).first)
        let before = try rows(log).count
        #expect(before > 2 && before < 18)
        try file.write(Array(lines[cut...]), appending: true)
        #expect(try rows(log).count == 18)
    }

    @Test("numbers of samples that cannot be are not believed", arguments: ["-1", "1e30", "9223372036854775807"])
    func impossibleTotals(total: String) throws {
        let file = try ScratchFile(
            Array(
                (#"{"version":2,"status":"success","eval":{"task":"t","model":"m","config":{"epochs":1000000},"#
                    + #""dataset":{"samples":\#(total)}},"results":{"total_samples":\#(total),"#
                    + #""completed_samples":\#(total),"scores":[]},"samples":[]}"#).utf8))
        let run = try #require(try EvalLogFormats.open(file.path).first).run
        #expect((0...1 << 31).contains(run.total ?? 0) && (0...1 << 31).contains(run.completed))
    }

    @Test("a grade neither passes nor fails; right and wrong do")
    func grades() throws {
        func log(_ values: [String]) throws -> [EvalRow.Outcome] {
            let samples = values.enumerated().map { place, value in
                #"{"id":\#(place),"epoch":1,"input":"q","target":"t","scores":{"s":{"value":\#(value)}}}"#
            }.joined(separator: ",")
            let file = try ScratchFile(
                Array(
                    #"{"version":2,"status":"success","eval":{"task":"t","model":"m"},"samples":[\#(samples)]}"#.utf8))
            return try rows(try #require(try EvalLogFormats.open(file.path).first)).map(\.outcome)
        }
        #expect(try log(["3", "0.8", "1"]) == [.scored, .scored, .scored])
        #expect(try log(["1", "0", "null"]) == [.passed, .failed, .unscored])
        #expect(try log([#""C""#, #""P""#, #""I""#]) == [.passed, .failed, .failed])
    }

    @Test(
        "the error for a file that is not an evaluation log names its kind",
        arguments: [
            ("PK\u{3}\u{4}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "the file is a ZIP archive"),
            (#"{"resourceSpans":[]}"#, "the file is a trace (otlp), not an evaluation log"),
            (#"{"run_type":"llm"}"#, "the file is a LangSmith run"),
            ("name,score\na,1\n", "the text does not start with a JSON object"),
            ("", "the file is empty"),
            ("\u{1F}not gzip", "unknown binary format"),
        ])
    func unknown(text: String, problem: String) throws {
        let file = try ScratchFile(Array(text.utf8))
        let error = #expect(throws: EvalLogError.self) { try EvalLogFormats.open(file.path) }
        #expect(error?.problem.hasPrefix(problem) == true, "\(error?.sentence ?? "")")
        #expect(error?.remedy.isEmpty == false)
    }

    @Test("a format is known by what the file holds, not by its name")
    func recognition() throws {
        let names = [
            ("inspect_zstd.eval", "inspect"), ("inspect_run.json", "inspect"), ("promptfoo.json", "promptfoo"),
            ("garak.jsonl", "garak"), ("openai_evals.jsonl", "openai-evals"),
        ]
        for (name, format) in names {
            let file = try ScratchFile(try EvalLogFixtures.bytes(EvalLogFixtures.path(name)))
            #expect(try EvalLogFormats.open(file.path).first?.run.format == format)
            #expect(EvalLogFormats.title(of: format) != format)
        }
        #expect(EvalLogFormats.title(of: "inspect") == "an Inspect log")
    }
}
