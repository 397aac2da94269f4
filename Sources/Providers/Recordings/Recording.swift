internal import Hashing
internal import JSON
internal import LanguageModels
internal import System

/// One call that was recorded: a line of JSON.
///
/// `{"version": 1, "digest": "...", "provider": "...", "model": "...", "request": {...}, "events": [...], "response":
/// {...}}`, or `error` in place of `response`. The digest is that of the request's text.
struct Recording {
    var provider: String
    var model: String
    /// The request as JSON: what calls are matched by.
    var request: [UInt8]
    var events: [ModelEvent]
    var outcome: Result<ModelResponse, LanguageModelError>

    /// The text by which two requests are the same.
    static func key(_ request: ModelRequest) -> [UInt8] {
        var json = JSONWriter()
        RequestJSON(request).write(to: &json)
        return json.bytes
    }

    /// 64 bits that tell texts apart, as 16 hexadecimal digits. Source: Fowler, Noll, Vo, FNV-1a.
    static func digest(_ bytes: [UInt8]) -> String {
        FNV1a.hexadecimal(FNV1a.hash(bytes))
    }

    /// The line, with its end.
    static func line(
        provider: String, model: String, request: ModelRequest, events: [ModelEvent],
        outcome: Result<ModelResponse, LanguageModelError>
    ) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("version", 1)
            json.member("digest", digest(key(request)))
            json.member("provider", provider)
            json.member("model", model)
            json.member("request", RequestJSON(request))
            json.member("events", events.map { EventJSON(event: $0) })
            switch outcome {
            case .success(let response): json.member("response", ResponseJSON(response: response))
            case .failure(let error): json.member("error", ErrorJSON(error: error))
            }
        }
        json.endLine()
        return json.bytes
    }

    init(_ node: JSONNode) throws(Problem) {
        guard node["version"]?.int == 1 else {
            throw Problem(.unsupported, "", "unsupported version; this build reads recordings of version 1")
        }
        guard let written = node["request"] else { throw Problem(.missing, "", "'request' is missing") }
        // What is read is written again: two spellings of the same request are one.
        request = Self.key(try RequestJSON(written).request)
        provider = node["provider"]?.string ?? "?"
        model = node["model"]?.string ?? "?"
        events = []
        if let list = node["events"] {
            for event in list.elements { events.append(try EventJSON(event).event) }
        }
        if let response = node["response"] {
            outcome = .success(try ResponseJSON(response).response)
        } else if let error = node["error"] {
            outcome = .failure(ErrorJSON(error).error)
        } else {
            throw Problem(.missing, "", "'response' or 'error' is missing")
        }
    }
}
