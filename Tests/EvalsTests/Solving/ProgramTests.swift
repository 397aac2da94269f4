import EvalLogs
import Evals
import Glibc
import JSON
import LanguageModels
import ModelLab
import Synchronization
import System
import TestFixtures
import Testing
import Traces
import Workspace

/// Solvers and scorers that are user programs.
struct ProgramTests {
    private static let sample = TaskSample(
        id: "s1", request: .generation(ModelRequest(.messages([Message(.user, [.text("6 x 7?")])], tools: []))),
        targets: ["42"], fields: .object([.init(key: "question", value: .string("6 x 7?"))]))

    /// Creates a program in a folder that is deleted with the test.
    private static func script(_ text: String, in folder: TemporaryFolder, _ name: String = "program") -> [String] {
        let path = folder.file(name)
        File.write(text, to: path)
        return ["/usr/bin/python3", "-u", path]
    }

    @Test("a solver gets and returns one line per sample, and starts once")
    func solver() throws {
        let folder = TemporaryFolder()
        let words = Self.script(
            """
            import json, os, sys
            for line in sys.stdin:
                sample = json.loads(line)
                print('working on', sample['id'], file=sys.stderr)
                print(json.dumps({'answer': f"{sample['input']} {os.getpid()} {'targets' in sample} {sample['seed']}",
                                  'usage': {'input_tokens': 3, 'output_tokens': 2},
                                  'steps': [{'tool': 'calc', 'arguments': {'x': 1}, 'result': 42}]}))
            """, in: folder)
        let solver = ProgramSolver(words)
        let first = try solver.solve(Self.sample, SolvingAttempt(seed: 8))
        let second = try solver.solve(Self.sample, SolvingAttempt(seed: 8))
        #expect(first.answer == second.answer, "the same process answers both")
        #expect(first.answer.hasPrefix("6 x 7? "))
        #expect(first.answer.hasSuffix(" False 4"))
        #expect(first.usage == Usage(input: 3, output: 2))
        #expect(first.standardError == "working on s1\n")
        guard case .tool(let tool) = first.steps.first else {
            Issue.record("no tool")
            return
        }
        #expect(tool.call.name == "calc")
        #expect(tool.call.arguments == #"{"x":1}"#)
        #expect(tool.result.content == "42")
        #expect(solver.name.hasPrefix("exec:/usr/bin/python3 -u "))
    }

    @Test("a program that ends is restarted, and given up after several times in a row")
    func restarts() throws {
        let folder = TemporaryFolder()
        let counter = folder.file("count")
        let words = Self.script(
            """
            import os, sys
            with open('\(counter)', 'a') as file: file.write('x')
            for number, line in enumerate(sys.stdin):
                if 'die' in line: print('last words', file=sys.stderr); os._exit(3)
                print('{"answer": "alive"}')
            """, in: folder)
        let pool = ProgramPool(words, instances: 1, limits: ProgramLimits(seconds: 10, failures: 4))
        #expect(try pool.ask({ _ in Array("live".utf8) }).value["answer"]?.string == "alive")
        #expect {
            try pool.ask({ _ in Array("die".utf8) })
        } throws: { error in
            (error as? ProgramError)?.problem
                == "the program exited with status 3 before answering, and again on a second attempt: last words"
        }
        #expect(try pool.ask({ _ in Array("live".utf8) }).value["answer"]?.string == "alive")
        for _ in 0..<10 { _ = try? pool.ask({ _ in Array("die".utf8) }) }
        // The start, one after the first end, one for the line that works, and two for each of four lines, the
        // first of which begins with the existing instance.
        #expect((File.text(counter) ?? "").count == 10)
        #expect {
            try pool.ask({ _ in Array("live".utf8) })
        } throws: { ($0 as? ProgramError)?.problem.contains("in a row") == true }
    }

    @Test(
        "a line is retried once after a crash, by a new instance; an idle instance that ended does not count")
    func crashesOnce() throws {
        let folder = TemporaryFolder()
        let words = Self.script(
            """
            import os, sys
            for line in sys.stdin:
                if 'crash' in line and not os.path.exists('\(folder.file("mark"))'):
                    open('\(folder.file("mark"))', 'w'); os.kill(os.getpid(), 9)
                print('{"answer": "alive"}')
                if 'last' in line: sys.exit(0)
            """, in: folder)
        let pool = ProgramPool(words, instances: 1, limits: ProgramLimits(seconds: 10, failures: 1))
        for line in ["crash", "last", "last", "live"] {
            #expect(try pool.ask({ _ in Array(line.utf8) }).value["answer"]?.string == "alive")
        }
    }

    @Test("output before a crash is stored, and the run ends after several samples in a row without an answer")
    func crashes() throws {
        let folder = TemporaryFolder()
        let words = Self.script("import sys\nsys.stderr.write('one\\ntwo\\n')\nsys.exit(9)\n", in: folder)
        let solver = ProgramSolver(words, limits: ProgramLimits(seconds: 10, failures: 2))
        let said = Mutex<[String?]>([])
        let ends = Mutex(0)
        let attempt = SolvingAttempt(
            left: { solution in said.withLock { $0.append(solution.standardError) } },
            endRun: { ends.withLock { $0 += 1 } })
        for isLast in [false, true] {
            #expect {
                try solver.solve(Self.sample, attempt)
            } throws: { error in
                let problem = (error as? LanguageModelError)?.problem ?? ""
                return problem.contains("status 9") && problem.contains(": two")
                    && problem.contains("in a row") == isLast
            }
        }
        #expect(said.withLock { $0 } == ["one\ntwo\n", "one\ntwo\n"])
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("a program as an agent's model is retried once after a crash, without a wait")
    func agents() throws {
        let folder = TemporaryFolder()
        let words = Self.script(
            "import sys\nopen('\(folder.file("count"))', 'a').write('x')\nsys.exit(3)\n", in: folder)
        File.write(
            """
            kind = "agent"
            prompt = "{{ q }}"
            target = "4"
            [data]
            rows = [{ q = "2 + 2" }]
            [[scorers]]
            kind = "exact"
            """, to: folder.file("task.toml"))
        let workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: TraceStore.migrations + ModelLab.migrations + Evals.migrations,
            create: true)
        let setup = EvalSetup(task: folder.file("task.toml"), models: ["exec:" + words.joined(separator: " ")])
        let order = try setup.orders(in: workspace)[0]
        let ends = Mutex(0)
        for number in 1...10 {
            #expect {
                try order.solver.solve(order.task.samples[0], SolvingAttempt(endRun: { ends.withLock { $0 += 1 } }))
            } throws: { error in
                let error = error as? LanguageModelError
                return error?.kind == .local && error?.problem.contains("status 3") == true
            }
            #expect((File.text(folder.file("count")) ?? "").count == 2 * number)
        }
        #expect(ends.withLock { $0 } == 1)
    }

    @Test("a program that takes too long is killed, and cancellation ends the wait at once")
    func time() throws {
        let folder = TemporaryFolder()
        let words = Self.script("import sys, time\nfor line in sys.stdin: time.sleep(60)\n", in: folder)
        let clock = ContinuousClock()
        let start = clock.now
        #expect {
            try ProgramPool(words, limits: ProgramLimits(seconds: 0.3)).ask({ _ in [] })
        } throws: { ($0 as? ProgramError)?.problem.contains("within 0.3 seconds") == true }
        // The time limit of the line overrides the pool's.
        #expect {
            try ProgramPool(words).ask({ _ in [] }, within: 0.2)
        } throws: { ($0 as? ProgramError)?.isTimeout == true }
        #expect(clock.now - start < .seconds(3))
        let again = clock.now
        #expect {
            try ProgramPool(words).ask({ _ in [] }, isCancelled: { clock.now - again > .milliseconds(200) })
        } throws: { ($0 as? ProgramError)?.isCancellation == true }
        #expect(clock.now - again < .milliseconds(400))
    }

    @Test("invalid JSON, a value other than an object, and an error are errors of the sample")
    func violations() throws {
        let folder = TemporaryFolder()
        for (line, kind) in [
            ("not json", LanguageModelError.Kind.protocolViolation), ("[1]", .protocolViolation),
            (#"{"error": "out of ideas"}"#, .local),
        ] {
            let words = Self.script("import sys\nfor line in sys.stdin: print('\(line)')\n", in: folder)
            #expect {
                try ProgramSolver(words).solve(Self.sample, SolvingAttempt())
            } throws: { ($0 as? LanguageModelError)?.kind == kind }
        }
        #expect {
            try ProgramSolver(["/nowhere/at/all"]).solve(Self.sample, SolvingAttempt())
        } throws: { ($0 as? LanguageModelError)?.problem.contains("cannot start the program") == true }
    }

    @Test("several lines at once use several instances")
    func instances() async throws {
        let folder = TemporaryFolder()
        let words = Self.script(
            "import os, sys, time\nfor line in sys.stdin:\n    time.sleep(0.2)\n    print(os.getpid())\n", in: folder)
        let pool = ProgramPool(words, instances: 3)
        let seen = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<3 {
                group.addTask { (try? pool.ask({ _ in [] })).map { $0.value.json() } }
            }
            var seen: Set<String?> = []
            for await answer in group { seen.insert(answer) }
            return seen
        }
        #expect(!seen.contains(nil))
        // A machine with one core may serve them one after the other.
        #expect((1...3).contains(seen.count))
    }

    @Test("a scorer program gets answer and targets, and returns one or several scores")
    func scorer() throws {
        let folder = TemporaryFolder()
        let words = Self.script(
            """
            import json, sys
            for line in sys.stdin:
                sample = json.loads(line)
                right = sample['answer'] in sample['targets']
                if sample['answer'] == 'many':
                    print(json.dumps({'scores': [{'name': 'tone', 'score': 0.5, 'label': 'dry'}, {'score': True}]}))
                elif sample['answer'] == 'none':
                    print(json.dumps({'score': None, 'error': 'cannot tell'}))
                else:
                    print(json.dumps({'score': right, 'explanation': 'compared'}))
            """, in: folder)
        let scorer = try ProgramScorer(
            ScorerSettings([.init(key: "program", value: .array(words.map { .string($0) }))]))
        func score(_ answer: String) -> [EvalScore] {
            scorer.score(Solution(answers: [answer]), of: Self.sample, in: ScoringRoom())
        }
        #expect(score("42") == [EvalScore("exec", value: 1, explanation: "compared")])
        #expect(score("41").map(\.value) == [0])
        #expect(score("many").map(\.name) == ["tone", "exec_2"])
        #expect(score("many").map(\.value) == [0.5, 1])
        #expect(score("none").first?.value == nil)
        #expect(score("none").first?.problem?.contains("cannot tell") == true)
        #expect(throws: Problem.self) { try ProgramScorer(ScorerSettings()) }
    }
}
