import EvalLogs
import Evals
import JSON
import LanguageModels
import Testing

struct ToolScorerTests {
    private func solution(_ tools: [(String, String)], failing: Bool = false) -> Solution {
        Solution(
            answers: ["x"],
            steps: tools.map { name, arguments in
                .tool(
                    ToolRun(
                        call: ToolCall(id: "1", name: name, arguments: arguments),
                        result: ToolResult(callID: "1", content: "r", isError: failing), start: 1, end: 2))
            })
    }

    @Test(
        "called tools are compared with the expected ones",
        arguments: [
            ("any", ["a", "b"], 1.0), ("any", ["a", "c"], 0.5), ("any", ["a", "a"], 0.5), ("in_order", ["a", "b"], 1),
            ("in_order", ["b", "a"], 0), ("exact", ["a", "x", "b"], 1), ("exact", ["a", "b"], 0),
        ])
    func tools(order: String, expected: [String], value: Double) throws {
        let scorer = try Scored.make("tools_used", "{\"order\": \"\(order)\"}")
        let score = scorer.score(
            solution([("a", ""), ("x", ""), ("b", "")]), of: Scored.sample(expected), in: ScoringRoom())[0]
        #expect(score.value == value)
    }

    @Test("requested calls count if no tool was run") func requestedCalls() throws {
        let message = Message(.assistant, [.toolCall(ToolCall(id: "1", name: "a", arguments: "{}"))])
        let call = SolutionStep.CallRecord(
            provider: "p", model: "m", request: ModelRequest(.text("q")),
            response: ModelResponse(
                message: message, finish: .toolCalls, usage: nil, model: "m", secondsToFirstToken: nil, seconds: 0),
            start: 0, end: 1)
        let scorer = try Scored.make("tools_used")
        let asked = Solution(steps: [.model(call)])
        #expect(scorer.score(asked, of: Scored.sample(["a"]), in: ScoringRoom())[0].value == 1)
    }

    @Test(
        "arguments are compared by value",
        arguments: [
            ("subset", "{\"x\": 1.0, \"y\": 2}", 1.0), ("exact", "{\"x\": 1, \"y\": 2}", 0), ("exact", "{\"x\": 1}", 1),
            ("subset", "{\"x\": 2}", 0), ("subset", "no json", 0),
        ])
    func arguments(mode: String, given: String, value: Double) throws {
        let scorer = try Scored.make(
            "tool_arguments", "{\"tool\": \"a\", \"arguments\": {\"x\": 1}, \"mode\": \"\(mode)\"}")
        let score = scorer.score(solution([("a", given)]), of: Scored.sample([]), in: ScoringRoom())[0]
        #expect(score.value == value)
    }

    @Test("steps and errors are counted") func steps() throws {
        let good = solution([("a", ""), ("b", "")])
        let room = ScoringRoom()
        let sample = Scored.sample([])
        #expect(try Scored.make("steps", "{\"max\": 2}").score(good, of: sample, in: room)[0].value == 1)
        #expect(try Scored.make("steps", "{\"min\": 3}").score(good, of: sample, in: room)[0].value == 0)
        #expect(
            try Scored.make("steps", "{\"kind\": \"model\", \"max\": 0}").score(good, of: sample, in: room)[0].value
                == 1)
        #expect(try Scored.make("no_errors").score(good, of: sample, in: room)[0].value == 1)
        let failing = solution([("a", "")], failing: true)
        let score = try Scored.make("no_errors").score(failing, of: sample, in: room)[0]
        #expect(score.value == 0 && score.explanation == "a: r")
    }

    @Test("the first of equally probable choices counts") func choices() throws {
        var sample = Scored.sample([])
        sample.choices = ["aa", "b", "cccc"]
        sample.rightChoice = 0
        func value(_ logarithms: [Double], _ settings: String = "{}", alone: [Double] = []) throws -> EvalScore {
            let solution = Solution(
                likelihoods: logarithms.map { Likelihood(logProbability: $0, isGreedy: false) },
                alone: alone.map { Likelihood(logProbability: $0, isGreedy: false) })
            return try #require(
                try Scored.make("choice", settings).score(solution, of: sample, in: ScoringRoom()).first)
        }
        #expect(try value([-2, -2, -4]).value == 1)
        #expect(try value([-2, -1, -4]).label == "b")
        #expect(try value([-2, -1.5, -3], "{\"normalize\": \"characters\"}").label == "cccc")
        #expect(try value([-2, -1, -4], "{\"normalize\": \"alone\"}", alone: [-5, -1, -4]).value == 1)
        #expect(try value([-2, -1, -4], "{\"normalize\": \"alone\"}").value == nil)
        #expect(try value([-2, -1]).value == nil)
        #expect(abs(try value([-1, -1, -1]).parts.reduce(0, +) - 1) < 1e-12)
    }

    @Test("rankings use the measures of retrieval") func rankings() throws {
        let passages = ["a", "b", "a", "c"].map { SolutionPassage(document: $0, text: "", score: 1) }
        let solution = Solution(passages: passages)
        func value(_ measure: String, _ relevant: [String]) throws -> Double? {
            try Scored.make("ranking", "{\"measure\": \"\(measure)\"}").score(
                solution, of: Scored.sample(relevant), in: ScoringRoom())[0].value
        }
        #expect(try value("MRR", ["b"]) == 0.5)
        #expect(try value("R@2", ["b", "c"]) == 0.5)
        #expect(try value("nDCG@10", ["a"]) == 1)
        #expect(try value("R@2", []) == nil)
    }

    @Test("checks are weighted") func checks() throws {
        var sample = Scored.sample([])
        func check(_ text: String, weight: Double = 1, negated: Bool = false) -> ScorerChoice {
            ScorerChoice(
                "contains_any", settings: Scored.settings("{\"values\": [\"\(text)\"]}"), weight: weight,
                isNegated: negated)
        }
        sample.checks = [check("a", weight: 3), check("z"), check("q", negated: true)]
        let solution = Solution(answers: ["a b"])
        let plain = try Scored.make("checks").score(solution, of: sample, in: ScoringRoom())
        #expect(plain.map(\.value) == [0, 0.8])
        let lenient = try Scored.make("checks", "{\"threshold\": 0.8}").score(solution, of: sample, in: ScoringRoom())
        #expect(lenient.map(\.value) == [1, 0.8])
        sample.checks.append(ScorerChoice("rubric", settings: Scored.settings("{\"rubric\": \"r\"}"), isNegated: true))
        let unjudged = try Scored.make("checks").score(solution, of: sample, in: ScoringRoom())
        #expect(unjudged.map(\.value) == [nil, nil])
        #expect(unjudged[0].problem == "not_rubric: no judge was chosen")
    }
}
