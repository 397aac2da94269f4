internal import JSON
internal import LanguageModels
internal import System

/// A whole answer as JSON: `{"message", "finish", "usage", "model", "seconds", "seconds_to_first_token", "retries"}`.
struct ResponseJSON: JSONRepresentable {
    var response: ModelResponse

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("message", response.message)
            json.member("finish", Self.word(response.finish))
            json.member("usage", ifPresent: response.usage.map { UsageJSON(usage: $0) })
            json.member("model", response.model)
            json.member("seconds", response.seconds)
            json.member("seconds_to_first_token", ifPresent: response.secondsToFirstToken)
            if response.retries > 0 { json.member("retries", response.retries) }
        }
    }

    static func word(_ reason: ModelResponse.FinishReason) -> String {
        switch reason {
        case .stop: "stop"
        case .length: "length"
        case .toolCalls: "tool_calls"
        case .cancelled: "cancelled"
        case .other(let word): word
        }
    }

    static func finish(_ word: String) -> ModelResponse.FinishReason {
        switch word {
        case "stop": .stop
        case "length": .length
        case "tool_calls": .toolCalls
        case "cancelled": .cancelled
        default: .other(word)
        }
    }
}

extension ResponseJSON {
    init(_ node: JSONNode) throws(Problem) {
        guard let message = node["message"], let finish = node["finish"]?.string else {
            throw Problem(.invalid, "", "a response must have 'message' and 'finish'")
        }
        response = ModelResponse(
            message: try Message(message), finish: Self.finish(finish),
            usage: node["usage"].flatMap { $0.isNull ? nil : UsageJSON($0).usage },
            model: node["model"]?.string ?? "", secondsToFirstToken: node["seconds_to_first_token"]?.double,
            seconds: node["seconds"]?.double ?? 0, retries: Int(node["retries"]?.int ?? 0))
    }
}

/// Tokens of a call as JSON, with the keys that exports of traces have.
struct UsageJSON: JSONRepresentable {
    var usage: Usage

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("input_tokens", usage.input)
            if usage.cacheRead > 0 { json.member("cache_read_tokens", usage.cacheRead) }
            if usage.cacheWrite > 0 { json.member("cache_write_tokens", usage.cacheWrite) }
            json.member("output_tokens", usage.output)
            if usage.reasoning > 0 { json.member("reasoning_tokens", usage.reasoning) }
        }
    }
}

extension UsageJSON {
    init(_ node: JSONNode) {
        func count(_ node: JSONNode?) -> Int { Int(min(max(node?.int ?? 0, 0), 1 << 40)) }
        usage = Usage(
            input: count(node["input_tokens"]), cacheRead: count(node["cache_read_tokens"]),
            cacheWrite: count(node["cache_write_tokens"]), output: count(node["output_tokens"]),
            reasoning: count(node["reasoning_tokens"]))
    }
}

/// A failure as JSON: `{"kind", "model", "problem", "remedy"}`.
struct ErrorJSON: JSONRepresentable {
    var error: LanguageModelError

    private static let words: [(LanguageModelError.Kind, String)] = [
        (.request, "request"), (.authorization, "authorization"), (.rateLimit, "rate_limit"), (.timeout, "timeout"),
        (.connection, "connection"), (.server, "server"), (.protocolViolation, "protocol"), (.local, "local"),
    ]

    /// The word of a kind of failure.
    static func word(_ kind: LanguageModelError.Kind) -> String { words.first { $0.0 == kind }?.1 ?? "local" }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("kind", Self.word(error.kind))
            $0.member("model", error.model)
            $0.member("problem", error.problem)
            $0.member("remedy", error.remedy)
        }
    }
}

extension ErrorJSON {
    init(_ node: JSONNode) {
        error = LanguageModelError(
            Self.words.first { node["kind"]?.equals($0.1) == true }?.0 ?? .local, model: node["model"]?.string ?? "",
            problem: node["problem"]?.string ?? "", remedy: node["remedy"]?.string ?? "")
    }
}
