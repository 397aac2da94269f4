import Console
import Foundation
import Tensors
import TestFixtures
import Testing
import Workbench

private let story = "the old clock stood in the old tower"

@Suite struct `The attention page` {
    @Test func `a text that is typed is read, and the last token is looked at`() throws {
        let driver = try AttentionDriver(text: story)
        #expect(driver.prepared.orders == [AttentionOrder(model: "mini", content: .text(story))])
        #expect(driver.prepared.requests.last?.token == 7)
        let screen = driver.screen()
        for part in [
            "Heads", "2 × 3", "L0H0", "query 7", "Tokens ─ 8 ── mini", "L0H0: what token 7 attends to", "tower",
        ] {
            #expect(screen.contains(part), "\(part) is missing")
        }
    }

    @Test func `a wide pane of a head labels its rows with whole tokens`() throws {
        let driver = try AttentionDriver(size: Size(200, 58), text: "the observatory stood still")
        let upper = driver.screen().split(separator: "\n").prefix(30)
        #expect(upper.contains { $0.contains("observatory 1 ") } && !upper.contains { $0.contains("observat…") })
    }

    @Test func `nothing runs before there is a text and a model`() throws {
        let driver = try AttentionDriver(PreparedAttention(models: []))
        try driver.press("run", "step", "head-off")
        #expect(driver.refusals.first == "choose a model first: press M")
        let refusal = "Run the model on some text first. Press i to type text, or M to choose the model."
        #expect(driver.refusals.last == refusal)
        #expect(driver.screen().contains("i types text, M chooses a model for the text: no"))
    }

    @Test func `at first the model that comes with the program reads a text that was chosen for it`() throws {
        let driver = try AttentionDriver(PreparedAttention(layers: 6, heads: 6, models: ["big", "orrery-mini"]))
        #expect(driver.prepared.orders.last?.model == "orrery-mini")
        #expect(driver.screen().contains("Zilupha") && driver.screen().contains("A sample:"))
        #expect(driver.page.selection?.path.prefix(2) == [0, 5])
        try driver.press("left")
        #expect(
            driver.page.selection?.path.prefix(2) == [0, 4], "the note names a head; its neighbor is one key away")
    }

    @Test func `any other model waits for Enter before it reads the proposed text`() throws {
        let driver = try AttentionDriver(PreparedAttention(models: ["big"]))
        #expect(driver.prepared.orders.isEmpty)
        #expect(driver.screen().contains("Enter runs big on this text, i types new text"))
        try driver.press("open")
        #expect(driver.prepared.orders.last?.model == "big")
    }

    @Test func `a token that came is taken back, and a text of its own stays whole`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("step-back")
        #expect(driver.refusals == ["Nothing generated yet. Press . to generate one token."])
        try driver.press("step", "step", "step-back")
        #expect(driver.screen().contains("more0") && !driver.screen().contains("more1"))
        #expect(driver.prepared.requests.last?.token == 8)
        try driver.press("head-off", "step-back")
        #expect(driver.refusals.last?.contains("cannot step back") == true)
    }

    @Test func `a tiny pane of a head tells the weight under the cursor instead of drawing a matrix`() throws {
        let driver = try AttentionDriver(size: Size(20, 3), text: story)
        var seen = Set<String>()
        for _ in 0..<4 {
            let screen = driver.screen()
            #expect(!screen.contains("╭") && !screen.contains("╰"), "\(screen)")
            let isBlank = screen.allSatisfy { $0.isWhitespace }
            #expect(!isBlank)
            seen.insert(screen)
            try driver.press("next-pane")
        }
        #expect(seen.contains { $0.contains("query 7") })
    }

    @Test func `the grid says what a cell covers, even on a small screen`() throws {
        let driver = try AttentionDriver(text: story)
        #expect(driver.screen().contains("── induction ─"))
        #expect(driver.screen().contains("maps: max of 2 × 2, own scale"))
        try driver.press("pooling", "values")
        #expect(driver.screen().contains("maps: mean of 2 × 2, own scale"))
        #expect(driver.screen().contains("weighted by |v|"))
        let cell = CellSpan(queries: 64, keys: 64, pooling: .mean)
        let grid = HeatGrid(rows: 10, columns: 4, values: [])
        #expect(cell.text(of: grid, drawnIn: 10, 4) == "1 cell = 64 × 64, mean")
        #expect(cell.text(of: grid, drawnIn: 4, 4) == "1 cell = up to 192 × 64, mean of means")
        #expect(CellSpan(queries: 1, keys: 1).text == "1 cell = 1 weight")
    }

    @Test func `a large head whose cells share one of the screen says so, with the pooling in use`() throws {
        let driver = try AttentionDriver(text: (0..<200).map { "w\($0)" }.joined(separator: " "))
        try driver.press("pooling")
        #expect(driver.screen().contains(/1 cell = up to \d+ × \d+, mean/))
    }

    @Test func `a cited passage is found among the tokens, with its share of attention`() throws {
        let driver = try AttentionDriver()
        #expect(try driver.open(CitedPassage(trace: 4, span: 0, passage: .chunk(9)).reference(title: "cited")))
        #expect(driver.prepared.requests.last?.range == 1..<4)
        #expect(driver.prepared.requests.last?.token == 5)
        #expect(driver.screen().contains("attention to tokens 1…3"))
        #expect(driver.page.selection?.kind == .citation)
        #expect(try driver.open(CitedPassage(trace: 4, span: 2, passage: .place(0)).reference(title: "cited")))
        #expect(driver.prepared.requests.last?.range == nil)
        #expect(driver.notices.last?.contains("does not contain the passage verbatim") == true)
    }

    @Test func `a citation's reference leads back to the same passage`() {
        for passage in [CitedPassage.Passage.chunk(12), .place(3)] {
            let cited = CitedPassage(trace: 7, span: 2, passage: passage)
            #expect(CitedPassage(cited.reference(title: "")) == cited)
        }
        #expect(CitedPassage(Reference(.citation, [1, 2], title: "")) == nil)
        #expect(CitedPassage(Reference(.span, [1, 2, 3], title: "")) == nil)
    }

    @Test func `what was opened is named to other panels as they know it`() throws {
        let driver = try AttentionDriver()
        #expect(try driver.open(Reference(.token, [7, 2], title: "")))
        #expect(driver.page.selection?.kind == .token && driver.page.selection?.path == [7, 1])
        try driver.press("top")
        #expect(driver.page.selection?.kind == .generation && driver.page.selection?.path == [7])
        #expect(try driver.open(Reference(.span, [3, 4], title: "")))
        #expect(driver.page.selection?.kind == .span && driver.page.selection?.path == [3, 4])
        let reads = driver.prepared.requests.count
        #expect(try driver.open(try #require(driver.page.selection)))
        #expect(driver.prepared.requests.count == reads)
    }

    @Test func `an error of the engine appears in place of the picture`() throws {
        let driver = try AttentionDriver(text: "refused")
        #expect(driver.screen().contains("The text does not fit. 512 tokens would."))
        try driver.press("run")
        #expect(driver.refusals.isEmpty)
    }

    @Test func `heads are walked with the arrows and one is opened large`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("next-pane", "next-pane")  // reading, then heads
        try driver.press("right", "right", "down")
        #expect(driver.prepared.requests.last.map { [$0.layer, $0.head] } == [1, 2])
        try driver.press("right", "down")
        #expect(driver.prepared.requests.last.map { [$0.layer, $0.head] } == [1, 2])
        #expect(driver.screen().contains("L1H2"))
        try driver.press("open")
        try driver.press("left", "left")
        #expect(driver.screen().contains("key 4  in"))
        try driver.press("strongest")
        #expect(driver.screen().contains("key 0"))
        try driver.press("open")
        #expect(driver.prepared.requests.last?.token == 0)
        try driver.press("back")
        #expect(driver.page.selection?.path == [1, 2, 0])
    }

    @Test func `a head is zoomed into about the cross and panned with it`() throws {
        let driver = try AttentionDriver(text: (0..<64).map { "w\($0)" }.joined(separator: " "))
        try driver.press("zoom-in", "zoom-in")
        #expect(driver.prepared.requests.last?.window.queries(of: 64) == 48..<64)
        try driver.press("top", "zoom-in")
        try driver.press("end")
        #expect(driver.prepared.requests.last?.window.queries(of: 64).contains(63) == true)
        try driver.press("zoom-out", "whole")
        #expect(driver.prepared.requests.last?.window.isWhole == true)
    }

    @Test func `shading shows what the token attends to, then what attends to it`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("left")
        let looksAt = driver.surface(.dark)
        try driver.press("shading")
        #expect(driver.prepared.requests.last?.wantsAttending == true)
        #expect(driver.screen().contains("what attends to token 6"))
        #expect(driver.surface(.dark).styleDump != looksAt.styleDump)
        try driver.press("shading")
        #expect(driver.screen().contains("what token 6 attends to"))
    }

    @Test func `tokens come one by one or until they are paused, and the cursor at the end follows`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("step")
        #expect(driver.screen().contains("more0") && driver.prepared.requests.last?.token == 8)
        try driver.press("play")
        #expect(driver.screen().contains("more3"))
        #expect(driver.prepared.requests.last?.token == 11)
        try driver.press("top", "step")
        #expect(driver.prepared.requests.last?.token == 0)
    }

    @Test func `a head is off in the whole text wherever the cursor is, next to the untouched text, with KL`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("left", "left", "head-off")
        #expect(driver.prepared.change?.changes == [HeadChange(layer: 0, head: 0, scale: 0)])
        #expect(driver.prepared.change?.token == 0)
        let screen = driver.screen()
        #expect(screen.contains("L0H0 off"))
        #expect(screen.contains("KL(A ‖ B)") && screen.contains("mean 0.250"))
        // A is untouched: only B's name says what was done.
        #expect(screen.contains("B L0H0 off") && screen.contains("weights ─"))
        #expect(driver.notices.last == "B runs with L0H0 off: s shows B, then B - A.")
        try driver.press("head-scale")
        try driver.answer("factor=2 from=3")
        #expect(driver.prepared.change?.changes == [HeadChange(layer: 0, head: 0, scale: 2)])
        #expect(driver.prepared.change?.token == 3)
        try driver.press("head-scale")
        guard case .fill(let asked)? = driver.dialog else {
            Issue.record("F opens a form")
            return
        }
        let (factor, start) = (asked.form.fields[0], asked.form.fields[1])
        #expect(factor.check("twice") == "must be a number" && factor.check("0.5") == nil)
        #expect(start.check("8") == "must be a token from 0 to 7" && start.check("7") == nil)
        try driver.press("untouched")
        #expect(driver.prepared.change == nil && !driver.screen().contains("KL(A"))
    }

    @Test(arguments: ["compare", "back", "run", "prompt", "model"])
    func `changed heads are dropped only after a question`(action: String) throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("head-off", action)
        #expect(driver.asked?.label == "Discard the head change?")
        #expect(driver.prepared.change != nil && driver.screen().contains("B L0H0 off"))
        try driver.answer("d")
        #expect(driver.asked?.label != "Discard the head change?")
        if action == "compare" { #expect(driver.asked?.label == "Compare with") }
        if ["compare", "back", "run"].contains(action) { #expect(driver.prepared.change == nil) }
    }

    @Test func `several changed heads are restored only after a question`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("head-off", "next-pane", "next-pane", "right", "head-off", "untouched")
        #expect(driver.asked?.label == "Discard 2 head changes?" && driver.prepared.change?.changes.count == 2)
        try driver.answer("d")
        #expect(driver.prepared.change == nil)
    }

    @Test func `what is shown of B is labeled with B's tokens`() throws {
        let driver = try AttentionDriver(text: "the old clock")
        try driver.press("compare")
        try driver.answer("a new bell tower")
        #expect(driver.screen().contains("query 2  clock") && driver.screen().contains("token 2 of 3   clock"))
        try driver.press("side")
        #expect(driver.screen().contains("query 2  bell") && driver.screen().contains("token 2 of 4   bell"))
        try driver.press("next-pane", "next-reading", "zoom")
        #expect(driver.screen().contains("final_post") && driver.screen().contains("tower"))
    }

    @Test func `two texts or two models are compared and subtracted`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("side")
        #expect(driver.refusals == ["Nothing to compare with. Press d to choose a text or model."])
        try driver.press("compare")
        #expect(driver.asked?.label == "Compare with")
        try driver.answer("another text…")
        #expect(driver.asked?.label == "Compare with another text" && driver.asked?.text == story)
        try driver.press("compare")
        try driver.answer("other")
        #expect(driver.prepared.orders.last == AttentionOrder(model: "other", content: .text(story)))
        try driver.press("side", "side")
        #expect(driver.screen().contains("B - A"))
        #expect(driver.screen().contains("0.125"))
        try driver.press("compare", "compare")
        try driver.answer("the new bell rang in the new hall")
        #expect(driver.prepared.orders.last?.model == "mini")
        try driver.press("back")
        #expect(driver.prepared.orders.count == 1)
    }

    @Test func `readings turn with a key, and a model without experts has no page of them`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("next-reading")
        #expect(driver.screen().contains("final_post") && driver.screen().contains("guess2"))
        try driver.press("next-reading")
        #expect(driver.screen().contains("|residual| after each layer"))
        try driver.press("next-reading")
        #expect(driver.screen().contains("─ Sums ─") && driver.screen().contains("[ ]  4 of 4"))
        #expect(driver.screen().contains("Σ_k of query 7 = 1.00000  ✓"))
        try driver.press("next-reading")
        #expect(driver.screen().contains("─ Token ─") && driver.screen().contains("[ ]  1 of 4"))
        try driver.press("sums")
        #expect(driver.screen().contains("Σ_k of query 7 = 1.00000  ✓"))
    }

    @Test func `a weight that is written as nothing has no bar`() throws {
        let driver = try AttentionDriver(text: story)
        let lines = driver.screen().split(separator: "\n").map { $0.suffix(60) }
        // Bars of other readings stand behind the number.
        let zeros = lines.compactMap { line in line.range(of: "0.000").map { line[..<$0.lowerBound] } }
        #expect(!zeros.isEmpty)
        #expect(zeros.allSatisfy { !$0.contains("▏") && !$0.contains("▎") })
    }

    @Test func `attention to a chunk is summed over the heads`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("range")
        try driver.answer("1-3")
        #expect(driver.prepared.requests.last?.range == 1..<4)
        #expect(driver.screen().contains("attention to tokens 1…3  0.42 summed over 6 heads, 7 %"))
        try driver.press("range")
        let asked = driver.dialog
        #expect(asked?.problem(with: "3-99") == "must be two numbers from 0 to 7")
        #expect(asked?.problem(with: "0-7") == nil && asked?.problem(with: "") == nil)
    }

    @Test func `a token, an answer and a recorded call are opened`() throws {
        let driver = try AttentionDriver()
        #expect(try driver.open(Reference(.token, [7, 2], title: "")))
        #expect(driver.prepared.requests.last?.token == 2)
        #expect(try driver.open(Reference(.token, [7, 2, 0, 1], title: "")))
        #expect(driver.prepared.requests.last?.range == 0..<2)
        #expect(try driver.open(Reference(.span, [3, 4], title: "")))
        #expect(driver.prepared.requests.last?.token == 1)
        #expect(driver.notices.contains("gpt does not run here"))
        #expect(try driver.open(Reference(.attentionHead, [1, 1, 0], title: "")))
        #expect(driver.prepared.requests.last.map { [$0.layer, $0.head, $0.token] } == [1, 1, 0])
        #expect(try !driver.open(Reference(.session, [1], title: "")))
    }

    @Test func `text is found among the tokens`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("find")
        try driver.answer("old")
        #expect(driver.prepared.requests.last?.token == 1)
        try driver.press("next-match")
        #expect(driver.prepared.requests.last?.token == 6)
        try driver.press("find")
        try driver.answer("never")
        #expect(driver.notices.last == "never was not found")
    }

    @Test func `the mouse chooses heads, cells and tokens`() throws {
        let driver = try AttentionDriver(text: story)
        let lines = driver.screen(.dark).split(separator: "\n", omittingEmptySubsequences: false)
        let row = lines.firstIndex { $0.contains("the old clock") } ?? 0
        driver.click(column: 7, row: row)
        #expect(driver.prepared.requests.last?.token == 1)
        let second = lines.firstIndex { $0.contains(" L1 ") } ?? 0
        driver.click(column: 30, row: second + 1)
        #expect(driver.prepared.requests.last.map { [$0.layer, $0.head] } == [1, 1])
    }

    @Test func `the pane is exported, and an existing file is not overwritten`() throws {
        let folder = TemporaryFolder()
        let driver = try AttentionDriver(text: story)
        for _ in AttentionPage.PaneName.allCases {
            try driver.press("next-pane")
            for reading in ReadingTab.allCases {
                guard driver.page.screen.focus == .reading || reading == .token else { continue }
                for ending in ["csv", "safetensors", "svg"] {
                    try driver.press("export")
                    try driver.answer(folder.path + "/\(driver.offered)." + ending)
                }
                if driver.page.screen.focus == .reading { try driver.press("next-reading") }
            }
        }
        let written = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path))
        for chart in ["heads", "L0H0", "tokens", "token", "lens", "norms"] {
            let files: Set = ["\(chart).csv", "\(chart).safetensors", "\(chart).svg"]
            #expect(files.isSubset(of: written), "\(chart) is not whole among \(written)")
        }
        // Sums are text, and this model has no experts.
        #expect(written.isSuperset(of: ["sums.csv", "sums.svg"]) && !written.contains("sums.safetensors"))
        #expect(!written.contains("experts.csv") && written.count == 20)
        let lens = try String(contentsOfFile: folder.path + "/lens.csv", encoding: .utf8)
        #expect(lens.hasPrefix("layer,token,text,place,says,probability,rank of"))
        #expect(lens.split(separator: "\n").count == 1 + 3 * 8)
        let norms = try TensorFile.open(folder.path + "/norms.safetensors")
        #expect(try norms.tensor(named: "layer.norm").shape == [2, 8])
        let grid = try TensorFile.open(folder.path + "/heads.safetensors")
        #expect(try grid.tensor(named: "patterns").shape == [2, 3, 4, 4])
        try driver.press("next-pane", "next-pane", "export")
        try driver.answer(folder.path + "/head.safetensors")
        try driver.press("export")
        try driver.answer(folder.path + "/head.safetensors")
        #expect(driver.failures.last?.contains("already exists") == true)
        try driver.press("export")
        try driver.answer(folder.path + "/head.png")
        #expect(driver.failures.last?.contains(".csv, .safetensors, or .svg") == true)
        try driver.press("copy")
        #expect(driver.copies == [story])
    }

    @Test(arguments: AttentionPage.PaneName.allCases, [Size(80, 24), Size(120, 40)])
    func `after a restart, the text and its hint are shown in every pane`(pane: AttentionPage.PaneName, size: Size)
        throws
    {
        for isZoomed in [false, true] {
            let saved = #"{"pane":"\#(pane.rawValue)","zoomed":\#(isZoomed),"model":"mini","text":"the old clock"}"#
            let driver = try AttentionDriver(size: size, saved: saved)
            #expect(driver.prepared.orders.isEmpty)
            #expect(driver.screen().contains("the old clock"))
            #expect(driver.screen().contains("Enter runs mini on this text"))
            try driver.press("open")
            #expect(driver.prepared.orders.last?.content == .text("the old clock"))
        }
    }

    @Test func `after a restart, the model that comes with Orrery reads the text at once`() throws {
        let saved = #"{"model":"orrery-mini","text":"the old clock"}"#
        let driver = try AttentionDriver(PreparedAttention(models: ["orrery-mini"]), saved: saved)
        #expect(driver.prepared.orders.last?.content == .text("the old clock"))
    }

    @Test func `the screen is restored as it was`() throws {
        let driver = try AttentionDriver(text: story)
        try driver.press("next-reading", "measure", "values", "zoom")
        let again = try AttentionDriver(saved: driver.host.save())
        #expect(again.host.save() == driver.host.save())
        try again.press("run")
        #expect(again.prepared.orders.last?.content == .text(story))
        #expect(try AttentionDriver(saved: "{}").host.save() == AttentionDriver().host.save())
        #expect(try AttentionDriver(saved: "nonsense").prepared.orders.isEmpty)
    }

    @Test func `a screen that an earlier version saved is restored and saved in the same words`() throws {
        let saved =
            #"{"pane":"head","zoomed":true,"measure":"firstToken","shading":"attended by","reading":"norms","#
            + #""weighted":true,"model":"other","text":"the old clock","layer":1,"head":2}"#
        let driver = try AttentionDriver(saved: saved)
        #expect(driver.host.save() == saved)
        try driver.press("open")
        #expect(driver.prepared.orders == [AttentionOrder(model: "other", content: .text("the old clock"))])
        let wanted = driver.prepared.requests.last
        #expect(wanted.map { [$0.layer, $0.head] } == [1, 2])
        #expect(wanted?.tab == .norms && wanted?.isWeighted == true && wanted?.wantsAttending == true)
        #expect(driver.screen().contains("─ L1H2 ─") && !driver.screen().contains("─ Tokens ─"))
        let broken = #"{"pane":"attic","measure":7,"shading":"KL","layer":-3,"head":[],"text":"a","model":"mini"}"#
        let screen = try AttentionDriver(saved: broken).page.screen
        #expect(screen.focus == .tokens && !screen.isZoomed)
    }

    @Test func `Esc leaves zoom, the window, the comparison, and the pane before the page`() throws {
        let driver = try AttentionDriver(text: (0..<64).map { "w\($0)" }.joined(separator: " "))
        try driver.press("previous-pane", "zoom-in", "compare")
        try driver.answer("other")
        try driver.press("zoom", "back")
        #expect(driver.page.screen.focus == .head && !driver.page.screen.isZoomed)
        try driver.press("back")
        #expect(driver.prepared.requests.last?.window.isWhole == true && driver.prepared.orders.count == 2)
        try driver.press("back")
        #expect(driver.prepared.orders.count == 1 && driver.backs == 0)
        try driver.press("back")
        #expect(driver.page.screen.focus == .heads && driver.backs == 0)
        try driver.press("back")
        #expect(driver.backs == 1)
    }

    @Test(arguments: [Size(80, 24), Size(120, 40), Size(200, 60), Size(40, 12), Size(1, 1)])
    func `every pane is drawn at every size and in every theme`(size: Size) throws {
        let driver = try AttentionDriver(
            PreparedAttention(layers: 32, heads: 32), size: size, text: story + " \u{1B}[2J")
        for _ in 0..<4 {
            try driver.press("next-pane")
            for tab in 0..<5 {
                try driver.press("next-reading", "zoom")
                for theme in [Theme.dark, .mono, .mono.with(.ascii)] {
                    #expect(!driver.screen(theme).contains("\u{1B}"), "reading \(tab)")
                }
                try driver.press("zoom")
            }
        }
    }

    @Test func `keys and names of actions are used once`() throws {
        let actions = try AttentionDriver().host.keyActions
        let keys = actions.flatMap { $0.label.components(separatedBy: ", ") }
        #expect(Set(keys).count == keys.count && keys.count > actions.count)
        #expect(Set(actions.map(\.name)).count == actions.count)
    }
}
