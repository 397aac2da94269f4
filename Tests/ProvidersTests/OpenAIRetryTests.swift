import LanguageModels
import Providers
import System
import Testing

@Suite("Refusals and retries", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct OpenAIRetryTests {
    static func model(_ server: TestServer, _ setting: Setting, retries: Int = 3) -> OpenAIModel {
        OpenAIModel(
            Endpoint(address: server.address, model: "m", retries: retries), environment: setting.environment)
    }

    static let good = Answer.stream(Answer.delta("a") + Answer.stop)

    @Test("temporary failures are retried")
    func failuresThatPassAreWaitedFor() throws {
        let setting = Setting()
        let server = TestServer(
            answers: Answer.json("{}", status: "503 Busy"), "",
            Answer.json("{}", status: "429 Slow", headers: "Retry-After: 7\r\n"),
            Self.good)
        let response = try Self.model(server, setting).respond(to: .user("x"))
        #expect(response.text == "a")
        #expect(response.retries == 3)
        #expect(setting.clock.slept == [0.25, 0.5, 7.25])
        #expect(response.seconds == 8)
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test(
        "a server names its pause",
        arguments: [
            ("retry-after-ms: 1500\r\n", 1.75), ("Retry-After: Sun, 06 Nov 1994 08:49:47 GMT\r\n", 10.25),
            ("Retry-After: 3600\r\n", nil), ("x-should-retry: false\r\n", nil),
        ] as [(String, Double?)])
    func pauses(header: String, slept: Double?) {
        let setting = Setting()
        let server = TestServer(answers: Answer.json("{}", status: "429 Slow", headers: header), Self.good)
        let error = Self.model(server, setting).failure(.user("x"))
        #expect(setting.clock.slept == (slept.map { [$0] } ?? []))
        #expect(error?.kind == (slept == nil ? .rateLimit : nil))
        #expect(error?.maximumRetries == (header.hasPrefix("x-should") ? 0 : nil))
    }

    @Test("a request is not retried after its first text")
    func nothingIsAskedAgainOnceTextCame() {
        let setting = Setting()
        let server = TestServer(answers: Answer.chunkedHead + "5\r\ndata:", Self.good)
        #expect(Self.model(server, setting).failure(.user("x"))?.kind == .connection)
        #expect(server.connections == 1)
        #expect(setting.clock.slept == [])
    }

    @Test("an exhausted quota is not retried")
    func emptyAccountsAreNotTriedAgain() {
        let setting = Setting()
        let server = TestServer(
            answers: Answer.json(#"{"error":{"message":"No money.","code":"insufficient_quota"}}"#, status: "429 Slow"))
        let error = Self.model(server, setting).failure(.user("x"))
        #expect(error?.problem == "the account's quota is exhausted (429): No money")
        #expect(error?.maximumRetries == 0)
        #expect(server.connections == 1)
    }

    @Test(
        "error statuses become sentences",
        arguments: [
            (
                "400 Bad", #"{"error":{"message":"bad temperature"}}"#, LanguageModelError.Kind.request,
                "the server rejected the request (400): bad temperature"
            ),
            (
                "422 Bad", #"{"detail":[{"msg":"field required","input":"x"}]}"#, .request,
                "the server rejected the request (422): field required"
            ),
            ("404 No", #"{"error":"model 'm' not found"}"#, .request, "not found (404): model 'm' not found"),
            (
                "401 No", #"{"error":{"message":"Incorrect API key provided: abcd"}}"#, .authorization,
                "the server requires a key (401)"
            ),
            ("301 Moved", "", .request, "the server redirects to another address (301), which Orrery does not follow"),
            ("500 Oh", "<html>", .server, "the server failed (500)"),
            ("529 Busy", #"{"message":"overloaded"}"#, .server, "the server failed (529): overloaded"),
        ])
    func refusals(status: String, body: String, kind: LanguageModelError.Kind, problem: String) {
        let server = TestServer(
            answers: Answer.json(body, status: status, headers: "Location: http://127.0.0.1:1/\r\n"))
        let error = Self.model(server, Setting(), retries: 0).failure(.user("x"))
        #expect(error?.kind == kind)
        #expect(error?.problem == problem)
        #expect(server.connections == 1)
    }

    @Test("HTML is an error")
    func aWebPageIsNoAnswer() {
        let server = TestServer(answers: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<html>")
        #expect(
            Self.model(server, Setting()).failure(.user("x"))?.sentence.contains("Most addresses end with /v1") == true)
    }

    /// Answers every request that has none of the words, refuses the others with the sentence of the word.
    static func picky(_ words: [(String, String)]) -> TestServer {
        TestServer { connection, _ in
            guard let request = connection.request() else { return }
            let refused = words.first { request.body.contains("\"\($0.0)\"") }
            let body = refused.map { Answer.json(#"{"error":{"message":"\#($0.1)"}}"#, status: "400 Bad Request") }
            connection.send(body ?? Self.good)
        }
    }

    @Test(
        "unsupported parameters are omitted, and remembered",
        arguments: [
            (
                [("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")],
                [#""max_tokens":5"#, #""max_completion_tokens":5"#, #""max_completion_tokens":5"#]
            ),
            (
                [("stream_options", "Unrecognized request argument supplied: stream_options")],
                ["stream_options", #""stream":true}"#, #""stream":true}"#]
            ),
            (
                [("logprobs", "logprobs are not supported")],
                [#""top_logprobs":20"#, #""top_logprobs":5"#, #""stream""#, #""stream""#]
            ),
        ])
    func fallbacks(words: [(String, String)], seen: [String]) throws {
        let server = Self.picky(words)
        let model = Self.model(server, Setting())
        let request = ModelRequest.user("x", sampling: Sampling(maximumTokens: 5), alternatives: 20)
        for _ in 0..<2 { #expect(try model.respond(to: request).text == "a") }
        #expect(server.requests.count == seen.count)
        for (request, part) in zip(server.requests, seen) { #expect(request.body.contains(part)) }
        #expect(model.capabilities.alternatives == (words[0].0 == "logprobs" ? 0 : 20))
    }

    @Test("fewer alternatives are requested if twenty are rejected")
    func fewerAlternativesAreTakenWhereTwentyAreRefused() throws {
        let server = TestServer { connection, _ in
            guard let request = connection.request() else { return }
            let body = #"{"error":{"message":"top_logprobs must be less than or equal to 5"}}"#
            connection.send(
                request.body.contains(#""top_logprobs":20"#) ? Answer.json(body, status: "400 Bad") : Self.good)
        }
        let model = Self.model(server, Setting())
        _ = try model.respond(to: .user("x", alternatives: 20))
        #expect(model.capabilities.alternatives == 5)
        #expect(server.requests.count == 2)
    }

    @Test("a requested parameter is not dropped silently")
    func aParameterThatWasAskedForIsNotDroppedInSilence() {
        let server = Self.picky([("top_k", "Unrecognized request argument supplied: top_k")])
        let error = Self.model(server, Setting()).failure(.user("x", sampling: Sampling(topK: 40)))
        #expect(
            error?.problem == "the server rejected the request (400): Unrecognized request argument supplied: top_k")
    }

    @Test("cancellation keeps the received text")
    func aCancelKeepsWhatCame() throws {
        let server = TestServer { connection, _ in
            _ = connection.request()
            connection.send(Answer.streamHead + Answer.delta("It "))
            connection.waitForClose()
        }
        let hasText = Shared(false)
        var events = 0
        let response = try Self.model(server, Setting()).respond(to: .user("x"), isCancelled: { hasText.current }) {
            _ in
            events += 1
            hasText.set(true)
        }
        #expect(response.finish == .cancelled)
        #expect(response.text == "It ")
        #expect(events == 1)
    }

    @Test("cancellation ends the retries")
    func aCancelEndsTheRetries() throws {
        let server = TestServer(answers: Answer.json("{}", status: "503 Busy"))
        let response = try Self.model(server, Setting(), retries: 20).respond(
            to: .user("x"), isCancelled: { server.requests.count >= 2 }, receive: { _ in })
        #expect(response.finish == .cancelled)
        #expect(server.connections == 2)
    }
}
