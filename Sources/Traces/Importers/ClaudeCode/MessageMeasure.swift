import JSON
import LanguageModels

/// How long the parts of a message are, without copying them.
enum MessageMeasure {
    /// Adds a block of a message's content.
    static func add(_ block: JSONNode, to extent: inout MessageEntry.Extent) {
        guard block.kind == .object, let type = block["type"], let length = type.rawString?.count else {
            extent.text += block.utf8Length
            return
        }
        switch length {
        case 4 where type.equals("text"): extent.text += block["text"]?.utf8Length ?? 0
        case 8 where type.equals("thinking"): extent.reasoning += block["thinking"]?.utf8Length ?? 0
        case 8 where type.equals("tool_use"):
            extent.toolCalls += (block["name"]?.utf8Length ?? 0) + (block["input"]?.byteRange.count ?? 0)
        case 11 where type.equals("tool_result"): addResult(block["content"], to: &extent)
        case 5 where type.equals("image"), 8 where type.equals("document"): extent.attachments += 1
        case 17 where type.equals("redacted_thinking"): break
        default: extent.text += block.byteRange.count
        }
    }

    private static func addResult(_ content: JSONNode?, to extent: inout MessageEntry.Extent) {
        guard let content else { return }
        switch content.kind {
        case .string: extent.toolResults += content.utf8Length
        case .array:
            content.forEachElement { part in
                if let text = part["text"] {
                    extent.toolResults += text.utf8Length
                } else if part["type"]?.equals("image") == true {
                    extent.attachments += 1
                } else {
                    extent.toolResults += part.kind == .string ? part.utf8Length : part.byteRange.count
                }
            }
        case .null: break
        default: extent.toolResults += content.byteRange.count
        }
    }
}

/// The texts of results and errors.
enum ResultText {
    /// The first line of a content that says something, without the tags around an error, at most 200 characters.
    ///
    /// `Exit code 1` alone says little: the next line is put behind it.
    static func firstLine(_ content: JSONNode) -> String? {
        guard let text = whole(content) else { return nil }
        var rest = text.utf8[...]
        guard var line = nextLine(&rest) else { return nil }
        if line.hasPrefix("Exit code "), line.utf8.count < 16, let next = nextLine(&rest) { line += ": " + next }
        return line.count > 200 ? String(line.prefix(200)) + "…" : line
    }

    /// Takes the next line that holds more than space and tags; at most 1,000 bytes of it.
    private static func nextLine(_ rest: inout Substring.UTF8View) -> String? {
        while !rest.isEmpty {
            let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? rest.endIndex
            let line = trimmed(rest[..<end])
            rest = rest[end...].dropFirst()
            if !line.isEmpty { return String(decoding: line.prefix(1000), as: UTF8.self) }
        }
        return nil
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        var line = line
        for tag in ["<tool_use_error>", "</tool_use_error>"] {
            if line.starts(with: tag.utf8) { line = line.dropFirst(tag.utf8.count) }
            if line.suffix(tag.utf8.count).elementsEqual(tag.utf8) { line = line.dropLast(tag.utf8.count) }
        }
        while let first = line.first, first <= 0x20 { line = line.dropFirst() }
        while let last = line.last, last <= 0x20 { line = line.dropLast() }
        return line
    }

    /// The text of a content that is a string, or of its blocks that have text.
    static func whole(_ content: JSONNode) -> String? {
        switch content.kind {
        case .string: return content.string
        case .array:
            let texts = content.elements.compactMap { part in
                part.kind == .string ? part.string : part["text"]?.string
            }
            return texts.isEmpty ? nil : texts.joined(separator: "\n")
        case .null: return nil
        default: return String(decoding: content.source, as: UTF8.self)
        }
    }
}
