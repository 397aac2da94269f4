import LanguageModels
import Providers
import Testing

@Suite(
    "Keys and prompts stay where they belong", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct SecrecyTests {
    static let key = "test-key-0123456789-abcdefghij"
    static let prompt = "The patient's name is Ada and her number is 4711"

    static func model(_ server: TestServer, preset: Endpoint.Preset? = nil) -> OpenAIModel {
        OpenAIModel(
            Endpoint(preset: preset, address: server.address, model: "m", keyVariable: "SOME_KEY", retries: 0),
            environment: Setting(variables: ["SOME_KEY": key + "\n"]).environment)
    }

    @Test("the key is sent, and appears nowhere else")
    func theKeyIsSentAndNothingElseShowsIt() throws {
        let server = TestServer(answers: Answer.stream(Answer.delta("a") + Answer.stop))
        let model = Self.model(server)
        let (response, events) = try model.collect(.user("x"))
        #expect(server.requests[0]["authorization"] == "Bearer " + Self.key)
        let said = "\(response) \(events) \(model.name) \(model.provider) \(dump(model))"
        #expect(!said.contains("0123456789"))
    }

    @Test("no key is sent to other addresses")
    func noKeyIsSentToStrangers() throws {
        let server = TestServer(answers: Answer.stream(Answer.stop))
        let environment = Setting(variables: ["OPENAI_API_KEY": Self.key, "ANTHROPIC_API_KEY": Self.key]).environment
        guard case .openAI(let endpoint) = try ProviderSpecification(server.address + "#m") else { return }
        _ = try OpenAIModel(endpoint, environment: environment).respond(to: .user("x"))
        #expect(!server.requests[0].head.contains(Self.key))
        #expect(server.requests[0]["authorization"] == nil)
    }

    /// A server that sends everything back that it was sent.
    @Test(
        "an error that echoes the request is redacted",
        arguments: ["400 Bad", "401 No", "403 No", "404 No", "429 Slow", "500 Oh", "418 Teapot", "200 OK"])
    func echoes(status: String) {
        let server = TestServer { connection, _ in
            guard let request = connection.request() else { return }
            let told = (request.head + request.body).replacing("\r\n", with: " ").replacing("\"", with: "'")
            let escaped = told.replacing("\\", with: "")
            connection.send(
                Answer.json(#"{"error":{"message":"\#(escaped)","type":"\#(escaped)"}}"#, status: status))
        }
        let model = Self.model(server)
        let error = model.failure(.user(Self.prompt))
        #expect(error != nil)
        let said = error.map { $0.sentence + "\($0)" } ?? ""
        #expect(!said.contains("0123456789"))
        #expect(!said.contains("patient's name is Ada"))
        #expect(!said.contains("4711"))
        #expect(said.utf8.count < 2000)
    }

    @Test("pieces of a key are removed")
    func piecesOfAKeyAreTakenOut() {
        let redaction = Redaction(secrets: [Self.key], texts: [Self.prompt])
        #expect(redaction.clean("refused test-key-0123****ghij here.") == "refused …****ghij here")
        #expect(redaction.clean("a \u{1B}[31mred\r\nline") == "a  [31mred  line")
        #expect(redaction.clean("input: \(Self.prompt)!") == "input: …!")
        #expect(redaction.clean(String(repeating: "long ", count: 100)).count == 300)
        #expect(Redaction(secrets: [], texts: []).clean("Plain.") == "Plain")
    }

    @Test(
        "invalid keys are rejected before a request",
        arguments: [
            ("", "is empty or not set"), ("  ", "is empty or not set"), ("a\r\nX-Evil: 1", "invalid characters"),
        ])
    func wrongKeys(key: String, problem: String) {
        let server = TestServer(answers: "")
        let model = OpenAIModel(
            Endpoint(address: server.address, model: "m", keyVariable: "SOME_KEY"),
            environment: Setting(variables: ["SOME_KEY": key]).environment)
        let error = model.failure(.user("x"))
        #expect(error?.kind == .authorization)
        #expect(error?.problem.contains(problem) == true)
        #expect(error?.problem.contains("Evil") == false)
        #expect(server.connections == 0)
    }

    @Test("recordings contain no key")
    func recordingsHoldNoKey() throws {
        let folder = TemporaryFile()
        let server = TestServer(answers: Answer.stream(Answer.delta("a") + Answer.stop))
        let model = try RecordingModel(Self.model(server), path: folder.path)
        _ = try model.respond(to: .user("x"))
        #expect(folder.text.contains(#""text":"a""#))
        #expect(!folder.text.contains("0123456789"))
    }

    /// What a value prints of all that it holds.
    private func dump(_ value: Any) -> String {
        var text = ""
        Swift.dump(value, to: &text)
        return text
    }
}
