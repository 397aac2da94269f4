import EvalLogs
import Evals
import JSON
import LanguageModels
import System
import TestFixtures
import Testing

@Suite("promptfoo's YAML")
struct PromptfooTaskTests {
    let folder = TemporaryFolder()
    private static let path = "Tests/EvalsTests/Goldens/tasks/promptfoo.yaml"

    @Test("each prompt becomes a task, and each test and value a sample")
    func file() throws {
        let tasks = try TaskFormats.load(Self.path)
        #expect(tasks.map { $0.settings.first?.value } == ["prompt 1", "chat"])
        #expect(tasks[0].format == "promptfoo" && tasks[0].epochs == 2)
        #expect(
            tasks[0].samples.map { $0.fields["country"]?.string } == ["France", "Peru", "Chile", "Japan", "Two\nlines"])
        #expect(tasks[0].samples[0].checks.map(\.kind) == ["refusal", "latency", "asserted", "check_set"])
        #expect(tasks[0].samples[0].checks.map(\.weight) == [1, 1, 3, 1])
        #expect(tasks[0].samples[0].checks.map(\.isNegated) == [true, false, false, false])
        #expect(tasks[0].samples[1].checks.map(\.kind) == ["check_set"])
        #expect(tasks[0].notes.count == 1)
        guard case .generation(let request) = tasks[1].samples[0].request,
            case .messages(let messages, _) = request.input
        else {
            Issue.record("no conversation")
            return
        }
        #expect(messages.map(\.role) == [.system, .user])
        #expect(AnnotatedSpans.text(messages[1]) == "Capital of France?")
        #expect(try PromptfooFormat.models(of: Self.path) == ["openai:gpt-4o-mini", "exec:./answer.py"])
    }

    private func value(_ assertion: String, _ answer: String) throws -> Double? {
        let path = folder.unique("p") + ".yaml"
        File.write("prompts: [x]\ntests:\n  - assert:\n      - \(assertion)\n", to: path)
        let task = try #require(try TaskFormats.load(path).first)
        let checks = try Scorers.make(ScorerChoice("checks"))
        return checks.score(
            Solution(answers: [answer], seconds: 0.5), of: task.samples[0], in: ScoringRoom()
        ).first?.value
    }

    @Test(
        "assertions pass and fail as in promptfoo",
        arguments: [
            ("{ type: equals, value: Paris }", "Paris", "paris"),
            ("{ type: icontains, value: PARIS }", "in paris", "Rome"),
            ("{ type: contains-all, value: 'a, b' }", "b a", "a"), ("{ type: contains-any, value: [x, y] }", "y", "z"),
            ("{ type: starts-with, value: He }", "Hello", "hello"), ("{ type: regex, value: '^\\d+$' }", "12", "a12"),
            ("{ type: is-json }", "{\"a\": 1}", "no {\"a\": 1}"), ("{ type: contains-json }", "no {\"a\": 1}", "no"),
            ("{ type: levenshtein, value: kitten, threshold: 3 }", "sitting", "something"),
            ("{ type: word-count, value: { min: 2, max: 3 } }", "a b", "a b c d"),
            ("{ type: is-refusal }", "I'm sorry, but I can't.", "Paris."),
            ("{ type: not-contains, value: Paris }", "Rome", "Paris"),
            ("{ type: rouge-n, value: the cat sat }", "the cat sat", "a dog"),
            ("{ type: assert-set, assert: [{ type: equals, value: a }, { type: not-equals, value: b }] }", "a", "b"),
        ])
    func assertions(assertion: String, passing: String, failing: String) throws {
        #expect(try value(assertion, passing) == 1)
        #expect(try value(assertion, failing) == 0)
    }

    @Test("unscored assertions never pass with not-", arguments: ["not-cost", "not-perplexity", "not-latency"])
    func negation(type: String) throws {
        let value = try value("{ type: \(type), threshold: 0.1 }", "x")
        if type == "not-latency" {
            #expect(value == 1)
        } else {
            #expect(type == "not-cost" ? value == 0 : value == nil)
        }
    }

    @Test(
        "code is an error with name and line",
        arguments: [
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: javascript\n        value: x\n", 4,
                "assertions of the type javascript are not supported"
            ),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: equlas\n        value: x\n", 4,
                "unknown assertion type equlas"
            ),
            (
                "prompts: [x]\nproviders:\n  - python:answer.py\ntests: []\n", 3,
                "providers of kind python: run code inside promptfoo, which is not supported"
            ),
            (
                "prompts:\n  - file://make.py\ntests: []\n", 2,
                "file://make.py is code, which is not supported as a prompt"
            ),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: equals\n        value: x\n        transform: output.trim()\n",
                6, "transform runs JavaScript or Python, which is not supported"
            ),
            (
                "prompts: [x]\nproviders:\n  - id: openai:chat:m\n    config:\n      apiHost: h\ntests: []\n", 5,
                "a provider's config.apiHost is not supported"
            ),
            ("prompts: [x]\nproviders: [echo]\ntests: []\n", 2, "the provider echo is not supported"),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: word-count\n        value:\n          mim: 3\n", 6,
                "mim in the value of word-count is not supported"
            ),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: trajectory:step-count\n        value:\n"
                    + "          max: 3\n          type: tool\n", 7,
                "type in the value of trajectory:step-count is not supported"
            ),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: trajectory:tool-used\n        value: {name: a, min: 2}\n",
                5, "min in the value of trajectory:tool-used is not supported"
            ),
            ("prompts: [x]\nenv:\n  A: b\ntests: []\n", 3, "env is not supported"),
            ("prompts: [x]\ntests:\n  - provider: openai:m\n", 3, "a test's provider is not supported"),
            (
                "prompts: [x]\ntests:\n  - options:\n      rubricPrompt: judge\n", 4,
                "options.rubricPrompt is not supported"
            ),
            (
                "prompts: [x]\ntests:\n  - assert:\n      - type: equals\n        value: x\n        provider: p\n", 6,
                "an assertion's provider is not supported"
            ),
            (
                "prompts: [x]\nevaluateOptions:\n  delay: 100\ntests: []\n", 3,
                "evaluateOptions.delay is not supported"
            ),
        ])
    func refused(text: String, line: Int, problem: String) {
        let path = folder.unique("p") + ".yaml"
        File.write(text, to: path)
        do {
            _ = try TaskFormats.load(path)
            Issue.record("it was read")
        } catch {
            #expect(error.subject.hasSuffix(", line \(line)"))
            #expect(error.what == problem)
        }
    }

    @Test("config, prefix, suffix, and concurrency become sampling, prompt, and setting")
    func taken() throws {
        let path = folder.unique("p") + ".yaml"
        File.write(
            """
            prompts: ["{{ q }}"]
            providers: [{ id: openai:chat:m, config: { temperature: 0.5, max_tokens: 7, stop: [x] } }]
            evaluateOptions: { maxConcurrency: 3 }
            tests: [{ vars: { q: b }, options: { prefix: "a ", suffix: " c" } }]
            """, to: path)
        let task = try #require(try TaskFormats.load(path).first)
        guard case .generation(let request) = task.samples[0].request else {
            Issue.record("no question")
            return
        }
        #expect(request.sampling == Sampling(temperature: 0.5, stop: ["x"], maximumTokens: 7))
        #expect(task.samples[0].request.inputText == "a b c")
        #expect(task.settings.contains { $0.name == "concurrency" && $0.value == "3" })
    }

    @Test("the error for a file that is not a task describes its contents")
    func unknown() {
        let path = folder.file("x.jsonl")
        File.write("{\"a\": 1}\n", to: path)
        do {
            _ = try TaskFormats.load(path)
            Issue.record("it was read")
        } catch {
            #expect(
                error.sentence == "\(path): the file is not a task but JSON, perhaps the data of a task. "
                    + "Supported formats: orrery, lm-eval, promptfoo and openai-evals.")
        }
    }
}
