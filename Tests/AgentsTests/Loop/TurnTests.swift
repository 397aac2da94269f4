import Agents
import LanguageModels
import Testing

@Suite("A model's turn")
struct TurnTests {
    /// Result of parsing one turn: the call, the answer, or the problem.
    private func reading(_ turn: String) throws -> String {
        let model = Script(turn, "Answer: end of the test")
        let run = ReActAgent(model, tools: try tools(), options: .init(limits: AgentLimits(steps: 2))).run("?")
        if run.steps.count == 1 { return "answer: \(run.outcome.answer ?? "none")" }
        if let call = run.steps[0].calls.first { return "\(call.name) \(call.arguments)" }
        return run.steps[0].observations.first?.text ?? "nothing"
    }

    @Test(
        "what is harmless is taken",
        arguments: [
            ("Answer: 84", "answer: 84"), ("answer:84  \n", "answer: 84"),
            ("\n\n  Thought: x\n Answer:\n84\n", "answer: 84"),
            ("Thought: x\r\nAnswer: 84\r\n", "answer: 84"), ("**Answer:** 84", "answer: 84"),
            ("**Final Answer**: 84", "answer: 84"), ("Answer: one\ntwo", "answer: one\ntwo"),
            ("Answer: 84\nObservation: 85\nAnswer: 86", "answer: 84"), ("Answer: see: this", "answer: see: this"),
            ("Answer: {\"tool\": \"calculator\"}", "answer: {\"tool\": \"calculator\"}"),
            (#"Action: {"tool": "calculator", "arguments": {"expression": "1"}}"#, #"calculator {"expression":"1"}"#),
            (
                "ACTION:\n{\"tool\":\n \"calculator\", \"arguments\": {\"expression\":\n\"1\"}}",
                #"calculator {"expression":"1"}"#
            ),
            (
                "Action: ```json\n{\"tool\": \"lookup\", \"arguments\": {\"key\": \"a } b\\\" {\"}}\n```\n",
                #"lookup {"key":"a } b\" {"}"#
            ),
            (
                "Action: {\"tool\": \"lookup\", \"arguments\": {\"key\": \"k\"}}\nObservation: invented\nAnswer: guessed",
                #"lookup {"key":"k"}"#
            ),
            (
                "Action: {\"tool\": \"lookup\", \"arguments\": {\"key\": \"k\"}}\nAction: {\"tool\": \"x\"}",
                #"lookup {"key":"k"}"#
            ),
        ])
    func tolerant(turn: String, reading: String) throws { #expect(try self.reading(turn) == reading) }

    /// Turns with what is wrong about their action.
    static let actions: [(turn: String, problem: String)] = [
        ("Action: calculator(12)", "the action is not JSON"), ("Action:", "the action is not JSON"),
        (#"Action: {"tool": "calculator""#, "the action is not JSON"),
        (#"Action: {"tool": calculator}"#, "the action is not JSON"),
        (#"Action: ["calculator"]"#, "the action is not JSON"), ("Action: {}", #"the action has no "tool""#),
        (#"Action: {"tool": 3, "arguments": {}}"#, #"the action's "tool" must be a string"#),
        (#"Action: {"tool": "calculator"}"#, #"the action has no "arguments""#),
        (#"Action: {"tool": "x", "arguments": "1"}"#, #"the action's "arguments" must be an object"#),
        (#"Action: {"tool": "x", "arguments": {}, "id": 1}"#, #"the action has an unknown key "id""#),
        (#"Action: {"tool": "x", "tool": "y", "arguments": {}}"#, #"an object has a duplicate key "tool""#),
        (deep, "the action is nested deeper than 32"), (long, "the action is longer than 64 KiB"),
    ]

    static let deep = "Action: " + String(repeating: #"{"a":"#, count: 5000) + "1" + String(repeating: "}", count: 5000)
    static let long = "Action: {\"tool\": \"" + String(repeating: "x", count: 70_000) + "\"}"

    @Test("an action is read exactly, and a sentence says what is wrong", arguments: actions)
    func exactActions(turn: String, problem: String) throws {
        #expect(try reading(turn) == #"error: \#(problem); write {"tool": "name", "arguments": {...}}"#)
    }

    @Test(
        "a turn that is neither an action nor an answer gets an error",
        arguments: [
            ("Answer:", "the answer is empty; write Answer: text"),
            ("Answer: \n \n", "the answer is empty; write Answer: text"), ("", neither),
            ("Thought: I think.", neither), ("84", neither), ("Observation: 84\nAnswer: 84", neither),
            ("Thought: x\nQuestion: y\nAnswer: z", neither), ("The Answer is: 84", neither),
        ])
    func exact(turn: String, sentence: String) throws { #expect(try reading(turn) == "error: " + sentence) }

    static let neither =
        #"neither an action nor an answer; write Action: {"tool": "name", "arguments": {...}} or Answer: text"#

    @Test("what a turn says behind its action is not kept: the model reads the observation instead")
    func kept() throws {
        let model = Script(
            action("calculator", "expression", "2+2") + "\nObservation: 5\nThought: five\nAnswer: 5", "Answer: 4")
        let run = ReActAgent(model, tools: try tools()).run("?")
        #expect(run.outcome == .answered("4"))
        #expect(model.prompts[1].hasSuffix("\"2+2\"}}\nObservation: 4\n"))
        #expect(!model.prompts[1].contains("five"))
    }

    @Test("random turns of the words that matter never break the loop")
    func random() throws {
        var random = SplitMix(seed: 3)
        let pieces = [
            "Thought:", "Action:", "Answer:", "Observation:", "Question:", "\n", " ", "{", "}", "\"tool\"", ":",
            "\"arguments\"",
            "\"lookup\"", "{\"key\": \"a\"}", "[", "]", "\\", "\"", "```", "**", "\u{0}", "é", "\r\n", ",", "1e999",
            "null",
            #"{"tool": "lookup", "arguments": {"key": "a"}}"#,
        ]
        let agentTools = try tools()
        var answered = 0
        for _ in 0..<5000 {
            let turns = (0..<3).map { _ in
                (0..<random.below(14)).map { _ in pieces[random.below(pieces.count)] }.joined()
            }
            let model = Script(turns.map { Script.Answer.text($0, random.below(4) == 0 ? .length : .stop) })
            let records = Records()
            let run = ReActAgent(model, tools: agentTools, options: .init(limits: AgentLimits(steps: 4)))
                .run("?", sink: records)
            if run.outcome.answer != nil { answered += 1 }
            #expect(records.tools.count == run.toolCalls)
            #expect(run.steps.allSatisfy { $0.observations.count >= $0.calls.count })
        }
        #expect(answered > 100)
    }
}
