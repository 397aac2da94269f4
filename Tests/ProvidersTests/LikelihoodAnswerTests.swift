import LanguageModels
import Providers
import Testing

@Suite("What no answer can be", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct LikelihoodAnswerTests {
    private static func model(_ server: TestServer) -> OpenAIModel {
        OpenAIModel(Endpoint(address: server.address, model: "m", retries: 0), environment: Setting().environment)
    }

    @Test(
        "impossible log probabilities are errors",
        arguments: [
            (#"["a","b","c","."]"#, "[null,-0.5,-0.25,-1]", nil),
            (#"["a","<10>","▁B","c","."]"#, "[null,-0.5,-0.5,-0.25,-1]", nil),
            (#"["a","b","c","."]"#, "[null,0.7,-0.25,-1]", "the response has out-of-range log probabilities"),
            (#"["a","b","c","."]"#, "[null,-1e308,-0.25,-1]", "the response has out-of-range log probabilities"),
            (
                #"["a","b","c","."]"#, "[null,-0.5,-0.25]",
                "the response has different numbers of tokens and log probabilities"
            ),
            (#"["q","q","q","."]"#, "[null,-0.5,-0.25,-1]", "the echoed text differs from the prompt"),
        ] as [(String, String, String?)])
    func echoes(tokens: String, values: String, problem: String?) {
        let body =
            #"{"choices":[{"logprobs":{"tokens":\#(tokens),"token_logprobs":\#(values),"#
            + #""text_offset":[0,1,2,3,4]}}]}"#
        let server = TestServer { connection, _ in
            guard let request = connection.request() else { return }
            let isQuestion = request.body.contains("prompt")
            connection.send(isQuestion ? Answer.json(body) : Answer.json("{}", status: "404 Not Found"))
        }
        var found: String?
        do throws(LanguageModelError) {
            _ = try Self.model(server).likelihood(of: "bc", after: "a", isCancelled: { false })
        } catch {
            found = error.problem
        }
        #expect(found == problem)
    }

    @Test("a value that is not text is an error, not an empty response", arguments: ["42", "true", #"{"a":1}"#])
    func otherContent(content: String) {
        let body = #"{"choices":[{"index":0,"finish_reason":"stop","message":{"content":\#(content)}}]}"#
        let error = Self.model(TestServer(answers: Answer.json(body))).failure(.user("x"))
        #expect(error?.kind == .protocolViolation)
        #expect(error?.problem.hasPrefix("the response has a value of type") == true)
    }

    @Test("a response far longer than requested is canceled")
    func longAnswer() {
        let text = String(repeating: "x", count: 3 << 20)
        let server = TestServer(answers: Answer.stream(Answer.delta(text) + Answer.stop))
        let error = Self.model(server).failure(.user("x", sampling: Sampling(maximumTokens: 10)))
        #expect(error?.problem == "the response is longer than the requested number of tokens")
    }

    @Test("the largest response is canceled if responses exceed the memory limit")
    func memory() {
        let memory = AnswerMemory(most: 4 << 20)
        let (small, large) = (AnswerMemory.Share(memory), AnswerMemory.Share(memory))
        var takes = small.take(1 << 20)
        #expect(takes)
        takes = large.take(2 << 20)
        #expect(takes)
        takes = small.take(1 << 19)
        #expect(takes)
        takes = large.take(1 << 20)
        #expect(!takes)
        takes = small.take(2 << 20)
        #expect(takes)
    }

    @Test("a time limit that is given holds for every part of an exchange")
    func timeLimit() throws {
        guard case .openAI(let endpoint) = try ProviderSpecification("https://h/v1#m,timeout=6") else {
            Issue.record("no endpoint")
            return
        }
        #expect([endpoint.timeouts.firstByte, endpoint.timeouts.idle, endpoint.timeouts.total] == [6, 6, 6])
    }
}
