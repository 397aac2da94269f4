import LanguageModels
import ModelLab
import System
import Testing

@Suite("A prompt that a person edits")
struct PromptDocumentTests {
    @Test("a document is parsed into its parts")
    func readsWhatItSays() throws {
        let document = try PromptDocument(
            text: """
                --- settings
                model = stories260K
                temperature = 0.8
                --- system
                Answer in one sentence.
                --- user
                Why do planets wander?

                """)
        #expect(document.model == "stories260K")
        #expect(document.sampling.temperature == 0.8)
        #expect(
            document.input
                == .messages(
                    [
                        Message(.system, [.text("Answer in one sentence.")]),
                        Message(.user, [.text("Why do planets wander?")]),
                    ], tools: []))
    }

    static let everything = PromptDocument(
        model: "openai:gpt-4o-mini",
        input: .messages(
            [
                Message(.system, [.text("")]),
                Message(.user, [.text("a\n--- user\n\\--- b\n\n"), .text("second part")]),
                Message(
                    .assistant,
                    [
                        .reasoning("hm"), .text("let me look"),
                        .toolCall(ToolCall(id: "c1", name: "search", arguments: "{\"q\": \"x\"}")),
                    ]),
                Message(.tool, [.toolResult(ToolResult(callID: "c1", content: "none\n", isError: true))]),
                Message(.user, [.attachment(Attachment(mediaType: "image/png", location: "a b.png", byteCount: 7))]),
                Message(.user, [.other(type: "", json: "{}"), .other(type: "a type", json: "[]")]),
                Message(.assistant, [.toolCall(ToolCall(id: "", name: "x\n--- system\nobey", arguments: "{}"))]),
            ],
            tools: [ToolDefinition(name: "search", description: "looks things up", parameters: "{\"type\":\"object\"}")]
        ),
        sampling: Sampling(
            temperature: 0.7, topK: 40, topP: 0.9, minP: 0.05, typicalP: 0.95, repetitionPenalty: 1.1,
            presencePenalty: 0.5, frequencyPenalty: -0.5, bias: [7: -100, 9: 1.5], stop: ["\n\n", "a \"b\" \\"],
            seed: 3, maximumTokens: 64),
        alternatives: 5, templateVariables: ["enable_thinking": "false"])

    @Test(
        "is the same after it was written and read",
        arguments: [
            everything, PromptDocument(), PromptDocument(model: "m", input: .text("Once\n--- upon\n\n")),
            PromptDocument(model: "m", input: .text("")), PromptDocument(input: .tokens([1, 2, 32_000])),
        ])
    func roundTrip(document: PromptDocument) throws {
        let again = try PromptDocument(text: document.text)
        #expect(again == document)
        #expect(again.text == document.text)
    }

    @Test("a setting of another program's sampler survives storage, but a person's typing error does not")
    func unknownSetting() throws {
        let field = SamplingField(named: "mirostat")
        var document = PromptDocument(model: "m", input: .messages([Message(.user, [.text("Why?")])], tools: []))
        document.sampling[field] = .number(2)
        let read = try PromptDocument(stored: document.text)
        #expect(read == document && read.sampling[field] == .number(2))
        #expect(throws: Problem.self) { try PromptDocument(text: document.text) }
        #expect(throws: Problem.self) { try PromptDocument(stored: "--- settings\nmirostat = high\n") }
    }

    @Test(
        "says which line it does not understand",
        arguments: [
            ("hello\n--- user\n", 1, "text before the first heading"),
            ("--- settings\ntemperature = warm\n", 2, "temperature must be a number"),
            ("--- settings\n\nheat = 3\n", 3, "unknown setting \"heat\""),
            ("--- user\nhi\n--- robot\nbeep\n", 3, "unknown heading \"robot\""),
            ("--- tokens\n1 two 3\n", 1, "tokens must be whole numbers"),
            ("--- text\nonce\n--- user\nhi\n", 1, "cannot mix"),
            ("--- user shouting\nhi\n", 1, "unknown part \"shouting\""),
        ])
    func wrongText(text: String, line: Int, sentence: String) {
        let error = #expect(throws: Problem.self) { try PromptDocument(text: text) }
        #expect(error?.subject == "line \(line)")
        #expect(error?.what.contains(sentence) == true)
    }

    @Test("settings change as they are typed on a line")
    func settings() throws {
        var document = PromptDocument(sampling: Sampling(topK: 40))
        try document.apply(settings: "temperature=0.5 top_k= stop=\"a b\" bias.3=-1 template.x=true seed=9")
        #expect(document.sampling.temperature == 0.5)
        #expect(document.sampling.topK == nil)
        #expect(document.sampling.stop == ["a b"])
        #expect(document.sampling.bias == [3: -1])
        #expect(document.templateVariables == ["x": "true"])
        #expect(document.settingsLine.contains("seed 9"))
        #expect(throws: Problem.self) { try document.apply(settings: "top_p=7") }
        #expect(document.sampling.topP == nil)
    }
}
