import TestFixtures
import Testing

@Suite("orrery model generate")
struct GenerateTests {
    private static let model = Program.root + "/sample-data/models/orrery-mini"
    let program: Program

    init() throws { program = try Program() }

    private func generate(_ options: String...) throws -> Program.Result {
        try program.run(["model", "generate", Self.model, "--no-trace", "--temperature", "0"] + options)
    }

    @Test("the prompt of the README generates a story")
    func story() throws {
        let result = try generate("-p", "Story: Lumira was a star watcher in Dunford.", "--max-tokens", "60")
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output.contains("Lumira") && result.output.split(separator: " ").count > 20)
        #expect(!result.error.contains("ended its reply at once"))
    }

    @Test("an empty generation is explained in text and JSON")
    func empty() throws {
        let question = "Why do planets wander?"
        let result = try generate("--user", question)
        #expect(result.status == 0, "\(result.error)")
        #expect(
            result.error.contains("the model ended its reply at once: end-of-text was the most likely token, p 9"))
        let json = try generate("--user", question, "--json", "--alternatives", "2")
        #expect(json.output.contains("\"silence\": \"the model ended its reply at once: <|endoftext|> was"))
    }
}
