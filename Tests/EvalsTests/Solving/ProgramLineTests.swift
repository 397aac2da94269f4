import Evals
import JSON
import LanguageModels
import TestFixtures
import Testing
import Traces

/// Answers of programs that are late, duplicated, or invalid: none may count for another sample.
struct ProgramLineTests {
    private static func pool(_ text: String, in folder: TemporaryFolder, instances: Int = 1) -> ProgramPool {
        let path = folder.file("program")
        File.write("import json, sys, time\n" + text, to: path)
        return ProgramPool(
            ["/usr/bin/python3", "-u", path], instances: instances, limits: ProgramLimits(seconds: 20, failures: 3))
    }

    private static func line(_ number: Int, _ question: Int) -> [UInt8] {
        Array(#"{"line_id": \#(number), "question": \#(question)}"#.utf8)
    }

    @Test("a duplicate line, at once or late, is an error of the sample; after several, the program is given up")
    func twice() throws {
        let folder = TemporaryFolder()
        for pause in ["0", "0.02"] {
            let pool = Self.pool(
                """
                for line in sys.stdin:
                    answer = json.dumps({"answer": json.loads(line)["question"]})
                    print(answer)
                    time.sleep(\(pause))
                    print(answer)
                """, in: folder)
            for question in 1...4 {
                #expect {
                    try pool.ask { Self.line($0, question) }
                } throws: { error in
                    let error = error as? ProgramError
                    return error?.isViolation == true && error?.isBroken == (question > 2)
                        && error?.problem.contains("more than one line for a request") == true
                }
            }
        }
    }

    @Test("a line too late for its request is not taken as the next answer")
    func late() throws {
        let folder = TemporaryFolder()
        // The fourth answer is repeated after the check for more output, and before the program reads on.
        let pool = Self.pool(
            """
            for count, line in enumerate(sys.stdin):
                answer = json.dumps({"answer": json.loads(line)["question"]})
                print(answer)
                if count == 3:
                    time.sleep(0.1)
                    print(answer)
            """, in: folder)
        var said = ""
        for question in 1...12 {
            let answer = try pool.ask { Self.line($0, question) }
            #expect(answer.value["answer"]?.int == question)
            said += answer.standardError
        }
        #expect(said.split(separator: "\n").count == 2, "the fourth and the eighth are followed by another")
        #expect(said.contains(#"orrery: the program wrote a line without a request and was restarted: {"answer": 4}"#))
    }

    @Test("a greeting before the first request is ignored; one in place of an answer is an error")
    func greetings() throws {
        let folder = TemporaryFolder()
        let answering = #"for line in sys.stdin: print(json.dumps({"answer": json.loads(line)["question"]}))"#
        let pool = Self.pool("print('Loading ...')\n" + answering, in: folder)
        for question in 1...3 { #expect(try pool.ask { Self.line($0, question) }.value["answer"]?.int == question) }
        let chatty = Self.pool("for line in sys.stdin: print('thinking')", in: folder)
        #expect {
            try chatty.ask { Self.line($0, 1) }
        } throws: { ($0 as? ProgramError)?.problem == "the line is not valid JSON: thinking" }
    }

    @Test("late, unordered, and duplicate lines are matched by line_id")
    func echoes() throws {
        let folder = TemporaryFolder()
        let pool = Self.pool(
            """
            before = None
            for line in sys.stdin:
                asked = json.loads(line)
                answer = json.dumps({"line_id": asked["line_id"], "answer": asked["question"]})
                if before: print(before)
                print(answer)
                print(answer)
                before = answer
            """, in: folder)
        for question in 1...20 { #expect(try pool.ask { Self.line($0, question) }.value["answer"]?.int == question) }
    }

    @Test("an unknown number, and a line without a number after lines with one, are errors")
    func strangeNumbers() throws {
        let folder = TemporaryFolder()
        let strange = Self.pool(#"for line in sys.stdin: print('{"line_id": 99, "answer": 1}')"#, in: folder)
        #expect {
            try strange.ask { Self.line($0, 1) }
        } throws: { ($0 as? ProgramError)?.problem.contains("unknown line_id") == true }
        let forgetful = Self.pool(
            """
            for count, line in enumerate(sys.stdin):
                print(json.dumps({"line_id": json.loads(line)["line_id"]} if count == 0 else {"answer": 1}))
            """, in: folder)
        _ = try forgetful.ask { Self.line($0, 1) }
        #expect {
            try forgetful.ask { Self.line($0, 2) }
        } throws: { ($0 as? ProgramError)?.problem.contains("has no line_id") == true }
    }

    @Test("a program that cannot be started is an error at once, without retries")
    func missing() {
        let pool = ProgramPool(["/nowhere/at/all"])
        #expect {
            try pool.ask { Self.line($0, 1) }
        } throws: { error in
            let error = error as? ProgramError
            return error?.isBroken == true
                && error?.problem == "cannot start the program: No such file or directory"
        }
    }

    @Test("a step has the reported time or none; unreported tokens are unknown")
    func untold() throws {
        let folder = TemporaryFolder()
        let path = folder.file("program")
        File.write(
            """
            import json, sys
            for line in sys.stdin:
                print(json.dumps({'answer': 'x', 'usage': {}, 'steps': [{'tool': 'search'}]}))
            """, to: path)
        let sample = TaskSample(id: "s1", request: .generation(ModelRequest(.text("?"))))
        let solution = try ProgramSolver(["/usr/bin/python3", "-u", path]).solve(sample, SolvingAttempt())
        #expect(solution.usage == nil)
        guard case .tool(let step) = solution.steps.first else {
            Issue.record("no step")
            return
        }
        #expect(step.start == step.end)
    }
}
