internal import JSON
internal import LanguageModels

/// Puts the calls of tools together from the pieces in which they are streamed.
///
/// OpenAI names a call by its index and sends its id and name once. Others repeat them with every piece, leave the index
/// away (Gemini's compatible endpoint), give every call the index 0 (older Ollama), or send the arguments as an object.
struct ToolCallAssembly {
    private struct Piece {
        var index: Int64?
        var id: String
        var name: String
        var arguments: String
    }

    private var pieces: [Piece] = []
    private static let most = 1024

    /// What a stream must not have.
    struct TooMany: Error {}

    var isEmpty: Bool { pieces.isEmpty }

    /// Takes in one element of a `tool_calls` array.
    mutating func take(_ node: JSONNode) throws(TooMany) {
        let index = node["index"]?.int
        let id = node["id"]?.string ?? ""
        let function = node["function"] ?? node
        let name = function["name"]?.string ?? ""
        let place: Int
        if let found = find(index: index, id: id, name: name) {
            place = found
        } else {
            guard pieces.count < Self.most else { throw TooMany() }
            pieces.append(Piece(index: index, id: id, name: "", arguments: ""))
            place = pieces.count - 1
        }
        if pieces[place].id.isEmpty { pieces[place].id = id }
        if !name.isEmpty, pieces[place].name != name { pieces[place].name += name }
        guard let arguments = function["arguments"], !arguments.isNull else { return }
        if arguments.kind == .string {
            arguments.appendText(to: &pieces[place].arguments)
        } else {
            pieces[place].arguments = String(decoding: arguments.source, as: UTF8.self)
        }
    }

    private func find(index: Int64?, id: String, name: String) -> Int? {
        if let index {
            guard let place = pieces.lastIndex(where: { $0.index == index }) else { return nil }
            let isAnother = !id.isEmpty && !name.isEmpty && !pieces[place].id.isEmpty && pieces[place].id != id
            return isAnother ? nil : place
        }
        if !id.isEmpty { return pieces.lastIndex { $0.id == id } }
        return name.isEmpty && !pieces.isEmpty ? pieces.count - 1 : nil
    }

    /// The calls in the order in which they began. One without an id gets one, for its result must name it.
    func calls() -> [ToolCall] {
        pieces.enumerated().map { place, piece in
            ToolCall(
                id: piece.id.isEmpty ? "call_\(place)" : piece.id, name: piece.name,
                arguments: piece.arguments.isEmpty ? "{}" : piece.arguments)
        }
    }
}
