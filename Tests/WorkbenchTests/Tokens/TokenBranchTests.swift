import Console
import LanguageModels
import ModelLab
import Testing
import Workbench

@Suite("The tokens page: branches")
struct TokenBranchTests {
    /// As if a model in this process had answered; what goes on from a branch is a script's.
    private static func document(_ input: ModelRequest.Input? = nil) -> PromptDocument {
        PromptDocument(model: "scripted: and so on.", input: input ?? TokenRecords.document.input)
    }

    private func opened(_ document: PromptDocument) throws -> (TestWorkspace, ShellDriver) {
        let made = try TestWorkspace.answered(document: document)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [1], title: ""))
        try driver.type("<tab>")
        return (made, driver)
    }

    @Test("after choosing another token, earlier tokens stay, and the answer continues from there")
    func chooses() throws {
        let (made, driver) = try opened(Self.document())
        // The sixth token, and the likeliest of those that did not come.
        try driver.type("]<enter>gg<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("they and so on."))
        let branch = try #require(try made.generations.generation(2))
        #expect(branch.parent == .init(generation: 1, step: 5))
        #expect(branch.text == "Planets wander because the they and so on.")
        #expect(branch.prompt == TokenRecords.prompt)
        let root = try #require(try made.generations.generation(1))
        #expect(Array(branch.steps.prefix(5)) == Array(root.steps.prefix(5)))
        #expect(branch.steps[5].logProbability == root.steps[5].alternatives?.first?.logProbability)
        #expect(branch.steps[5].alternatives == root.steps[5].alternatives)
        #expect(driver.rows(with: "└6 Planets").count == 1)
        try driver.type("hhh")
        #expect(driver.text.contains("Token 6 ── ·they"))
        #expect(driver.text.contains("chosen by hand"))
    }

    @Test("b starts a branch from the text with the selected alternative, and a branch of a branch")
    func deeper() throws {
        let (made, driver) = try opened(Self.document())
        try driver.ask("]<tab>jj<shift-tab>")
        try driver.ask("b")
        #expect(try made.generations.generations(of: 1).map(\.parent?.generation) == [nil, 1])
        // Steps of the script have no ids: only those before them can be left.
        // Steps of the script have no ids: no branch can leave them or what is before them.
        try driver.ask("b")
        #expect(driver.text.contains("alternatives are not reported for this token"))
        #expect(driver.rows(with: "└6 ").count == 1)
    }

    @Test("a branch waits while an answer is being generated")
    func waits() throws {
        let (made, driver) = try opened(Self.document())
        try driver.type("r")
        #expect(driver.engine.count == 1)
        try driver.type("<shift-tab><enter>]b")
        #expect(driver.engine.count == 1)
        driver.finishJobs()
        #expect(try made.generations.generations(of: 1).map(\.parent?.step) == [nil, nil, 5])
    }

    @Test("a plain text branches with any model, with the chosen text")
    func completion() throws {
        let made = try TestWorkspace()
        let document = Self.document(.text("Once upon"))
        let session = try made.session("once", document)
        var answer = TokenRecords.told(in: session.id, [" a", " time"], document: document)
        answer.prompt = []
        for index in answer.steps.indices { answer.steps[index].id = nil }
        try made.generations.save(answer)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [1], title: ""))
        try driver.ask("<tab>l<tab>gjb")
        #expect(try made.generations.generation(2)?.steps.count == 5)
        #expect(try made.generations.generation(2)?.text.hasSuffix(" and so on.") == true)
    }

    @Test("a conversation without prompt tokens gives the reason why it cannot branch")
    func refuses() throws {
        let made = try TestWorkspace.conversed()
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [4], title: ""))
        try driver.type("<tab>b")
        #expect(driver.text.contains("alternatives are not reported for this token"))
        var answer = try #require(try made.generations.generation(1))
        answer.id = 0
        answer.prompt = []
        let id = try made.generations.save(answer)
        let other = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [id], title: ""))
        try other.type("<tab>b")
        #expect(other.text.contains("cannot continue from a token. To branch, use a model in this process"))
        try other.type("<tab><enter>")
        #expect(other.text.contains("cannot continue from a token"))
        #expect(other.engine.count == 0)
    }
}
