import Console
import Formatting
import JSON
import LanguageModels
import Testing
import Traces
import Workbench

/// Every figure of a run or a step that is shown twice is read from both places and compared: the list, the overview,
/// the border of the run, the tree, the context, the step, and what `orrery trace show --json` prints.
@Suite("Repeated figures of the trace panel agree")
struct TraceFigureTests {
    private static let ids = ["decade0f", "0ddba115", "ca11ab1e", "7e57ab1e", "01dc0de5"]
    private static let size = Size(200, 60)

    @Test("of a run: list, overview, border, and JSON", arguments: ids)
    func runs(id: String) throws {
        let made = try TestWorkspace.sample()
        let run = try made.store.find(id)
        let json = try JSONDocument(parsing: run.json())
        let list = TraceDriver(made.workspace, size: Self.size)
        while list.trace != run.id {
            let before = list.trace
            list.press("down")
            if list.trace == before { break }
        }
        let rows = list.text.split(separator: "\n")
        let row = try #require(rows.first { $0.contains("▌") })
        let overview = try #require(rows.first { $0.contains("╭─ \(run.name.prefix(20))") })
        #expect(list.open(Reference(run)))
        let border = try #require(list.text.split(separator: "\n").first)
        try json.withRoot { root in
            let calls = try #require(root["model_calls"]?.int) + #require(root["tool_calls"]?.int)
            let usage = try #require(root["usage"])
            let tokens = try #require(usage["input_tokens"]?.int) + #require(usage["output_tokens"]?.int)
            let duration = try #require(root["end_ns"]?.int) - #require(root["start_ns"]?.int)
            let errors = try #require(root["errors"]?.int)
            let plus = root["unpriced_calls"]?.int ?? 0 > 0 ? "+" : ""
            let cost = root["cost_usd"]?.double.map { Format.money($0) + plus }
            for place in [row, overview, border] {
                #expect(place.contains(" \(Format.compact(Int(tokens))) "), "\(place)")
                #expect(place.contains(" \(Format.duration(nanoseconds: Int(duration))) "), "\(place)")
                if let cost { #expect(place.contains(" \(cost) "), "\(cost): \(place)") }
                if place != row { #expect(place.contains(" \(errors) error")) }
            }
            #expect(row.split(separator: " ").contains("\(calls)"))
            #expect(row.hasSuffix(" \(errors) │") || row.contains(" \(errors)  │"))
            #expect(list.text.contains("of \(calls)   ") || list.text.contains("of \(calls) "))
        }
    }

    @Test("of a step: tree, step, context, and JSON", arguments: ids)
    func steps(id: String) throws {
        let made = try TestWorkspace.sample()
        let run = try made.store.find(id)
        let replay = Replay(try #require(try made.store.trace(run.id)))
        let export = TraceExport(replay, store: made.store)
        let driver = TraceDriver(made.workspace, size: Self.size)
        #expect(driver.open(Reference(run)))
        var contexts = 0
        for (step, ordinal) in replay.steps.enumerated() {
            var text = ""
            try export.write(span: ordinal, as: .json) { text += $0 }
            #expect(driver.open(Reference(.span, [run.id, Int64(ordinal)], title: "")))
            let rows = driver.text.split(separator: "\n")
            // The cursor's bar follows a border at once; what is new in a text is marked a column further in.
            let tree = try #require(rows.first { $0.contains("│▌ ") }, "step \(step + 1): \(driver.text)")
            let border = try #require(rows.first { $0.contains("Context at step \(step + 1) ") })
            try JSONDocument(parsing: text).withRoot { root in
                #expect(root["step"]?.int == Int64(step + 1))
                let span = try #require(root["span"])
                let kind = try #require(span["kind"]?.string)
                let detail = try #require(rows.first { $0.contains("╭─ \(kind) ") })
                if let end = span["end_ns"]?.int {
                    let start = try #require(span["start_ns"]?.int)
                    let duration = Format.duration(nanoseconds: Int(end - start))
                    #expect(tree.contains(" \(duration) "), "\(duration): \(tree)")
                    #expect(detail.contains(" \(duration) "), "\(duration): \(detail)")
                }
                if let output = span["usage"]?["output_tokens"]?.int {
                    #expect(detail.contains(" \(Format.count(Int(output))) output tokens "), "\(detail)")
                }
                if let cost = span["cost_usd"]?.double { #expect(detail.contains(" \(Format.money(cost)) ")) }
                guard let context = root["context"] else { return }
                contexts += 1
                let total = try #require(context["tokens"]?.int)
                #expect(border.contains("─ \(Format.count(Int(total))) tokens ─"), "\(border)")
                for (key, tokens) in try #require(context["parts"]).members {
                    guard let tokens = tokens.int, tokens > 0, let name = key.string else { continue }
                    let title = name == "not_in_log" ? "not in the log" : name
                    let row = try #require(
                        rows.first { $0.contains("│ \(title) ") && $0.contains(" %") }, "\(title) at step \(step + 1)")
                    #expect(row.contains(" \(Format.compact(Int(tokens))) "), "\(row)")
                    #expect(row.contains(" \(Format.percent(Double(tokens) / Double(total))) "), "\(row)")
                }
            }
        }
        #expect(contexts > 0)
    }

    @Test("a document of a step writes the same figures as the screen")
    func documents() throws {
        let made = try TestWorkspace.sample()
        let replay = Replay(try #require(try made.store.trace(try made.store.find("7e57ab1e").id)))
        let export = TraceExport(replay, store: made.store)
        for ordinal in replay.steps {
            let span = replay.trace.spans[ordinal]
            var markdown = ""
            try export.write(span: ordinal, as: .markdown) { markdown += $0 }
            if let duration = span.duration { #expect(markdown.contains(Format.duration(nanoseconds: Int(duration)))) }
            if let cost = span.cost { #expect(markdown.contains(Format.money(cost))) }
        }
    }
}
