import Console
import FeatureLab
import GRDB
import Interpretability
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench
import Workspace

@Suite struct `The features page` {
    private func reading(_ text: String = FeatureWorkspace.story, size: Size = Size(120, 40)) throws -> FeatureDriver {
        let driver = try FeatureDriver(FeatureWorkspace.indexed(), size: size)
        try driver.press("prompt")
        try driver.answer(text)
        return driver
    }

    @Test func `a dictionary that is there lists its features and shows the strongest of a sample text`() throws {
        let driver = try FeatureDriver(FeatureWorkspace.indexed())
        let screen = driver.screen()
        for part in [
            "mini-2 ─ 48", "by meaning", "feature", "strongest", "of 37 tokens", "nearest", "activations, log",
            "Feature 34", "Text ─ 22", "token 15 ──  nights", "shaded by feature 34",
        ] {
            #expect(screen.contains(part), "\(part) is missing")
        }
        #expect(driver.page.selection?.kind.rawValue == "feature")
    }

    @Test func `without a dictionary it says how one is made`() throws {
        let driver = try FeatureDriver(TestWorkspace())
        #expect(driver.screen().contains("orrery feature train MODEL"))
        try driver.press("search", "active")
        #expect(driver.refusals.last == "no dictionary yet: create one with orrery feature train or add")
        #expect(driver.failures == [])
    }

    @Test func `features are found by label and by token, and walked through`() throws {
        let driver = try FeatureDriver(FeatureWorkspace.indexed())
        try driver.press("search")
        try driver.answer("label: flag")
        #expect(driver.screen().contains("labeled flag") && driver.screen().contains("colors of flags"))
        try driver.press("search")
        try driver.answer("token: flag")
        #expect(driver.screen().contains("firing on flag") && driver.screen().contains("score"))
        let first = driver.page.selection
        try driver.press("next-feature")
        #expect(driver.page.selection != first)
        try driver.press("back")
        #expect(driver.screen().contains("by meaning"))
        try driver.press("sort")
        #expect(driver.screen().contains("by density"))
        try driver.press("sort")
        #expect(driver.screen().contains("by maximum"))
        #expect(driver.failures == [])
    }

    @Test func `a text is read, its tokens are shaded, and what is active at the cursor is listed`() throws {
        let driver = try reading()
        #expect(driver.failures == [])
        #expect(driver.screen().contains("Active ─ 4 ── token 16 ──  is"))
        try driver.press("left")
        #expect(driver.screen().contains("token 15"))
        try driver.press("active")
        #expect(driver.screen().contains("active, by activation"))
        try driver.press("sort")
        #expect(driver.screen().contains("active, by share"))
        try driver.press("next-pane", "down", "open", "right")
        #expect(driver.screen().contains("token 16"))
        #expect(driver.failures == [])
        try driver.press("find")
        try driver.answer("flag")
        #expect(driver.notices == [])
        try driver.press("find")
        try driver.answer("nowhere")
        #expect(driver.notices.last == "nowhere was not found")
    }

    @Test func `tokens arrive one by one, and only a cursor at the end follows`() throws {
        let driver = try reading()
        try driver.press("step", "step")
        #expect(driver.screen().contains("Text ─ 19"))
        #expect(driver.screen().contains("token 18"))
        try driver.press("top", "step")
        #expect(driver.screen().contains("Text ─ 20") && driver.screen().contains("token 0"))
    }

    @Test func `a text with the feature turned off runs next to the untouched text, with KL for every token`() throws {
        let driver = try reading()
        try driver.press("next-pane", "off")
        let screen = driver.screen()
        #expect(driver.failures == [])
        #expect(screen.contains(" off") && screen.contains("nats/token"))
        try driver.press("off")
        #expect(!driver.screen().contains("nats/token"))
        try driver.press("stronger", "stronger")
        #expect(driver.screen().contains("× 4"))
        try driver.press("weaker", "weaker", "weaker")
        #expect(driver.screen().contains("× 0.5"))
        try driver.press("set")
        #expect(driver.dialog?.problem(with: "many") == "enter a number")
        #expect(driver.dialog?.problem(with: "6") == nil)
        try driver.answer("6")
        #expect(driver.screen().contains("= 6"))
        try driver.press("other-text", "shading", "formula")
        #expect(driver.failures == [])
        try driver.press("undo")
        #expect(!driver.screen().contains("nats/token"))
    }

    @Test func `changes apply from the cursor on if requested`() throws {
        let driver = try reading()
        try driver.press("left", "left", "from-here", "off")
        #expect(driver.screen().contains("off, from token 14"))
        try driver.press("formula")
        #expect(driver.screen().contains("✓") && !driver.screen().contains("✗ expected"))
        try driver.press("from-here")
        #expect(!driver.screen().contains("from token 14"))
    }

    @Test func `changes are saved under a name and restored`() throws {
        let driver = try reading()
        try driver.press("restore")
        #expect(driver.notices.last == "No changes are saved yet: W saves them.")
        try driver.press("stronger", "keep")
        try driver.answer("loud")
        try driver.press("clear")
        #expect(!driver.screen().contains("× 2"))
        try driver.press("restore")
        try driver.answer("loud")
        #expect(driver.screen().contains("× 2"))
        try driver.press("restore")
        guard case .choose(let request) = driver.dialog else {
            Issue.record("B lists no changes")
            return
        }
        #expect(request.chooser.choices.map(\.title) == ["loud"])
    }

    @Test func `saved changes are replaced only after a question`() throws {
        let driver = try reading()
        for _ in 0..<2 {
            try driver.press("stronger", "keep")
            try driver.answer("loud")
        }
        #expect(driver.asked?.label == "Replace the saved changes “loud”?")
        try driver.answer("r")
        try driver.press("clear", "restore")
        try driver.answer("loud")
        #expect(driver.notices.last?.contains("× 4") == true)
    }

    @Test func `a label is set and removed`() throws {
        let driver = try FeatureDriver(FeatureWorkspace.indexed())
        try driver.press("label")
        try driver.answer("names of towns")
        #expect(driver.screen().contains("names of towns"))
        try driver.press("label")
        try driver.answer("")
        #expect(!driver.screen().contains("names of towns"))
    }

    @Test func `a label of an active feature that is not listed keeps its dashboard open`() throws {
        let driver = try reading()
        try driver.press("search")
        try driver.answer("label: flag")
        try driver.press("next-pane", "top", "open")
        // The list has feature 7 only.
        if driver.page.selection?.path.last == 7 { try driver.press("down", "open") }
        let opened = try #require(driver.page.selection?.path.last)
        try driver.press("label")
        try driver.answer("verbs")
        #expect(driver.page.selection?.path.last == opened)
        #expect(driver.screen().contains("Feature \(opened) ── verbs"))
    }

    @Test func `a text that does not fit is reported in its pane`() throws {
        let driver = try reading(String(repeating: "Dunancrest ", count: 600))
        #expect(driver.failures.last?.contains("Shorten the text.") == true)
        // The sentence goes over two rows.
        #expect(driver.screen().contains("1202 tokens and one more exceed the context"))
        #expect(driver.screen().contains("Shorten the text."))
        try driver.press("cancel")
        #expect(driver.refusals == ["nothing is running"])
    }

    @Test func `space and x end a run`() throws {
        let driver = try reading()
        driver.isHeld = true
        try driver.press("play")
        try driver.press("play")
        #expect(try !driver.isRunning())
        try driver.press("step")
        #expect(try driver.isRunning())
        try driver.press("cancel", "cancel")
        #expect(driver.refusals == ["nothing is running"])
    }

    @Test func `a token of a kept answer opens at its place, and goes back as the token that it is`() throws {
        let made = try FeatureWorkspace.indexed()
        let answer = try KeptAnswer(in: made.workspace)
        let driver = try FeatureDriver(made)
        #expect(try driver.open(Reference(.token, [answer.id, 1], title: "")))
        #expect(driver.failures == [])
        #expect(driver.page.selection?.text == "token:\(answer.id)/1")
        try driver.press("right")
        #expect(driver.page.selection?.text == "token:\(answer.id)/2")
        try driver.press("top")
        #expect(driver.page.selection?.text == "generation:\(answer.id)")
        try driver.press("next-pane")
        #expect(driver.page.selection?.kind.rawValue == "feature")
        #expect(try !driver.open(Reference(.session, [1], title: "")))
        #expect(try driver.open(Reference(.generation, [404], title: "")))
        #expect(driver.failures.last?.contains("answer 404") == true)
    }

    @Test func `a feature is opened by its reference`() throws {
        let made = try FeatureWorkspace.indexed()
        let id = try FeatureStore(made.workspace).dictionaries()[0].id
        let driver = try FeatureDriver(made)
        #expect(try driver.open(Reference(text: "feature:\(id)/7")!))
        #expect(driver.screen().contains("Feature 7 ── colors of flags"))
        #expect(driver.page.selection?.path == [id, 7])
    }

    @Test func `a feature that the list does not have is opened, and the cursor of the list continues`() throws {
        let made = try FeatureWorkspace.indexed()
        let id = try FeatureStore(made.workspace).dictionaries()[0].id
        let driver = try FeatureDriver(made)
        try driver.press("search")
        try driver.answer("label: flag")
        #expect(try driver.open(Reference(text: "feature:\(id)/9")!))
        #expect(driver.page.selection?.path == [id, 9])
        try driver.press("back", "back")
        #expect(driver.page.selection?.path == [id, 9] && driver.screen().contains("by meaning"))
        try driver.press("down")
        let selected = try #require(driver.page.selection?.path.last)
        #expect(selected != 9 && selected != 7 && driver.screen().contains("Feature \(selected)"))
    }

    @Test func `a feature that cannot be read is passed, and Enter reads it again`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = try FeatureDriver(made)
        try driver.press("top", "down")
        let damaged = try #require(driver.page.selection?.path.last)
        try driver.press("up")
        let first = driver.page.selection
        try made.workspace.write {
            try $0.execute(sql: "UPDATE feature_record SET data = x'0102' WHERE id & 4294967295 = \(damaged)")
        }
        try driver.press("next-feature", "previous-feature")
        driver.workspaceChanged()
        #expect(driver.page.selection == first && driver.failures.count == 1, "the feature is not read again")
        try driver.press("next-feature", "open")
        #expect(driver.page.selection == first && driver.failures.count == 3)
        try driver.press("next-feature")
        #expect(driver.page.selection != first && driver.failures.count == 3)
    }

    @Test(arguments: [false, true])
    func `a saved feature that no longer exists is replaced by the first of the list`(isRemoved: Bool) throws {
        let made = try FeatureWorkspace.indexed()
        let id = try FeatureStore(made.workspace).dictionaries()[0].id
        let driver = try FeatureDriver(
            made, saved: #"{"dictionary":\#(isRemoved ? id + 1 : id),"feature":\#(isRemoved ? 9 : 20_000)}"#)
        #expect(driver.page.selection?.path == [id, 7])
        #expect(driver.failures.count == (isRemoved ? 0 : 1))
    }

    @Test func `a list that cannot be read is not left blank`() throws {
        let made = try FeatureWorkspace.indexed()
        try made.workspace.write { try $0.execute(sql: "ALTER TABLE feature_stat RENAME TO gone") }
        let driver = try FeatureDriver(made, saved: "{}")
        #expect(driver.failures.count == 1 && driver.screen().contains("no feature matches: / searches again"))
    }

    @Test func `the pane is exported, and an existing file is not overwritten`() throws {
        let folder = TemporaryFolder()
        let driver = try reading()
        try driver.press("off")
        func export(_ name: String) throws {
            try driver.press("export")
            try driver.answer(folder.file(name))
        }
        for name in ["text.csv", "text.safetensors", "text.svg"] { try export(name) }
        try driver.press("next-pane", "next-pane")
        for name in ["list.csv", "list.json", "list.svg"] { try export(name) }
        try driver.press("next-pane")
        for name in ["card.csv", "card.json", "card.safetensors", "card.svg"] { try export(name) }
        #expect(driver.failures == [])
        #expect(driver.notices.count { $0.hasPrefix("written to") } == 10)
        try export("card.csv")
        try export("card.safetensors")
        try export("card.png")
        #expect(driver.failures.count == 3)
        #expect(driver.failures[1].contains("already exists"))
        #expect(driver.failures[2].contains("End the name in .csv, .json, .safetensors, or .svg."))
    }

    @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60), Size(40, 10), Size(20, 5)])
    func `it is composed at every size`(size: Size) throws {
        let driver = try reading(size: size)
        try driver.press(
            "off", "next-pane", "zoom", "next-pane", "next-pane", "next-pane", "zoom", "formula", "circuits",
            "next-pane")
        #expect(driver.screen().split(separator: "\n", omittingEmptySubsequences: false).count >= size.rows)
        driver.resize(to: Size(100, 30))
        #expect(driver.failures == [])
    }

    @Test func `the screen is restored as it was`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = try FeatureDriver(made)
        try driver.press("prompt")
        try driver.answer("one line\\nand another")
        try driver.press("next-pane", "next-pane", "next-feature", "zoom")
        let again = try FeatureDriver(made, saved: driver.saved)
        #expect(again.saved == driver.saved)
        #expect(again.saved.contains(#"one line\nand another"#))
        #expect(try FeatureDriver(made, saved: "{ broken").failures == [])
    }

    @Test func `a screen saved by an earlier version is restored, with the features behind the circuits`() throws {
        let made = try FeatureWorkspace.indexed()
        let id = try FeatureStore(made.workspace).dictionaries()[0].id
        let model = FeatureWorkspace.model
        let question = #"{\"model\":\"\#(model)\",\"clean\":\"a b\",\"corrupt\":\"\",\"method\":\"ablation\"}"#
        let driver = try FeatureDriver(
            made,
            saved: """
                {"pane":"card","zoomed":false,"shows_circuits":true,"dictionary":\(id),"feature":7,"query":"",\
                "order":"density","prompt":"the flag","circuits":"\(question)"}
                """)
        #expect(driver.screen().contains("ablation of heads and feed-forward layers"))
        #expect(driver.screen().contains("clean "), "the restored circuit runs")
        try driver.press("circuits")
        #expect(driver.screen().contains("Feature 7 ── colors of flags") && driver.screen().contains("by density"))
        #expect(driver.page.screen.focus == .card)
        #expect(driver.failures == [])
    }

    @Test func `the panes and zoom of both halves are restored`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = try FeatureDriver(made)
        try driver.press("next-pane", "zoom", "circuits", "next-pane")
        let again = try FeatureDriver(made, saved: driver.saved)
        #expect(again.saved == driver.saved)
        #expect(again.page.screen.focus == .parts && !again.page.screen.isZoomed)
        try again.press("circuits")
        #expect(again.page.screen.focus == .card && again.page.screen.isZoomed)
    }

    @Test func `the current dictionary chosen again discards its changes and query`() throws {
        let driver = try reading()
        try driver.press("off", "search")
        try driver.answer("label: flag")
        #expect(driver.screen().contains("nats/token") && driver.screen().contains("labeled flag"))
        try driver.press("dictionary")
        try driver.answer(FeatureWorkspace.name)
        #expect(driver.screen().contains("by meaning") && driver.screen().contains("colors of flags"))
        #expect(!driver.screen().contains("nats/token"))
        #expect(driver.page.selection?.path.last == 7)
    }

    @Test func `a double click below the rows opens nothing`() throws {
        let driver = try reading(size: Size(120, 60))
        let before = driver.page.selection
        let row = driver.screen().split(separator: "\n", omittingEmptySubsequences: false)
            .firstIndex { $0.contains("╭─ Active") }
        driver.click(.doubleClick, column: 100, row: try #require(row) + 6)
        #expect(driver.page.selection == before && driver.page.screen.focus == .active)
    }

    @Test func `the mouse chooses features, tokens and panes`() throws {
        let driver = try reading()
        try driver.press("next-pane", "next-pane")
        let before = driver.page.selection
        driver.click(column: 10, row: 5)
        #expect(driver.page.selection == before, "a press moves only the cursor of the list")
        driver.click(.doubleClick, column: 10, row: 5)
        #expect(driver.page.selection != before && driver.page.screen.focus == .list)
        try driver.press("open")
        #expect(driver.page.screen.focus == .card)
        let row = driver.screen().split(separator: "\n", omittingEmptySubsequences: false)
            .lastIndex { $0.contains("Dunancrest has a flag that is red") }
        driver.click(column: 2, row: try #require(row))
        #expect(driver.screen().contains("token 0"))
    }
}

/// An answer of the sample model that is kept with its tokens.
private struct KeptAnswer {
    let id: Int64

    init(in workspace: Workspace) throws {
        let model = try InspectedModel(path: FeatureWorkspace.model)
        let tokens = model.tokens(of: FeatureWorkspace.story)
        let store = GenerationStore(workspace)
        let session = try store.save(
            Session(
                title: "flags", created: Place.now(), changed: Place.now(), draft: ""))
        let answer = Generation(
            session: session.id, document: PromptDocument(model: FeatureWorkspace.model), model: "orrery-mini",
            prompt: tokens.prefix(10).map { PromptToken(id: Int($0), text: model.text(of: $0), origin: .user) },
            steps: tokens.dropFirst(10).map { TokenStep(text: model.text(of: $0), id: Int($0)) },
            started: Place.now(), outcome: Generation.Outcome(.done))
        id = try store.save(answer)
    }
}
