internal import JSON

/// An answer with a status of failure.
struct Refusal {
    var status: Int
    /// Message of the server, without the key and the prompt; empty if it is missing or unreadable.
    var message: String
    /// The same as it came, in small letters: to find out which parameter it refuses, never to be shown.
    var original: String
    /// Its own word for the kind of failure: `insufficient_quota`, `overloaded_error`.
    var code: String
    /// Seconds that it wants to be left alone.
    var retryAfter: Double?
    /// Whether the same request may do better later.
    var mayPass: Bool

    /// Whether it says so of a failure that mostly passes: no retry helps.
    var isForGood: Bool { !mayPass && RetryPolicy.mayPass(status: status) }
    /// An account without money is refused with 429, and stays so.
    var isOutOfMoney: Bool { code == "insufficient_quota" || code == "billing_hard_limit_reached" }

    /// Whether it is about one of these parameters.
    func mentions(_ words: String...) -> Bool { words.contains { original.contains($0) } }
}

/// Collects the body of a refusal, of which the first 64 KiB are read.
struct RefusalBody {
    private var bytes: [UInt8] = []
    private static let most = 64 << 10

    mutating func take(_ more: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.append(contentsOf: more.prefix(Self.most - bytes.count))
        return bytes.count < Self.most
    }

    func refusal(_ head: HTTPHead, now: Int64, _ redaction: Redaction) -> Refusal {
        let told = ErrorObject(bytes)
        let text = told?.message ?? plainText(head)
        let code = told?.code ?? ""
        var refusal = Refusal(
            status: head.status, message: redaction.clean(text), original: text.lowercased(), code: code,
            retryAfter: RetryAfter.seconds(in: head, now: now), mayPass: RetryPolicy.mayPass(status: head.status))
        switch head["x-should-retry"] {
        case "true": refusal.mayPass = true
        case "false": refusal.mayPass = false
        default: break
        }
        if refusal.isOutOfMoney { refusal.mayPass = false }
        return refusal
    }

    private func plainText(_ head: HTTPHead) -> String {
        guard head.mediaType == "text/plain" else { return "" }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// What servers write about a failure: OpenAI `{"error": {"message", "type", "code"}}`, Ollama `{"error": "..."}`,
/// vLLM `{"object": "error", "message"}`, FastAPI `{"detail": "..."}` or `{"detail": [{"msg"}]}`.
struct ErrorObject {
    var message: String
    var code: String

    init?(_ bytes: [UInt8]) {
        let parser = JSONParser(maximumDepth: 64, maximumValues: 1 << 14)
        let found: ErrorObject?? = try? parser.parse(bytes) { ErrorObject($0) }
        guard case .some(.some(let object)) = found else { return nil }
        self = object
    }

    /// Creates an error object; `nil` if the value is not an error.
    init?(_ node: JSONNode) {
        if let error = node["error"], !error.isNull {
            message = error.string ?? error["message"]?.string ?? ""
            code = error["code"]?.string ?? error["type"]?.string ?? ""
            // Anthropic has only a type, OpenAI a type that says less than its code.
        } else if node["object"]?.equals("error") == true || node["type"]?.equals("error") == true {
            message = node["message"]?.string ?? ""
            code = node["type"]?.string ?? ""
        } else if let detail = node["detail"], !detail.isNull {
            message = detail.string ?? detail.element(at: 0)?["msg"]?.string ?? ""
            code = ""
        } else if node["choices"] == nil, let text = node["message"]?.string {
            message = text
            code = ""
        } else {
            return nil
        }
    }
}
