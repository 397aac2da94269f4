import Console
import FeatureLab
import Interpretability
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench
import Workspace

@Suite struct `The features panel` {
    private func reading(_ text: String = FeatureWorkspace.story, size: Size = Size(120, 40)) throws -> FeatureDriver {
        let driver = FeatureDriver(try FeatureWorkspace.indexed(), size: size)
        driver.act(.prompt)
        driver.type(text)
        return driver
    }

    @Test func `a dictionary that is there lists its features and shows the strongest of a sample text`() throws {
        let driver = FeatureDriver(try FeatureWorkspace.indexed())
        let screen = driver.screen()
        for part in [
            "mini-2 ─ 48", "by meaning", "feature", "strongest", "of 37 tokens", "nearest", "activations, log",
            "Feature 34", "Text ─ 22", "token 15 ──  nights", "shaded by feature 34",
        ] {
            #expect(screen.contains(part), "\(part) is missing")
        }
        #expect(driver.panel.selection?.kind.rawValue == "feature")
    }

    @Test func `without a dictionary it says how one is made`() throws {
        let driver = FeatureDriver(try TestWorkspace())
        #expect(driver.screen().contains("orrery feature train MODEL"))
        driver.act(.search, .activeHere)
        #expect(driver.refusals.last == "no dictionary yet: create one with orrery feature train or add")
        #expect(driver.failures == [])
    }

    @Test func `features are found by label and by token, and walked through`() throws {
        let driver = FeatureDriver(try FeatureWorkspace.indexed())
        driver.act(.search)
        driver.type("label: flag")
        #expect(driver.screen().contains("labeled flag") && driver.screen().contains("colors of flags"))
        driver.act(.search)
        driver.type("token: flag")
        #expect(driver.screen().contains("firing on flag") && driver.screen().contains("score"))
        let first = driver.panel.selection
        driver.act(.nextFeature)
        #expect(driver.panel.selection != first)
        driver.act(.back)
        #expect(driver.screen().contains("by meaning"))
        driver.act(.sort)
        #expect(driver.screen().contains("by density"))
        driver.act(.sort)
        #expect(driver.screen().contains("by maximum"))
        #expect(driver.failures == [])
    }

    @Test func `a text is read, its tokens are shaded, and what is active at the cursor is listed`() throws {
        let driver = try reading()
        #expect(driver.failures == [])
        #expect(driver.screen().contains("Active ─ 4 ── token 16 ──  is"))
        driver.act(.left)
        #expect(driver.screen().contains("token 15"))
        driver.act(.activeHere)
        #expect(driver.screen().contains("active, by activation"))
        driver.act(.sort)
        #expect(driver.screen().contains("active, by share"))
        driver.act(.nextPane, .moveDown, .open, .right)
        #expect(driver.screen().contains("token 16"))
        #expect(driver.failures == [])
        driver.act(.find)
        driver.type("flag")
        #expect(driver.notices == [])
        driver.act(.find)
        driver.type("nowhere")
        #expect(driver.notices.last == "nowhere was not found")
    }

    @Test func `tokens arrive one by one, and only a cursor at the end follows`() throws {
        let driver = try reading()
        driver.act(.step, .step)
        #expect(driver.screen().contains("Text ─ 19"))
        #expect(driver.screen().contains("token 18"))
        driver.act(.toTop, .step)
        #expect(driver.screen().contains("Text ─ 20") && driver.screen().contains("token 0"))
    }

    @Test func `a text with the feature turned off runs next to the untouched text, with KL for every token`() throws {
        let driver = try reading()
        driver.act(.nextPane, .off)
        let screen = driver.screen()
        #expect(driver.failures == [])
        #expect(screen.contains(" off") && screen.contains("nats/token"))
        driver.act(.off)
        #expect(!driver.screen().contains("nats/token"))
        driver.act(.stronger, .stronger)
        #expect(driver.screen().contains("× 4"))
        driver.act(.weaker, .weaker, .weaker)
        #expect(driver.screen().contains("× 0.5"))
        var panel = driver.panel
        let asked = panel.update(.action(.set)).first
        #expect(asked?.problem(with: "many") == "enter a number")
        #expect(asked?.problem(with: "6") == nil)
        driver.act(.set)
        driver.type("6")
        #expect(driver.screen().contains("= 6"))
        driver.act(.otherText, .shading, .formula)
        #expect(driver.failures == [])
        driver.act(.undoChange)
        #expect(!driver.screen().contains("nats/token"))
    }

    @Test func `changes apply from the cursor on if requested`() throws {
        let driver = try reading()
        driver.act(.left, .left, .fromHere, .off)
        #expect(driver.screen().contains("off, from token 14"))
        driver.act(.formula)
        #expect(driver.screen().contains("✓") && !driver.screen().contains("✗ expected"))
        driver.act(.fromHere)
        #expect(!driver.screen().contains("from token 14"))
    }

    @Test func `changes are saved under a name and restored`() throws {
        let driver = try reading()
        driver.act(.restore)
        #expect(driver.notices.last == "No changes are saved yet: W saves them.")
        driver.act(.stronger, .keep)
        driver.type("loud")
        driver.act(.clearChanges)
        #expect(!driver.screen().contains("× 2"))
        driver.act(.restore)
        driver.type("loud")
        #expect(driver.screen().contains("× 2"))
        driver.act(.restore)
        driver.type("quiet")
        #expect(driver.failures.last == "no saved changes named quiet. Saved: loud.")
    }

    @Test func `saved changes are replaced only after a question`() throws {
        let driver = try reading()
        for _ in 0..<2 {
            driver.act(.stronger, .keep)
            driver.type("loud")
        }
        #expect(driver.prompt?.label == "Replace the saved changes “loud”?")
        driver.type("r")
        driver.act(.clearChanges, .restore)
        driver.type("loud")
        #expect(driver.notices.last?.contains("× 4") == true)
    }

    @Test func `a label is set and taken back`() throws {
        let driver = FeatureDriver(try FeatureWorkspace.indexed())
        driver.act(.label)
        driver.type("names of towns")
        #expect(driver.screen().contains("names of towns"))
        driver.act(.label)
        driver.type("")
        #expect(!driver.screen().contains("names of towns"))
    }

    @Test func `a text that does not fit is reported in its pane`() throws {
        let driver = try reading(String(repeating: "Dunancrest ", count: 600))
        #expect(driver.failures.last?.contains("Shorten the text.") == true)
        // The sentence goes over two rows.
        #expect(driver.screen().contains("1202 tokens and one more exceed the context"))
        #expect(driver.screen().contains("Shorten the text."))
        #expect(driver.panel.disabledReason(.cancel) == "nothing is running")
    }

    @Test func `while a text comes it says so, and can be ended`() throws {
        let driver = try reading()
        driver.isHeld = true
        driver.act(.play)
        #expect(driver.panel.disabledReason(.cancel) == nil)
        driver.act(.play)
        #expect(driver.cancelled == ["text"])
        #expect(driver.panel.disabledReason(.cancel) == "nothing is running")
    }

    @Test func `a token of a kept answer opens at its place, and goes back as the token that it is`() throws {
        let made = try FeatureWorkspace.indexed()
        let answer = try KeptAnswer(in: made.workspace)
        let driver = FeatureDriver(made)
        #expect(driver.open(Reference(.token, [answer.id, 1], title: "")))
        #expect(driver.failures == [])
        #expect(driver.panel.selection?.text == "token:\(answer.id)/1")
        driver.act(.right)
        #expect(driver.panel.selection?.text == "token:\(answer.id)/2")
        driver.act(.toTop)
        #expect(driver.panel.selection?.text == "generation:\(answer.id)")
        driver.act(.nextPane)
        #expect(driver.panel.selection?.kind.rawValue == "feature")
        #expect(!driver.open(Reference(.session, [1], title: "")))
        #expect(driver.open(Reference(.generation, [404], title: "")))
        #expect(driver.failures.last?.contains("answer 404") == true)
    }

    @Test func `a feature is opened by its reference`() throws {
        let made = try FeatureWorkspace.indexed()
        let id = try FeatureStore(made.workspace).dictionaries()[0].id
        let driver = FeatureDriver(made)
        #expect(driver.open(Reference(text: "feature:\(id)/7")!))
        #expect(driver.screen().contains("Feature 7 ── colors of flags"))
        #expect(driver.panel.selection?.path == [id, 7])
    }

    @Test func `the pane is exported, and an existing file is not overwritten`() throws {
        let folder = TemporaryFolder()
        let driver = try reading()
        driver.act(.off)
        func export(_ name: String) {
            driver.act(.export)
            driver.type(folder.file(name))
        }
        for name in ["text.csv", "text.safetensors", "text.svg"] { export(name) }
        driver.act(.nextPane, .nextPane)
        for name in ["list.csv", "list.json", "list.svg"] { export(name) }
        driver.act(.nextPane)
        for name in ["card.csv", "card.json", "card.safetensors", "card.svg"] { export(name) }
        #expect(driver.failures == [])
        #expect(driver.notices.count { $0.hasPrefix("written to") } == 10)
        export("card.csv")
        export("card.safetensors")
        export("card.png")
        #expect(driver.failures.count == 3)
        #expect(driver.failures[1].contains("already exists"))
        #expect(driver.failures[2].contains("End the name in .csv, .json, .safetensors, or .svg."))
    }

    @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60), Size(40, 10), Size(20, 5)])
    func `it is composed at every size`(size: Size) throws {
        let driver = try reading(size: size)
        driver.act(.off, .nextPane, .zoom, .nextPane, .nextPane, .nextPane, .zoom, .formula, .circuits, .nextPane)
        #expect(driver.screen().split(separator: "\n", omittingEmptySubsequences: false).count >= size.rows)
        driver.resize(to: Size(100, 30))
        #expect(driver.failures == [])
    }

    @Test func `the screen is restored as it was`() throws {
        let made = try FeatureWorkspace.indexed()
        let driver = FeatureDriver(made)
        driver.act(.prompt)
        driver.type("one line\\nand another")
        driver.act(.nextPane, .nextPane, .nextFeature, .zoom)
        let again = FeatureDriver(made, saved: driver.panel.save())
        #expect(again.panel.save() == driver.panel.save())
        #expect(again.panel.save().contains(#"one line\nand another"#))
        #expect(FeatureDriver(made, saved: "{ broken").failures == [])
    }

    @Test func `the mouse chooses features, tokens and panes`() throws {
        let driver = try reading()
        let before = driver.panel.selection
        driver.click(.doubleClick, column: 10, row: 5)
        #expect(driver.panel.selection != before)
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
