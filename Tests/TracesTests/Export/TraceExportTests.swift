import JSON
import LanguageModels
import Testing
import Traces

/// A run with its texts: what an importer would read from the records.
private struct WrittenRun {
    var run = MadeRun()
    var texts: [Int: Message] = [:]
    var details: [Int: SpanDetails] = [:]

    mutating func write(_ message: Message, after previous: Int? = nil, by span: Int? = nil) -> Int {
        var calls = 0
        var results = 0
        for part in message.parts {
            if case .toolCall = part { calls += 10 }
            if case .toolResult = part { results += 10 }
        }
        let words = message.parts.contains { if case .text = $0 { true } else { false } }
        let entry = run.say(message.role, words ? 10 : 0, after: previous, by: span, calls: calls, results: results)
        texts[entry] = message
        return entry
    }

    var export: TraceExport {
        let (texts, details) = (texts, details)
        return TraceExport(
            run.replay,
            texts: TraceExport.Texts(
                messages: { entries in entries.map { texts[$0.ordinal] } },
                details: { details[$0.ordinal] ?? SpanDetails() },
                context: { [replay = run.replay] in replay.breakdown(at: $0) }))
    }

    func step(_ span: Int, as format: TraceExport.Format = .markdown) throws -> String {
        var text = ""
        try export.write(span: span, as: format) { text += $0 }
        return text
    }

    func whole(as format: TraceExport.Format) throws -> String {
        var text = ""
        try export.writeRun(as: format, to: { text += $0 })
        return text
    }
}

/// A question, a call that asks for a tool, the tool, and the call that answers.
private struct Errand {
    var written = WrittenRun()
    let first: Int
    let tool: Int
    let second: Int

    init(question: String = "Why does it fail?", result: String = "exit 1", answer: String = "It is the clock.") {
        let agent = written.run.agent("Claude Code")
        let asked = written.write(Message(.user, [.text(question)]))
        first = written.run.call(in: agent, reading: asked, input: 1_200)
        let call = ToolCall(id: "t1", name: "Bash", arguments: #"{"command":"make test"}"#)
        let wish = written.write(
            Message(.assistant, [.reasoning("Run it."), .toolCall(call)]), after: asked, by: first)
        tool = written.run.tool("Bash", in: agent, status: .error)
        written.run.trace.spans[tool].error = "exit 1"
        written.details[tool] = SpanDetails(
            input: call.arguments, output: result, attributes: [.init("code", "1"), .init("code", "2")])
        let returned = written.write(
            Message(.tool, [.toolResult(ToolResult(callID: "t1", content: result, isError: true))]), after: wish,
            by: tool)
        second = written.run.call(in: agent, reading: returned, input: 1_400)
        _ = written.write(Message(.assistant, [.text(answer)]), after: returned, by: second)
        written.run.trace.summary.name = "fix the test"
    }
}

@Suite("Export of steps and runs")
struct TraceExportTests {
    @Test("a step is what was new, what was answered, what a tool was asked and gave back")
    func steps() throws {
        let errand = Errand()
        #expect(
            try errand.written.step(errand.first) == """
                # 1. model opus

                *500 ms, 1,200 tokens in, 10 out*

                **user**

                > Why does it fail?

                **answered**

                *thinking*

                > Run it.

                `Bash`

                ```json
                {"command":"make test"}
                ```

                """)
        #expect(
            try errand.written.step(errand.tool) == """
                # 2. tool Bash (failed)

                *500 ms*

                **failed:** exit 1

                ```json
                {"command":"make test"}
                ```

                **returned**

                ```
                exit 1
                ```

                """)
        #expect(try errand.written.step(errand.second).contains("*1 earlier message*\n\n**assistant**"))
    }

    @Test("a run in Markdown holds every message once, where it arose")
    func wholeRun() throws {
        let text = try Errand().written.whole(as: .markdown)
        #expect(text.hasPrefix("# fix the test\n\n| | |\n|---|---|\n"))
        for heading in ["## 1. model opus", "## 2. tool Bash (failed)", "## 3. model opus"] {
            #expect(text.contains("\n\(heading)\n"))
        }
        for once in ["Why does it fail?", "Run it.", "It is the clock."] {
            #expect(text.ranges(of: once).count == 1, "\(once)")
        }
        #expect(text.contains("*3 earlier messages*\n\n**answered**\n\n> It is the clock."))
    }

    @Test(
        "nothing in a text changes the document around it",
        arguments: [
            "```\nnever closed", "~~~", "# a heading", "<!-- never closed", "<script>", "a\n---", "| a |\n|---|",
            "a\rb\r\n# c", "[x]: http://example", "````\n```", "",
        ])
    func contained(text: String) throws {
        let errand = Errand(question: text, result: text, answer: text)
        let document = try errand.written.whole(as: .markdown)
        var fence: Substring?
        var headings: [Substring] = []
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if let open = fence {
                if line == open { fence = nil }
            } else if line.hasPrefix("```") {
                fence = line.prefix { $0 == "`" }
            } else if line.hasPrefix("#") {
                headings.append(line)
            } else {
                #expect(
                    !line.hasPrefix("<") && !line.hasPrefix("~~~") && !line.hasPrefix("---") && !line.hasPrefix("["))
            }
        }
        #expect(fence == nil)
        #expect(headings.count == 4)
        #expect(!document.contains("\r"))
    }

    @Test("names and errors stay on their line, and control sequences are shown, not sent")
    func hostileNames() throws {
        var errand = Errand(result: "\u{1B}[31mred\u{1B}[0m \u{0} \u{9B}2J")
        errand.written.run.trace.spans[errand.tool].name = "a\n# b"
        errand.written.run.trace.spans[errand.tool].error = "<b>\u{1B}]0;title\u{7}|`"
        errand.written.run.trace.summary.name = "x | y\n# z"
        let text = try errand.written.whole(as: .markdown)
        #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) || $0 == "\n" })
        #expect(text.hasPrefix("# x \\| y \\# z\n"))
        #expect(text.contains("## 2. tool a \\# b (failed)"))
        #expect(text.contains("**failed:** \\<b\\>␛\\]0;title␇\\|\\`"))
        #expect(text.contains("␛[31mred␛[0m ␀ \u{FFFD}2J"))
    }

    @Test("what the log does not hold is said, not left out")
    func missing() throws {
        var errand = Errand()
        let answer = errand.written.run.trace.messages.count - 1
        errand.written.texts[0] = nil
        errand.written.texts[answer] = Message(
            .assistant,
            [
                .reasoning(""), .attachment(Attachment(mediaType: "image/png", location: "a*b.png", byteCount: 3)),
                .other(type: "odd", json: "{}"),
            ])
        #expect(try errand.written.step(errand.first).contains("*message not in the log*"))
        let text = try errand.written.step(errand.second)
        #expect(text.contains("*thinking, hidden by the provider*"))
        #expect(text.contains("*image/png a\\*b.png*"))
        #expect(text.contains("*odd*\n\n```json\n{}\n```"))
        var silent = MadeRun()
        let call = silent.call()
        var written = WrittenRun()
        written.run = silent
        #expect(try written.step(call).contains("**answered**\n\n*not in the log*"))
        #expect(try written.step(99).isEmpty)
    }

    @Test("a generation over several lines stays one generation, and thinking is distinguished from text")
    func thinkingAloud() throws {
        var written = WrittenRun()
        let first = written.run.call()
        let thought = written.write(Message(.assistant, [.reasoning("Hm.")]), by: first)
        let said = written.write(Message(.assistant, [.text(" \n")]), after: thought, by: first)
        let more = written.write(Message(.assistant, [.text("Aha.")]), after: said, by: first)
        let again = written.write(Message(.user, [.text("And?")]), after: more)
        let once = written.write(Message(.user, [.text("And?")]), after: again)
        let second = written.run.call(reading: once)
        let answer = "*thinking*\n\n> Hm.\n\n*said*\n\n> Aha.\n"
        #expect(try written.step(first).hasSuffix("**answered**\n\n" + answer))
        #expect(
            try written.step(second).contains(
                "**assistant**\n\n" + answer + "\n**user**\n\n> And?\n\n**user**\n\n> And?\n\n**answered**"))
    }

    @Test("a step in JSON has stable keys, and its context adds up")
    func stepKeys() throws {
        let errand = Errand()
        let call = try JSONDocument(parsing: Array(errand.written.step(errand.second, as: .json).utf8))
        call.withRoot { root in
            #expect(
                root.members.map { $0.key.string }
                    == ["step", "span", "earlier_messages", "new_messages", "answers", "context", "attributes"])
            #expect(root["step"]?.int == 3)
            #expect(root["earlier_messages"]?.int == 1)
            #expect(root["new_messages"]?.elements.map { $0["role"]?.string } == ["assistant", "tool"])
            let context = root["context"]
            #expect(
                context?.members.map { $0.key.string } == [
                    "tokens", "is_billed", "parts", "bytes_per_token", "measured_calls", "spread", "note",
                ])
            #expect(context?["tokens"]?.int == 1_400)
            #expect(
                context?["parts"]?.members.map { $0.key.string }
                    == ["system", "tools", "user", "model", "reasoning", "results", "not_in_log"])
            #expect(context?["parts"]?.members.compactMap { $0.value.int }.reduce(0, +) == 1_400)
        }
        let tool = try JSONDocument(parsing: Array(errand.written.step(errand.tool, as: .json).utf8))
        tool.withRoot { root in
            #expect(root.members.map { $0.key.string } == ["step", "span", "input", "output", "attributes"])
            #expect(root["span"]?["error"]?.string == "exit 1")
            #expect(root["attributes"]?.elements.map { $0["value"]?.string } == ["1", "2"])
        }
    }

    @Test("a run in JSON is one object: its totals, then the steps as they are alone")
    func runKeys() throws {
        var errand = Errand(question: "\u{0}\u{1B}\"\\\n```")
        errand.written.texts[errand.written.run.trace.messages.count - 1] = nil
        let run = try JSONDocument(parsing: Array(errand.written.whole(as: .json).utf8))
        run.withRoot { root in
            #expect(root["name"]?.string == "fix the test")
            #expect(root["steps"]?.elements.map { $0["step"]?.int } == [1, 2, 3])
            let steps = root["steps"].map { Array($0.elements) } ?? []
            let asked = steps.first?["new_messages"].map { Array($0.elements) } ?? []
            let parts = asked.first?["parts"].map { Array($0.elements) } ?? []
            #expect(parts.map { $0["text"]?.string } == ["\u{0}\u{1B}\"\\\n```"])
            #expect(steps.last?["new_messages"]?.count == 2)
            #expect(steps.last?["answers"]?.elements.map(\.isNull) == [true])
        }
        var empty = ""
        try WrittenRun().export.writeRun(as: .json, to: { empty += $0 })
        let document = try JSONDocument(parsing: Array(empty.utf8))
        document.withRoot { #expect($0["steps"]?.count == 0) }
    }

    @Test(
        "a run is written step by step, with progress, and stops where progress throws",
        arguments: TraceExport.Format.allCases)
    func streaming(format: TraceExport.Format) throws {
        struct Stop: Error {}
        var written = WrittenRun()
        let agent = written.run.agent()
        for _ in 0..<200 { _ = written.run.tool(in: agent) }
        for tool in 1...200 { written.details[tool] = SpanDetails(output: String(repeating: "x", count: 1_000)) }
        var longest = 0
        var counts: [Int] = []
        try written.export.writeRun(
            as: format, to: { longest = max(longest, $0.utf8.count) }, progress: { counts.append($0) })
        #expect(longest < 2_000)
        #expect(counts == Array(0...200))
        var pieces = 0
        #expect(throws: Stop.self) {
            try written.export.writeRun(as: format, to: { _ in pieces += 1 }, progress: { if $0 == 3 { throw Stop() } })
        }
        #expect(pieces == 4)
    }

    @Test(
        "the suffix of a file says its format",
        arguments: [("a.json", "json"), ("a.JSON", "json"), ("a.md", "md"), ("json", "md")])
    func formats(path: String, format: String) {
        #expect(TraceExport.Format(path: path).rawValue == format)
    }

    @Test("costs and times are written by the formatters that it is given")
    func figures() throws {
        var errand = Errand()
        errand.written.run.trace.spans[errand.tool].cost = 3.1
        errand.written.run.trace.spans[errand.tool].end =
            errand.written.run.trace.spans[errand.tool].start + 41_200_000_000
        let lines = try errand.written.step(errand.tool).split(separator: "\n")
        #expect(lines.dropFirst().first == "*41.2 s, $3.10*")
    }
}
