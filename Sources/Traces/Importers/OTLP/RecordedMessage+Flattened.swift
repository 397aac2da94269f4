import JSON
import LanguageModels

extension RecordedMessage {
    /// Puts together the messages of a flattened list, each of whose attributes holds one leaf:
    /// `0.message.role`, `0.message.contents.1.message_content.text`, `0.message.tool_calls.0.tool_call.id`, and
    /// without `message.` in the older gen_ai attributes. The order of the attributes does not matter.
    static func flattened(_ items: [OTLPAttributes.Item], _ list: OTLPList, role: Role) -> [RecordedMessage] {
        var messages = NumberedList<FlatMessage>()
        for item in items where item.list == list {
            let place = messages.place(of: item.index, FlatMessage())
            messages.elements[place].value.take(FlatPath(bytes: item.path), item.value)
        }
        messages.sort()
        return messages.elements.map { $0.value.recorded(role) }
    }
}

/// The rest of a flattened attribute's name, taken apart from its front.
struct FlatPath {
    var bytes: UnsafeBufferPointer<UInt8>

    mutating func take(_ prefix: StaticString) -> Bool {
        guard bytes.starts(with: prefix) else { return false }
        bytes = UnsafeBufferPointer(rebasing: bytes[prefix.utf8CodeUnitCount...])
        return true
    }

    /// A number and the dot behind it.
    mutating func takeIndex() -> Int? {
        var place = 0
        var index = 0
        while place < bytes.count, place < 9, bytes[place] &- 0x30 <= 9 {
            index = index * 10 + Int(bytes[place] - 0x30)
            place += 1
        }
        guard place > 0 else { return nil }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") { place += 1 }
        bytes = UnsafeBufferPointer(rebasing: bytes[place...])
        return index
    }

    func `is`(_ text: StaticString) -> Bool { bytes.equals(text) }
}

/// A message in the making.
private struct FlatMessage {
    private struct Piece {
        var type: OTLPValue?
        var text: OTLPValue?
        var location: OTLPValue?
    }

    private struct Call {
        var id: OTLPValue?
        var name: OTLPValue?
        var arguments: OTLPValue?
    }

    private var role: OTLPValue?
    private var content: OTLPValue?
    private var reasoning: OTLPValue?
    private var callID: OTLPValue?
    private var pieces = NumberedList<Piece>()
    private var calls = NumberedList<Call>()

    mutating func take(_ whole: FlatPath, _ value: OTLPValue) {
        var path = whole
        _ = path.take("message.")
        if path.is("role") {
            role = value
        } else if path.is("content") || path.is("prompt.text") || path.is("completion.text") {
            content = value
        } else if path.is("reasoning") || path.is("reasoning_content") {
            reasoning = value
        } else if path.is("tool_call_id") {
            callID = value
        } else if path.take("tool_calls.") {
            guard let index = path.takeIndex() else { return }
            _ = path.take("tool_call.")
            _ = path.take("function.")
            takeCall(path, index, value)
        } else if path.is("function_call_name") {
            calls.elements[calls.place(of: 0, Call())].value.name = value
        } else if path.is("function_call_arguments_json") {
            calls.elements[calls.place(of: 0, Call())].value.arguments = value
        } else if path.take("contents.") {
            guard let index = path.takeIndex() else { return }
            _ = path.take("message_content.")
            if path.is("type") {
                pieces.elements[pieces.place(of: index, Piece())].value.type = value
            } else if path.is("text") {
                pieces.elements[pieces.place(of: index, Piece())].value.text = value
            } else if path.is("image.image.url") || path.is("audio.audio.url") {
                pieces.elements[pieces.place(of: index, Piece())].value.location = value
            }
        }
    }

    private mutating func takeCall(_ path: FlatPath, _ index: Int, _ value: OTLPValue) {
        if path.is("id") {
            calls.elements[calls.place(of: index, Call())].value.id = value
        } else if path.is("name") {
            calls.elements[calls.place(of: index, Call())].value.name = value
        } else if path.is("arguments") {
            calls.elements[calls.place(of: index, Call())].value.arguments = value
        }
    }

    func recorded(_ fallback: Role) -> RecordedMessage {
        var message = RecordedMessage(role: Role(recorded: role) ?? fallback)
        if let reasoning { message.parts.append(.reasoning(reasoning)) }
        if let content, content.textLength > 0 {
            message.parts.append(
                message.role == .tool ? .result(id: callID, content: content, failed: false) : .text(content))
        }
        for piece in pieces.sorted().elements.lazy.map(\.value) {
            if let location = piece.location {
                message.parts.append(.attachment(mediaType: piece.type, location: location, data: nil))
            } else if let text = piece.text {
                let isReasoning = piece.type?.string == "reasoning"
                message.parts.append(isReasoning ? .reasoning(text) : .text(text))
            }
        }
        for call in calls.sorted().elements.lazy.map(\.value) {
            message.parts.append(.call(id: call.id, name: call.name, arguments: call.arguments))
        }
        return message
    }
}

/// Elements by their numbers, which mostly come in order.
private struct NumberedList<Element> {
    var elements: [(number: Int, value: Element)] = []
    private var places: [Int: Int] = [:]
    private var isSorted = true

    /// The place of the element with a number; a fresh one is added if there is none. O(1).
    mutating func place(of number: Int, _ fresh: @autoclosure () -> Element) -> Int {
        if let last = elements.last {
            if last.number == number { return elements.count - 1 }
            if let known = places[number] { return known }
            if number < last.number { isSorted = false }
        }
        places[number] = elements.count
        elements.append((number, fresh()))
        return elements.count - 1
    }

    /// Puts the elements into the order of their numbers; places are not valid afterwards.
    mutating func sort() {
        if !isSorted { elements.sort { $0.number < $1.number } }
    }

    func sorted() -> NumberedList {
        var list = self
        list.sort()
        return list
    }
}
