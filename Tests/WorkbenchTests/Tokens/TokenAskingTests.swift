import Console
import LanguageModels
import ModelLab
import Presentation
import TestFixtures
import Testing
import Workbench

@Suite("The tokens page: requests and answers")
struct TokenAskingTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace()
        driver = .tokens(made.workspace)
    }

    private static let says = "M<ctrl-u>scripted:They orbit the Sun.<enter>"

    /// Opens the settings, and types a value into one of them.
    private static func setting(_ name: String, _ value: String) -> String {
        let names = PromptDocument(model: "", input: .text("")).settings(isLocal: true).map(\.name)
        return "s" + String(repeating: "<down>", count: names.firstIndex(of: name) ?? 0) + value
    }

    private func answers() throws -> [GenerationSummary] {
        try made.generations.sessions().flatMap { try made.generations.generations(of: $0.id) }
    }

    /// Returns the newest answer.
    private func last() throws -> Generation {
        let summary = try #require(try answers().last)
        return try #require(try made.generations.generation(summary.id))
    }

    @Test("without a model, the panel says how to add one", arguments: [Size(120, 40), Size(80, 24), Size(60, 20)])
    func firstRun(size: Size) throws {
        let driver = ShellDriver.tokens(made.workspace, size: size)
        #expect(driver.text.contains("No models yet"))
        if size.columns >= 80 { #expect(driver.text.contains("orrery model add PATH")) }
        for key in ["r", "x", "b", "d", "]", "n", "c", "t", "E", "e", "y", "D", "<tab>", "<enter>", "<esc>"] {
            try driver.type(key)
        }
        #expect(Hostile.dangers(on: driver.shell.draw()) == [])
    }

    @Test("unavailable actions are rejected with a reason")
    func refusals() throws {
        try driver.type("r")
        #expect(driver.text.contains("start a session first: press a"))
        try driver.type("x")
        #expect(driver.text.contains("no generation is running"))
        try driver.type("ar")
        #expect(driver.text.contains("The prompt is empty. Press i to send a message."))
        try driver.type("d")
        #expect(driver.text.contains("open an answer first"))
        try driver.type("u")
        #expect(driver.text.contains("nothing left to restore"))
    }

    @Test(
        "in a sample session, i and a begin a conversation with default settings, and the sample stays as it was",
        arguments: ["iWhy do planets wander?<enter>", "aiWhy do planets wander?<enter>"])
    func saysInSample(keys: String) throws {
        let recording = try #require(SampleTexts.recordings.last)
        var document = PromptDocument(model: "scripted:They orbit the Sun.", input: .text(recording.prompt))
        document.sampling.temperature = recording.temperature
        let sample = try made.session(recording.title, document)
        let driver = ShellDriver.tokens(made.workspace, opening: Reference(.session, [sample.id], title: ""))
        try driver.ask(keys)
        #expect(try made.generations.sessions().count == 2)
        let said = try last().document
        let question = Message(.user, [.text("Why do planets wander?")])
        #expect(said.model == document.model && said.sampling == Sampling())
        #expect(said.input == .messages([question], tools: []))
        #expect(try made.generations.generations(of: sample.id).isEmpty)
        #expect(try made.generations.sessions().first { $0.id == sample.id }?.draft == document.text)
        // The new session is the user's own: the next message continues it.
        try driver.ask("iAnd comets?<enter>")
        #expect(try made.generations.sessions().count == 2)
    }

    @Test("a message is sent, answered word by word, and saved")
    func says() throws {
        try driver.type(Self.says)
        #expect(driver.text.contains("this session now uses"))
        try driver.type("iWhy do planets wander?<enter>")
        #expect(driver.text.contains("answering"))
        #expect(driver.rows(with: "Why do planets wander?").count >= 1, "before the first token")
        driver.finishJobs()
        #expect(!driver.text.contains("answering"))
        #expect(driver.text.contains("They orbit the Sun."))
        #expect(driver.rows(with: "Why do planets wander?").count >= 1)
        #expect(try answers().map(\.caption) == ["They orbit the Sun."])
        #expect(try answers().map(\.outcome.finish) == ["stop"])
    }

    @Test("the first message without a session starts one and asks for the model")
    func saysFirst() throws {
        try driver.type("iHello<enter>")
        #expect(driver.text.contains("╭─ Model ─"))
        #expect(driver.text.contains("type to filter, or a path, openai:NAME"))
        try driver.ask("scripted:Hello yourself.<enter>r")
        #expect(driver.text.contains("Hello yourself."))
    }

    @Test("the conversation continues: earlier messages and answers are part of the request")
    func goesOn() throws {
        try driver.ask(Self.says + "iWhy?<enter>")
        try driver.ask("iSince when?<enter>")
        let document = try last().document
        #expect(
            document.input
                == .messages(
                    [
                        Message(.user, [.text("Why?")]), Message(.assistant, [.text("They orbit the Sun.")]),
                        Message(.user, [.text("Since when?")]),
                    ], tools: []))
    }

    @Test("r runs the prompt again, and R runs it n times in a row with consecutive seeds")
    func repeats() throws {
        try driver.ask(Self.says + "iWhy?<enter>" + Self.setting("seed", "7") + "<enter>")
        try driver.type("R3<enter>")
        #expect(driver.engine.count == 1)
        #expect(driver.text.contains("answering, 2 queued"))
        driver.finishJobs()
        let seeds = try answers().map { try made.generations.generation($0.id)?.document.sampling.seed }
        #expect(seeds == [nil, 7, 8, 9])
        for wrong in ["0", "101", "many"] {
            try driver.ask("R\(wrong)<enter>")
            #expect(driver.text.contains("a number from 1 to 100"))
            try driver.type("<esc>")
        }
        try driver.ask("r")
        #expect(try answers().count == 5)
        #expect(driver.text.contains("Sessions ─ 1"))
    }

    @Test("x cancels the running answer and all waiting answers")
    func cancels() throws {
        try driver.type(Self.says + "iWhy?<enter>x")
        driver.finishJobs()
        #expect(try answers().map(\.outcome.finish) == ["cancelled"])
        try driver.type("R5<enter>x")
        driver.finishJobs()
        #expect(try answers().count == 2)
        #expect(!driver.text.contains("answering"))
        try driver.ask("r")
        #expect(try answers().last?.outcome.finish == "stop")
    }

    @Test("a scripted answer reports no token data, and every place says so")
    func notTold() throws {
        try driver.ask(Self.says + "iWhy?<enter>")
        #expect(driver.text.contains("probability  not reported by scripted"))
        #expect(driver.text.contains("p not reported"))
        #expect(driver.text.contains("entropy not reported"))
        #expect(driver.text.contains("processors: not reported"))
        #expect(driver.text.contains("alternatives: not reported"))
        try driver.type("]")
        #expect(driver.text.contains("probabilities are not reported for this answer"))
        try driver.type("b")
        #expect(driver.text.contains("alternatives are not reported for this token"))
        #expect(!driver.text.contains("0 %"))
        try driver.type("c")
        #expect(driver.text.contains("entropy  not reported by scripted"))
    }

    @Test("a failed answer shows its error, in the list and in place of the answer, and can be run again")
    func fails() throws {
        try driver.ask("M<ctrl-u>exec:/nowhere/program<enter>iWhy?<enter>")
        #expect(try answers().map(\.outcome.state) == [.failed])
        #expect(driver.rows(with: "/nowhere/program").count >= 1)
        #expect(driver.rows(with: "failed").contains { $0.contains("program") })
        try driver.ask("M<ctrl-u>scripted:Because.<enter>iWhy then?<enter>")
        #expect(driver.text.contains("Because."))
        #expect(
            try last().document.input == .messages([Message(.user, [.text("Why then?")])], tools: []),
            "a question without an answer is sent again")
    }

    @Test("a missing model is reported, and nothing is saved")
    func unknownModel() throws {
        try driver.ask("M<ctrl-u>/nowhere/model.gguf<enter>iWhy?<enter>")
        #expect(driver.text.contains("/nowhere/model.gguf"))
        #expect(try answers().isEmpty)
        #expect(!driver.text.contains("answering"))
        try driver.type("M<ctrl-u>ftp://elsewhere<enter>")
        #expect(driver.text.contains("unsupported address. Use http:// or https://"))
    }

    @Test("settings change in a form; an invalid value is reported and changes nothing")
    func settings() throws {
        try driver.ask(Self.says + "iWhy?<enter>")
        for (name, value) in [("temperature", "0.7"), ("top_k", "40"), ("seed", "1")] {
            try driver.type(Self.setting(name, value) + "<enter>")
        }
        #expect(driver.text.contains("temperature 0.7, top_k 40, seed 1"))
        #expect(driver.text.contains("the prompt has changed: r runs it again"))
        for (name, value, sentence) in [
            ("temperature", "hot", "temperature must be a number from 0.0 to 100.0, not hot"),
            ("top_k", "0", "top_k must be a whole number of 1 or more"),
            ("seed", "many", "seed must be a whole number of 0 or more, not many"),
        ] {
            try driver.type(Self.setting(name, value) + "<enter>")
            #expect(driver.text.contains(sentence), "\(name)")
            #expect(driver.text.contains("╭─ Settings: "), "a wrong value keeps the form open")
            try driver.type("<esc>")
        }
        let draft = try #require(try made.generations.sessions().first).draft
        #expect(try PromptDocument(text: draft).sampling == Sampling(temperature: 0.7, topK: 40, seed: 1))
        try driver.ask("r")
        #expect(!driver.text.contains("the prompt has changed"))
    }

    @Test("t turns a conversation into a plain text to continue, and back")
    func modes() throws {
        try driver.ask(Self.says + "iOnce upon<enter>")
        try driver.ask("tr")
        #expect(try last().document.input == .text("Once upon"))
        try driver.type("t")
        #expect(driver.text.contains("The model now replies in a chat."))
    }

    @Test("a model is added from the panel, and an invalid model gives the reason")
    func addsModel() throws {
        try driver.type("Aopenai:gpt-4o-mini<enter>")
        #expect(driver.text.contains("added gpt-4o-mini: M selects it"))
        #expect(!driver.text.contains("No models yet"))
        let path = made.folder.file("broken.gguf")
        File.write("GGUF", to: path)
        try driver.type("A\(path)<enter>")
        #expect(driver.text.contains("broken.gguf"))
        try driver.type("iHello<enter>")
        #expect(try ModelRegistry(made.workspace).entries().map(\.name) == ["gpt-4o-mini"])
        #expect(try made.generations.sessions().first?.draft.contains("model = gpt-4o-mini") == true)
    }
}
