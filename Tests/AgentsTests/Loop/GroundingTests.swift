import Agents
import LanguageModels
import Testing

@Suite("Answers and arguments are compared with what the model has read")
struct GroundingTests {
    private func run(
        _ question: String, _ turns: String..., documents: [String] = [], receive: (AgentEvent) -> Void = { _ in }
    ) throws -> AgentRun {
        ReActAgent(Script(turns.map { .text($0) }), tools: try tools())
            .run(question, documents: documents, receive: receive)
    }

    @Test("a computation with another operation than the question's does not ground the answer")
    func otherOperation() throws {
        let run = try run("What is 144 / 12?", action("calculator", "expression", "144 - 12"), "Answer: 132")
        #expect(run.steps[0].invented == ["-"])
        #expect(run.doubt != nil)
    }

    @Test("a result computed from invented numbers does not ground the answer, and both are marked")
    func inventedArguments() throws {
        var marks: [[String]] = []
        let run = try run(
            "What is 1384 * 57?", action("calculator", "expression", "38 + 89"), "Answer: 127",
            receive: { if case .invented(let words) = $0 { marks.append(words) } })
        #expect(marks == [["38", "89", "+"], ["127"]])
        #expect(run.steps.map(\.invented) == marks)
        #expect(run.doubt?.hasPrefix("the answer is not grounded: 127 ") == true)
        #expect(run.outcome == .answered("127"))
    }

    @Test(
        "an answer that follows from the question, a document, or an observation is grounded",
        arguments: [
            ("What is 12 * 7?", "calculator", "expression", "12 * 7", "84"),
            ("What is 15 percent of 80?", "calculator", "expression", "15 * 80 / 100", "12"),
            ("What is three times 1,384?", "calculator", "expression", "3 * 1384", "4,152"),
            ("What is 10 / 3?", "calculator", "expression", "10 / 3", "about 3.33"),
            ("What is 100 / 7?", "calculator", "expression", "100 / 7", "about 14"),
            ("What is 28 / 4?", "calculator", "expression", "28 / 4", "Seven."),
            ("What is the root of 144?", "calculator", "expression", "sqrt(144)", "It is 12."),
            ("Where does Norway rule from?", "lookup", "key", "Norway capital", "Oslo"),
            ("What is the capital of Norway?", "lookup", "key", "Norway capital", "Oslo"),
            ("Which color has the lamp?", "search", "query", "lamp color", "The lamp of Vell is green."),
        ])
    func grounded(question: String, tool: String, key: String, value: String, answer: String) throws {
        let run = try run(question, action(tool, key, value), "Answer: \(answer)")
        #expect(run.outcome == .answered(answer))
        #expect(run.doubt == nil)
        #expect(run.steps.flatMap(\.invented) == [])
    }

    @Test(
        "a name in an answer must have been read, a first word need not",
        arguments: [
            ("Marlon repairs the clocks.", false), ("The clocks are repaired by Marlon.", false),
            ("Ostrava repairs the clocks.", true), ("Certainly, Ostrava repairs the clocks.", true),
        ])
    func answeredNames(answer: String, isGrounded: Bool) throws {
        let run = try run(
            "Who repairs the clocks?", "Answer: \(answer)", documents: ["Ostrava repairs the clocks of the town."])
        #expect((run.doubt == nil) == isGrounded)
    }

    @Test("a name that the model made up is marked, a paraphrase is not")
    func names() throws {
        let run = try run(
            "How old is the friend of Dunanpha?", action("lookup", "key", "age of Dunanpha"),
            action("lookup", "key", "age of the friend Milinrin"), action("search", "query", "submarine crew"),
            "Answer: 31")
        #expect(run.steps.map(\.invented) == [[], ["Milinrin"], ["submarine", "crew"], ["31"]])
    }

    @Test("a document found with an invented number grounds the answer")
    func inventedQuery() throws {
        let run = try run("Which color has the lamp?", action("search", "query", "lamp 1912"), "Answer: green")
        #expect(run.steps.map(\.invented) == [["1912"], []])
        #expect(run.doubt == nil)
    }

    @Test("a tool that repeats an invented word does not ground it")
    func echo() throws {
        let run = try run("What is the capital?", action("lookup", "key", "Paris"), "Answer: Paris")
        #expect(run.steps.map(\.invented) == [["Paris"], ["Paris"]])
        #expect(run.doubt != nil)
    }

    @Test("documents given before the question ground an answer, too, even without spaces between words")
    func documents() throws {
        #expect(try run("Which?", "Answer: blue", documents: ["It is blue."]).doubt == nil)
        #expect(try run("谁负责烤箱?", "Answer: 米拉", documents: ["米拉负责烤箱"]).doubt == nil)
    }

    @Test("an answer that nothing supports is not grounded", arguments: ["Paris", "42", "green in 1912"])
    func unsupported(answer: String) throws {
        let run = try run("Which color has the lamp?", action("search", "query", "lamp color"), "Answer: \(answer)")
        #expect(run.doubt?.hasPrefix("the answer is not grounded: ") == true)
    }

    @Test("a model may say that it does not know", arguments: ["I do not know", "I don’t know.", "Unknown"])
    func unknown(answer: String) throws {
        let run = try run("Who?", "Answer: \(answer)")
        #expect(run.doubt == "the model does not know the answer.")
        #expect(run.steps[0].invented.isEmpty)
    }

    @Test("a turn that is neither an action nor an answer is reported with its text")
    func malformed() throws {
        var shown: [String] = []
        let run = try run(
            "What is 2 + 2?", "I would rather talk.", "Answer: 2",
            receive: { if case .malformed(let text) = $0 { shown.append(text) } })
        #expect(shown == ["I would rather talk."])
        #expect(run.steps.map(\.malformed) == ["I would rather talk.", nil])
    }
}
