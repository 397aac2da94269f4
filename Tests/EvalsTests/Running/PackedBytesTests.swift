import Evals
import LanguageModels
import Testing

@Suite("Packed bytes")
struct PackedBytesTests {
    /// Every field of a record, once.
    private var solution: Solution {
        let messages = [
            Message(.system, [.text("be brief")]),
            Message(
                .assistant,
                [
                    .reasoning("hm"), .toolCall(ToolCall(id: "1", name: "add", arguments: #"{"a":1}"#)),
                    .other(type: "odd", json: "{}"),
                ]),
            Message(.tool, [.toolResult(ToolResult(callID: "1", content: "2", isError: true))]),
            Message(.user, [.attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 77))]),
        ]
        let sampling = Sampling(
            temperature: 0.1, topK: 5, topP: 0.9, minP: 0, typicalP: 1, repetitionPenalty: 1.1, presencePenalty: -1,
            frequencyPenalty: 2, bias: [7: -100, 3: 1.5], stop: ["\n\n", "Ω"], seed: .max, maximumTokens: 64)
        let request = ModelRequest(
            .messages(messages, tools: [ToolDefinition(name: "add", description: "adds", parameters: "{}")]),
            sampling: sampling, alternatives: 3, templateVariables: ["b": "1", "a": "true"])
        let response = ModelResponse(
            message: messages[1], finish: .other("filter"), usage: Usage(input: 1, cacheRead: 2, output: 3),
            model: "m", secondsToFirstToken: 0.5, seconds: 1.25, retries: 2)
        let step = TokenStep(
            text: "é", id: 5, logProbability: -0.1, entropy: .infinity, seconds: 0.01,
            alternatives: [Alternative(id: nil, text: "e", logProbability: -2.5)])
        let call = SolutionStep.CallRecord(
            provider: "openai", model: "m", specification: "openai:m", request: request, response: response,
            likelihood: Likelihood(
                logProbability: -3.25, isGreedy: false,
                tokens: [.init(text: "a", id: 1, logProbability: -1, isGreedy: true)], usage: Usage(input: 1)),
            problem: "none", purpose: "judge", start: -5, end: .max, answered: [step])
        let passage = SolutionPassage(document: "d", chunk: 12, text: "text", score: -0.0, isInContext: false)
        return Solution(
            answers: ["a", ""], likelihoods: [Likelihood(logProbability: -1, isGreedy: true)],
            alone: [Likelihood(logProbability: -2, isGreedy: false)], passages: [passage],
            steps: [
                .model(call),
                .tool(
                    ToolRun(
                        call: ToolCall(id: "1", name: "add", arguments: "{}"),
                        result: ToolResult(callID: "1", content: "2", isError: false), start: 1, end: 2)),
                .search(
                    .init(
                        corpus: "c", pipeline: "p", question: "q", passages: [passage], start: 1, end: 2,
                        problem: "gone")),
            ], usage: Usage(input: 9), seconds: 2.5, retries: 1, standardError: "oh")
    }

    private var bytes: [UInt8] {
        var writer = PackedWriter()
        writer.write(solution)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8]) throws -> Solution {
        try bytes.withUnsafeBytes { bytes in
            var reader = PackedReader(bytes)
            let solution = try reader.value(Solution.self)
            guard reader.isAtEnd else { throw PackedReader.Damage() }
            return solution
        }
    }

    @Test("packed bytes unpack to the original")
    func roundTrip() throws {
        #expect(try read(bytes) == solution)
    }

    @Test("truncated bytes are an error")
    func cut() {
        let bytes = bytes
        for count in bytes.indices {
            #expect(throws: PackedReader.Damage.self) { try read(Array(bytes[..<count])) }
        }
    }

    @Test("changed bytes never crash")
    func changed() {
        let bytes = bytes
        var refused = 0
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                if (try? read(changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > bytes.count / 2)
    }

    @Test("packed equal requests are equal, whatever the order of their dictionaries")
    func dictionaries() {
        func bytes(_ names: [String]) -> [UInt8] {
            var request = ModelRequest(.text("q"))
            for name in names { request.templateVariables[name] = name }
            var writer = PackedWriter()
            writer.write(request)
            return writer.bytes
        }
        let names = (0..<40).map { "v\($0)" }
        #expect(bytes(names) == bytes(names.reversed()))
    }
}
