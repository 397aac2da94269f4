import Console
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench

@Suite("The tokens page: saving, editing, and deleting")
struct TokenKeepingTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.conversed()
        driver = .tokens(made.workspace, opening: Reference(.generation, [1], title: ""))
    }

    /// Presses E, changes the file, leaves the editor, and returns the path of the file.
    private func edited(_ change: (String) -> String) throws -> String {
        try driver.type("E")
        var found: (path: String, panel: Int, answer: any Sendable)?
        for case .edit(let path, let panel, let answer) in driver.requests { found = (path, panel, answer) }
        let edit = try #require(found)
        let text = try #require(File.text(edit.path))
        File.write(change(text), to: edit.path)
        driver.shell.edited(panel: edit.panel, answer: edit.answer)
        driver.handle(.wake)
        return edit.path
    }

    @Test("E edits messages, tools, and settings; the saved text is the next prompt, and the file is removed")
    func edits() throws {
        let path = try edited { text in
            text.replacing("Answer in one sentence.", with: "Answer in a poem.").replacing(
                "top_k = 8", with: "top_k = 3"
            )
            .replacing("--- system", with: "--- define clock tells the time\n{}\n--- system")
        }
        #expect(driver.text.contains("Answer in a poem."))
        #expect(driver.text.contains("tool clock"))
        #expect(File.text(path) == nil)
        let session = try #require(try made.generations.session(4))
        let draft = try PromptDocument(text: session.draft)
        #expect(draft.sampling.topK == 3)
        guard case .messages(let messages, let tools) = draft.input else { return #expect(Bool(false)) }
        #expect(messages.first == Message(.system, [.text("Answer in a poem.")]))
        #expect(tools.map(\.name) == ["clock"])
    }

    @Test("an unreadable text leaves the prompt unchanged and keeps the file, which E opens again")
    func wrongText() throws {
        let path = try edited { $0 + "--- robot\nbeep\n" }
        #expect(driver.text.contains("The prompt is unchanged"))
        #expect(driver.text.contains("unknown heading \"robot\""))
        #expect(driver.text.contains("Planets wander") || driver.text.contains("anets"))
        #expect(File.text(path)?.hasSuffix("beep\n") == true)
        let again = try edited { $0.replacing("--- robot\nbeep\n", with: "--- user\nmended\n") }
        #expect(again == path)
        #expect(driver.text.contains("mended"))
        #expect(File.text(path) == nil)
    }

    @Test("an editor that changed nothing changes nothing")
    func unchanged() throws {
        let before = driver.text
        _ = try edited { $0 }
        #expect(driver.text == before)
    }

    @Test("a deleted answer leaves the list and the text, its branches stay, and u restores it")
    func deletesAnswer() throws {
        #expect(driver.rows(with: "└6 ").count == 1)
        try driver.type("D")
        #expect(driver.text.contains("Delete answer “Planets wander because"))
        #expect(try made.generations.generations(of: 4).count == 5)
        try driver.type("d")
        #expect(driver.text.contains("deleted answer “Planets wander because"))
        #expect(!driver.text.contains("Token 1"))
        #expect(driver.rows(with: "└6 ").count == 1)
        #expect(try made.generations.generations(of: 4).map(\.id) == [2, 3, 4, 5])
        try driver.type("u")
        #expect(driver.text.contains("restored answer “Planets wander because"))
        #expect(try made.generations.generations(of: 4).map(\.id) == [1, 2, 3, 4, 5])
    }

    @Test("a deleted session is gone from the screen until u restores it with its answers")
    func deletesSession() throws {
        try driver.type("ggD")
        #expect(driver.text.contains("Delete session “Why do planets wander among the stars?”?"))
        try driver.type("d")
        #expect(driver.text.contains("Sessions ─ 3"))
        #expect(!driver.text.contains("Answer in one sentence."))
        try driver.type("u")
        #expect(driver.text.contains("Sessions ─ 4"))
        try driver.type("gg<enter>")
        #expect(driver.rows(with: "└10 ").count == 1)
    }

    @Test("the panel still works after everything is deleted")
    func deletesAll() throws {
        for _ in 0..<12 { try driver.type("ggDd") }
        #expect(driver.text.contains("Sessions ─ 0"))
        try driver.type("D")
        #expect(driver.text.contains("there is nothing to delete"))
        try driver.type("a")
        #expect(driver.text.contains("Sessions ─ 1"))
    }

    @Test("keys in the Sessions pane act on the row under the cursor, and the footer names it")
    func actsOnRow() throws {
        let other = try made.session(
            "Is it so?", PromptDocument(model: "scripted:Yes.", input: .text("Is it so?")), minutesBefore: -1)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [1], title: ""))
        try driver.type("gg")
        #expect(driver.footer.contains("r run session") && driver.footer.contains("D delete session"))
        try driver.ask("r")
        #expect(try made.generations.generations(of: other.id).count == 1)
        #expect(try made.generations.generations(of: 4).count == 5)
        #expect(driver.rows(with: "▾ Is it so?").count == 1)
        try driver.type("ggT<ctrl-u>It is so<enter>")
        #expect(try made.generations.session(other.id)?.title == "It is so")
    }

    @Test("outside the Sessions pane, D deletes the open answer, wherever the list's cursor is")
    func deletesOpen() throws {
        try driver.type("G<tab>")
        #expect(!driver.footer.contains("delete"))
        try driver.type("D")
        #expect(driver.text.contains("Delete answer “Planets wander because"))
        try driver.type("d")
        #expect(try made.generations.generations(of: 4).map(\.id) == [2, 3, 4, 5])
        try driver.type("D")
        #expect(driver.text.contains("Delete session “Why do planets wander among the stars?”?"))
    }

    @Test("u leaves what another process deleted")
    func undoesOwn() throws {
        try made.generations.deleteSession(1, at: Place.now())
        try driver.type("u")
        #expect(driver.text.contains("nothing left to restore"))
        #expect(try made.generations.sessions().count == 3)
    }

    @Test("a session has its own title or else its first question as title")
    func titles() throws {
        try driver.type("T<ctrl-u>Wanderers<enter>")
        #expect(driver.rows(with: "▾ Wanderers").count == 1)
        try driver.ask("aM<ctrl-u>scripted:yes<enter>iIs it\u{20}so?<enter>")
        #expect(driver.rows(with: "▾ Is it so?").count == 1)
    }

    @Test("a new session has the model and settings of the previous session")
    func newSession() throws {
        try driver.type("a")
        let newest = try #require(try made.generations.sessions().first)
        let draft = try PromptDocument(text: newest.draft)
        #expect(draft.model == TokenRecords.model)
        #expect(draft.sampling == TokenRecords.document.sampling)
        #expect(draft.isEmpty)
    }

    @Test("answers left open by a killed program are marked at the next start")
    func interrupted() throws {
        var open = TokenRecords.told(in: 4, ["half", " of"])
        open.outcome = Generation.Outcome(.running)
        try made.generations.save(open)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.session, [4], title: ""))
        #expect(driver.text.contains("Orrery exited while the model was generating"))
    }

    @Test("an answer without text shows the reason and the next keys")
    func silent() throws {
        var empty = TokenRecords.told(in: 4)
        empty.steps = [TokenStep(text: "", id: 0, logProbability: -0.0258)]
        let id = try made.generations.save(empty)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.generation, [id], title: ""))
        #expect(driver.text.contains("the model ended its reply at once"))
        #expect(driver.text.contains("M changes the model  E edits the prompt"))
        #expect(driver.rows(with: "no text").count == 1)
    }

    @Test("hostile text is escaped in every cell, at any size", arguments: [Size(120, 40), Size(80, 24), Size(33, 9)])
    func hostile(size: Size) throws {
        let text = "\u{1B}[31mred\u{1B}]0;t\u{7}\r\n\u{9B}5m\u{202E}right\u{200B}\u{0}\u{7F}\u{FEFF}👩‍💻\t漢字"
        let document = PromptDocument(
            model: text,
            input: .messages(
                [Message(.user, [.text(text)])],
                tools: [
                    ToolDefinition(name: text, description: text, parameters: text)
                ]))
        let session = try made.session(text, document)
        var answer = TokenRecords.told(in: session.id, [text, text, ""], document: document)
        answer.prompt = []
        answer.reasoning = text
        answer.toolCalls = [ToolCall(id: "c", name: text, arguments: text)]
        answer.outcome.finish = text
        answer.steps[0].stages?[0].name = text
        let id = try made.generations.save(answer)
        let driver = ShellDriver.tokens(
            made.workspace, size: size, opening: Reference(.generation, [id], title: text))
        for keys in ["", "<tab>", "l", "l", "<tab>", "z", "<tab>", "<esc>d", "G", "/red<enter>", "M<esc>", "gg<enter>"]
        {
            try driver.type(keys)
            #expect(Hostile.dangers(on: driver.shell.draw()) == [], "after \(keys)")
        }
    }

    @Test("hundreds of keys at any size each draw a complete screen", arguments: [1, 2, 3] as [UInt64])
    func endurance(seed: UInt64) throws {
        var random = Seeded(seed)
        let keys = [
            "j", "k", "h", "l", "<pgdn>", "<pgup>", "gg", "G", "<enter>", "<esc>", "<tab>", "<shift-tab>", "z", "]",
            "[",
            "n", "N", "c", "d", "t", "a", "D", "u", "y", "b", "r", "x", "/plan<enter>", "/<esc>",
            "s<ctrl-u>top_k=3<enter>", "T<ctrl-u>title<enter>", "M<ctrl-u>scripted:one two<enter>", "isay<enter>",
        ]
        for count in 0..<250 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                driver.handle(
                    .resize(Size(.random(in: 1...220, using: &random), .random(in: 1...70, using: &random))))
            case 1:
                let gesture: Mouse.Action = [.press, .doubleClick, .scrollUp, .scrollDown].randomElement(
                    using: &random)!
                let point = Point(
                    column: .random(in: 0..<driver.shell.size.columns, using: &random),
                    row: .random(in: 1..<max(2, driver.shell.size.rows), using: &random))
                driver.handle(.mouse(Mouse(gesture, at: point)))
            // Models of the fixture are nowhere; what they are asked fails.
            case 2: driver.finishJobs()
            default: try driver.type(keys.randomElement(using: &random)!)
            }
            let dangers = Hostile.dangers(on: driver.shell.draw())
            #expect(dangers.isEmpty, "seed \(seed), step \(count)")
        }
    }
}
