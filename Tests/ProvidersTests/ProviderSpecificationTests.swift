import LanguageModels
import Providers
import Testing

@Suite("A word names a provider") struct ProviderSpecificationTests {
    static func endpoint(_ word: String) throws -> Endpoint {
        switch try ProviderSpecification(word) {
        case .openAI(let endpoint), .anthropic(let endpoint): return endpoint
        default: throw LanguageModelError(.local, model: word, problem: "no endpoint")
        }
    }

    @Test(
        "endpoints are taken apart",
        arguments: [
            ("openai:gpt-4o-mini", "https://api.openai.com/v1", "gpt-4o-mini", "OPENAI_API_KEY"),
            ("openai:a,b", "https://api.openai.com/v1", "a,b", "OPENAI_API_KEY"),
            ("anthropic:claude-x", "https://api.anthropic.com/v1", "claude-x", "ANTHROPIC_API_KEY"),
            ("ollama:llama3.2:3b", "http://127.0.0.1:11434/v1", "llama3.2:3b", nil),
            ("http://host:8080/v1#name", "http://host:8080/v1", "name", nil),
            ("http://host:8080#org/name", "http://host:8080/v1", "org/name", nil),
            ("http://host:8080/", "http://host:8080/v1", "", nil),
            ("https://host/openai/v1/#m,key=WORK_KEY", "https://host/openai/v1", "m", "WORK_KEY"),
            ("https://h/d/x?api-version=2024-10-21#m", "https://h/d/x?api-version=2024-10-21", "m", nil),
            ("http://[::1]:80/v1#m", "http://[::1]:80/v1", "m", nil),
            ("openai:m,key=none", "https://api.openai.com/v1", "m", nil),
        ] as [(String, String, String, String?)])
    func endpoints(word: String, address: String, model: String, key: String?) throws {
        let endpoint = try Self.endpoint(word)
        #expect(endpoint.address == address)
        #expect(endpoint.model == model)
        #expect(endpoint.keyVariable == key)
    }

    @Test("settings follow the model")
    func settingsStandBehindTheModel() throws {
        let endpoint = try Self.endpoint("https://h/v1#m,key=K_1,auth=api-key,timeout=60,retries=0,stream=no")
        #expect(endpoint.keyHeader == .apiKey)
        #expect(endpoint.timeouts.total == 60)
        #expect(endpoint.retries == 0)
        #expect(!endpoint.streams)
        #expect(try Self.endpoint("anthropic:c,thinking=2048").thinkingTokens == 2048)
        guard case .anthropic(let other) = try ProviderSpecification("http://h/v1#m,api=anthropic") else {
            Issue.record("api=anthropic was not taken")
            return
        }
        #expect(other.keyHeader == .xAPIKey)
        #expect(other.keyVariable == nil)
    }

    @Test("other kinds of specifications")
    func otherKinds() throws {
        #expect(try ProviderSpecification("exec:./a 'b c' d\\ e \"f'\"") == .program(["./a", "b c", "d e", "f'"]))
        #expect(try ProviderSpecification("scripted:It, turns.") == .scripted("It, turns."))
        #expect(try ProviderSpecification("replay:a/b.jsonl") == .replay("a/b.jsonl"))
        #expect(try ProviderSpecification("local:stories") == .local("stories"))
        #expect(try ProviderSpecification("./m.gguf") == .local("./m.gguf"))
    }

    @Test(
        "its description gives the same value back",
        arguments: [
            "openai:gpt-4o", "openai:m,key=none", "openai:m,key=B,retries=0,stream=no", "anthropic:c,thinking=4096",
            "anthropic:c,api=openai", "http://h:1/v1#m,api=anthropic,key=A", "https://h/v1#m,auth=api-key,key=AZ",
            "https://h/v1#m,timeout=2.5", "exec:a 'b c' ''", "exec:it\\'s", "scripted:", "replay:x", "local:y",
            "z.gguf",
            "ollama:m,auth=x-api-key,key=Q", "http://h/v1",
        ])
    func roundTrip(word: String) throws {
        let value = try ProviderSpecification(word)
        #expect(try ProviderSpecification(value.description) == value)
    }

    @Test(
        "wrong words are answered with what to write",
        arguments: [
            ("", "missing model"), ("openai:", "openai: needs a model name"),
            ("ftp://h/x", "unsupported address. Use http:// or https://"),
            ("http://", "the address has no host"), ("http://h:99999/v1", "the port must be a number from 1 to 65535"),
            ("http://user:pass@h/v1#m", "the address must not contain a user name or password"),
            ("http://h/a b#m", "the address contains an invalid character"),
            (
                "openai:m,kee=A",
                "unknown endpoint setting \"kee\". Available: api, auth, key, retries, stream, thinking, timeout"
            ),
            ("openai:m,key=A,key=B", "duplicate setting key"),
            (
                "openai:m,key=a-b",
                "key must be none or the name of an environment variable in capital letters, not the key itself"
            ),
            ("openai:m,timeout=0", "timeout must be above 0 and at most 86,400 seconds"),
            ("openai:m,retries=99", "retries must be 0 to 20"), ("openai:m,stream=1", "stream must be yes or no"),
            ("openai:m,thinking=2000", "thinking must be at least 1024 tokens, and applies only to Anthropic models"),
            ("openai:m,auth=basic", "auth must be bearer, api-key, or x-api-key"),
            ("openai:m,api=x", "api must be openai or anthropic"),
            ("exec:", "exec: needs a program"), ("exec:a 'b", "exec: unclosed quotation mark"),
            ("exec:a \\", "exec: unexpected backslash at the end"),
            ("replay:", "replay: needs the path of a recording"),
            ("local:", "local: needs a path or name"),
        ])
    func wrongWords(word: String, problem: String) {
        #expect(throws: LanguageModelError.self) { try ProviderSpecification(word) }
        do throws(LanguageModelError) {
            _ = try ProviderSpecification(word)
        } catch {
            #expect(error.problem == problem)
            #expect(error.kind == .request)
        }
    }

    @Test(
        "a key in the place of something else is not shown",
        arguments: [
            "sk-proj-abcdefghijklmnop", "openai:sk-proj-abcdefghijklmnop", "openai:m,key=sk-proj-abcdefghijklmnop",
            "http://h/v1#sk-proj-abcdefghijklmnop", "http://u:sk-proj-abcdefghijklmnop@h/v1#m",
        ])
    func keysAreNotShown(word: String) {
        do throws(LanguageModelError) {
            _ = try ProviderSpecification(word)
            Issue.record("\(word) was taken")
        } catch {
            #expect(!error.sentence.contains("abcdef"))
        }
    }

    @Test("every documented example parses")
    func everyKnownExampleParses() throws {
        for known in Providers.knownProviders {
            let specification = try ProviderSpecification(known.example)
            if case .openAI(let endpoint) = specification, !known.form.hasPrefix("...") {
                #expect(endpoint.keyVariable == known.keyVariable)
            }
        }
    }

    @Test("environment variables change the address of a preset")
    func addressesOfTheEnvironmentMoveTheirPreset() throws {
        func make(_ word: String, _ variables: [String: String]) throws -> any LanguageModel {
            try Providers.make(
                ProviderSpecification(word), environment: Setting(variables: variables).environment
            ) { name in ScriptedModel([], name: name) }
        }
        #expect(try make("local:x", [:]).name == "x")
        #expect(try make("openai:m", ["OPENAI_BASE_URL": "https://gateway/v1"]).name == "m")
        #expect(throws: LanguageModelError.self) { try make("openai:m", ["OPENAI_BASE_URL": "gateway"]) }
        // The key would be readable on the network.
        #expect(throws: LanguageModelError.self) { try make("openai:m", ["OPENAI_BASE_URL": "http://gateway/v1"]) }
        #expect(try make("openai:m", ["OPENAI_BASE_URL": "http://127.0.0.1:1/v1"]).provider == "openai")
    }
}
