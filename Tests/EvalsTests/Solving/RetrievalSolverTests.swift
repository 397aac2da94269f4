import Evals
import LanguageModels
import Providers
import Retrieval
import TestFixtures
import Testing
import Traces
import Workspace

/// Questions for pipelines of the workspace.
struct RetrievalSolverTests {
    private let folder = TemporaryFolder()
    private let workspace: Workspace
    private let pipeline: String

    init() throws {
        workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: TraceStore.migrations + Retrieval.migrations, create: true)
        let store = CorpusStore(workspace)
        let corpus = try store.create("manuals")
        let texts = ["The dome bolts need a torque of 8 Nm.", "The lamp is green.", "The kettle whistles."]
        let documents = texts.enumerated().map { SourceDocument(id: "d\($0.offset)", text: $0.element) }
        try store.add(documents: documents, to: corpus.id)
        pipeline = folder.file("words.toml")
        File.write("[lexical]\nk = 3\n[dense]\nenabled = false\n", to: pipeline)
    }

    @Test("the passages found are in the solution, best first, and in a step")
    func search() throws {
        let solver = Solvers.make(model: nil, specification: nil, workspace: workspace)
        let question = RetrievalQuestion(question: "torque of the dome bolts", corpus: "manuals", pipeline: pipeline)
        let solution = try solver.solve(TaskSample(id: "a", request: .retrieval(question)), SolvingAttempt())
        #expect(solution.passages.first?.document == "d0")
        #expect(solution.passages.first?.text == "The dome bolts need a torque of 8 Nm.")
        #expect(solution.passages.first?.chunk != nil)
        #expect(solution.answers.isEmpty)
        guard case .search(let search) = solution.steps.first else {
            Issue.record("no search")
            return
        }
        #expect(search.corpus == "manuals")
        #expect(search.passages == solution.passages)
    }

    @Test("the passages are sent to the model if there is a prompt")
    func answer() throws {
        let model = ScriptedModel([.text("8 Nm [1]")])
        let solver = Solvers.make(model: model, specification: "scripted:x", workspace: workspace)
        let question = RetrievalQuestion(
            question: "torque of the dome bolts", corpus: "manuals", pipeline: pipeline, depth: 2,
            prompt: "Passages:\n{context}\n\n{question}?")
        let solution = try solver.solve(TaskSample(id: "a", request: .retrieval(question)), SolvingAttempt())
        #expect(solution.answer == "8 Nm [1]")
        guard solution.steps.count == 2, case .model(let call) = solution.steps[1] else {
            Issue.record("a search and a call were expected")
            return
        }
        guard case .messages(let messages, _) = call.request.input, case .text(let asked)? = messages.first?.parts.first
        else {
            Issue.record("no messages")
            return
        }
        #expect(asked.hasPrefix("Passages:\n[1] d0\nThe dome bolts need a torque of 8 Nm."))
        #expect(asked.hasSuffix("\n\ntorque of the dome bolts?"))
    }

    @Test("an unknown corpus and a prompt without a model are errors")
    func problems() {
        let solver = Solvers.make(model: nil, specification: nil, workspace: workspace)
        let unknown = RetrievalQuestion(question: "q", corpus: "nowhere", pipeline: pipeline)
        let asked = RetrievalQuestion(question: "torque", corpus: "manuals", pipeline: pipeline, prompt: "{context}")
        #expect(throws: LanguageModelError.self) {
            try solver.solve(TaskSample(id: "a", request: .retrieval(unknown)), SolvingAttempt())
        }
        #expect {
            try solver.solve(TaskSample(id: "a", request: .retrieval(asked)), SolvingAttempt())
        } throws: { ($0 as? LanguageModelError)?.kind == .request }
    }
}
