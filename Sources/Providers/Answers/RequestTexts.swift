internal import JSON
internal import LanguageModels
internal import System

extension ModelRequest {
    /// Every piece of text in it, for what must not be shown.
    var texts: [String] {
        switch input {
        case .text(let text): return [text]
        case .tokens: return []
        case .messages(let messages, let tools):
            let said = messages.flatMap(\.parts).flatMap { part -> [String] in
                switch part {
                case .text(let text), .reasoning(let text): [text]
                case .toolCall(let call): [call.arguments]
                case .toolResult(let result): [result.content]
                case .attachment(let file): file.location.map { [$0] } ?? []
                case .other(_, let json): [json]
                }
            }
            return said + tools.flatMap { [$0.description, $0.parameters] }
        }
    }
}

/// JSON text that becomes part of a request as it is.
struct JSONText {
    private let document: JSONDocument

    /// - Throws: where the text is not JSON, or is none of the kinds.
    init(_ text: String, _ kinds: JSONNode.Kind..., what: String) throws(Problem) {
        do {
            document = try JSONDocument(parsing: text, maximumDepth: 256)
        } catch {
            throw Problem(.invalid, "", "\(what) is not JSON")
        }
        guard kinds.isEmpty || document.withRoot({ kinds.contains($0.kind) }) else {
            throw Problem(.invalid, "", "\(what) has the wrong JSON type")
        }
    }

    func write(to json: inout JSONWriter) {
        document.withRoot { json.copy($0) }
    }
}
