import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import Sandbox
import System
import TestFixtures
import Testing

/// Code of a model, run in the sandbox.
struct CodeScorerTests {
    private static let problem = (
        prompt: "def return1():\n", test: "def check(candidate):\n    assert candidate() == 1", entry: "return1"
    )

    static func sample(_ prompt: String, _ test: String, _ entry: String) -> TaskSample {
        TaskSample(
            id: "t", request: .generation(ModelRequest(.text(prompt))),
            fields: .object([
                .init(key: "prompt", value: .string(prompt)), .init(key: "test", value: .string(test)),
                .init(key: "entry_point", value: .string(entry)),
            ]))
    }

    /// Reason why code cannot run on this machine; `nil` if it can.
    static let obstacle: String? = {
        do throws(Problem) { _ = try Sandbox() } catch { return error.sentence }
        return access("/usr/bin/python3", X_OK) == 0 ? nil : "the system has no python3"
    }()

    /// Returns a scorer; cancels the test if code cannot run.
    static func scorer(seconds: Double = 3) throws -> CodeScorer {
        if let obstacle { try Test.cancel("\(obstacle)") }
        return try CodeScorer(ScorerSettings([.init(key: "timeout", value: .number(seconds))]))
    }

    @Test("completions, whole functions, and fenced blocks pass; wrong, endless, and early exits fail")
    func answers() throws {
        let scorer = try Self.scorer()
        let sample = Self.sample(Self.problem.prompt, Self.problem.test, Self.problem.entry)
        func value(_ answer: String) -> Double? {
            scorer.score(Solution(answers: [answer]), of: sample, in: ScoringRoom()).first?.value
        }
        // The first six are the examples of the dataset.
        #expect(value("    import subprocess\n    subprocess.check_output('rm -rf tmp')") == 0)
        #expect(value("    import time\n    time.sleep(10)\n    return 1") == 0)
        #expect(value("    return input('enter a number')") == 0)
        #expect(value("    return 1") == 1)
        #expect(value("  return 1") == 1)
        #expect(value("\treturn 1") == 1)
        #expect(value("Here it is:\n```python\ndef return1():\n    return 1\n```\nIt returns 1.") == 1)
        #expect(value("```\nreturn 1\n```") == 1)
        #expect(value("def return1():\n    return 1") == 1)
        #expect(value("    import os\n    os._exit(0)") == 0, "a program that ends before its test has not passed it")
        #expect(value("    import sys\n    sys.exit(0)") == 0)
        #expect(value("    return 2") == 0)
        #expect(value("") == 0)
    }

    @Test("failures have a reason, and a row without fields is not scored")
    func reasons() throws {
        let scorer = try Self.scorer()
        let sample = Self.sample(Self.problem.prompt, Self.problem.test, Self.problem.entry)
        let failed = scorer.score(Solution(answers: ["    return 2"]), of: sample, in: ScoringRoom()).first
        #expect(failed?.explanation?.contains("AssertionError") == true)
        let slow = scorer.score(Solution(answers: ["    while True: pass"]), of: sample, in: ScoringRoom()).first
        #expect(slow?.label == "timed out")
        let empty = TaskSample(id: "t", request: .rolling("x"))
        let unjudged = scorer.score(Solution(answers: ["x"]), of: empty, in: ScoringRoom()).first
        #expect(unjudged?.value == nil)
        #expect(unjudged?.problem?.contains("entry_point") == true)
        #expect(throws: Problem.self) {
            try CodeScorer(ScorerSettings([.init(key: "language", value: .string("cobol"))]))
        }
    }

    @Test("a template is a complete program")
    func template() throws {
        _ = try Self.scorer()
        let scorer = try CodeScorer(
            ScorerSettings([.init(key: "template", value: .string("{code}\nassert f({test}) == {prompt}, {'a': 1}"))]))
        let sample = Self.sample("9", "3", "f")
        let scores = scorer.score(
            Solution(answers: ["```python\ndef f(x): return x * x\n```"]), of: sample, in: ScoringRoom())
        #expect(scores.first?.value == 1, "\(scores)")
    }

    @Test("every canonical solution of HumanEval passes, and an empty body fails")
    func humanEval() throws {
        let scorer = try Self.scorer(seconds: 20)
        guard let problems = Self.problems() else { try Test.cancel("HumanEval.jsonl.gz is missing") }
        #expect(problems.count == 164)
        var failed: [String] = []
        for problem in problems {
            let sample = Self.sample(
                problem["prompt"]?.string ?? "", problem["test"]?.string ?? "", problem["entry_point"]?.string ?? "")
            let answer = problem["canonical_solution"]?.string ?? ""
            let score = scorer.score(Solution(answers: [answer]), of: sample, in: ScoringRoom()).first
            if score?.value != 1 { failed.append("\(problem["task_id"]?.string ?? ""): \(score?.explanation ?? "")") }
        }
        #expect(failed.isEmpty, "\(failed)")
        var passed: [String] = []
        for problem in problems.prefix(40) {
            let sample = Self.sample(
                problem["prompt"]?.string ?? "", problem["test"]?.string ?? "", problem["entry_point"]?.string ?? "")
            let score = scorer.score(Solution(answers: ["    pass\n"]), of: sample, in: ScoringRoom()).first
            if score?.value != 0 { passed.append(problem["task_id"]?.string ?? "") }
        }
        #expect(passed.isEmpty, "\(passed)")
    }

    /// Returns the problems, decompressed by the system's gzip.
    private static func problems() -> [JSONValue]? {
        let path = "../shared/data/evals/humaneval/HumanEval.jsonl.gz"
        guard access(path, R_OK) == 0, let stream = popen("gzip -dc \(path)", "r") else { return nil }
        defer { pclose(stream) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 { bytes += chunk[..<count] }
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap {
            try? JSONValue(json: String(decoding: $0, as: UTF8.self))
        }
    }
}
