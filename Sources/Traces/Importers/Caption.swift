import JSON

/// What a span did, in a few words for a list: a tool's main argument, how an answer begins.
///
/// Only the beginning of a text is looked at, so that a caption costs the same however long the text is.
enum Caption {
    /// Bytes of a caption beyond which it is cut.
    static let longest = 80

    /// The members of a tool's arguments that say most, the first that is there counts.
    private static let telling: [StaticString] = [
        "command", "cmd", "pattern", "query", "q", "url", "skill", "description", "subject", "expression", "code",
        "prompt", "text", "input", "path", "name", "id",
    ]
    /// Members that are files, the most informative ones if present.
    private static let paths: [StaticString] = ["file_path", "notebook_path"]

    /// Returns the main argument of a call: an object's most informative member or its first scalar, or
    /// an unchanged text.
    static func of(arguments node: JSONNode) -> String? {
        guard node.kind == .object else { return of(text: node) }
        for key in paths {
            if let path = node[key]?.string { return shortPath(path) }
        }
        for key in telling {
            guard let value = node[key], value.kind == .string, let caption = of(text: value) else { continue }
            return caption
        }
        for (key, value) in node.members where value.kind == .string || value.kind == .number {
            guard let caption = of(text: value), let name = of(text: key) else { continue }
            return "\(name) \(caption)"
        }
        return nil
    }

    /// The end of a path says more than its beginning: its last two names.
    private static func shortPath(_ path: String) -> String? {
        of(
            text: path.utf8.split(separator: UInt8(ascii: "/")).suffix(2).map { String(Substring($0)) }.joined(
                separator: "/"))
    }

    /// The main argument of a call whose arguments are text, mostly of JSON. Long ones count as plain text.
    static func of(arguments text: String) -> String? {
        // A text that only looks like JSON is its own caption.
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.count <= 64 << 10,
            let document = try? JSONDocument(parsing: text)
        else { return of(text: text) }
        return document.withRoot { of(arguments: $0) }
    }

    /// Returns the start of a value's text on one line; `nil` if nothing is visible.
    static func of(_ value: OTLPValue) -> String? { value.stringNode.map { of(text: $0) } ?? of(text: value.text) }

    /// Returns the start of a text on one line; `nil` if nothing is visible.
    static func of(text node: JSONNode) -> String? {
        if let raw = node.rawString { return line(raw, isEscaped: node.hasEscapes) }
        return node.kind == .number ? String(decoding: node.source.prefix(longest), as: UTF8.self) : nil
    }

    /// The beginning of plain text.
    static func of(text: String) -> String? {
        var text = text
        return text.withUTF8 { line($0, isEscaped: false) }
    }

    /// The first bytes on one line: white space folded, escapes read, cut at a character.
    private static func line(_ bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool) -> String? {
        var line: [UInt8] = []
        line.reserveCapacity(longest + 4)
        var index = 0
        var owesSpace = false
        while index < bytes.count, line.count < longest {
            var byte = bytes[index]
            index += 1
            if isEscaped, byte == UInt8(ascii: "\\"), index < bytes.count {
                byte = unescaped(bytes[index])
                index += byte == 0 ? 5 : 1
            }
            if byte <= 0x20 {
                owesSpace = !line.isEmpty
                continue
            }
            if owesSpace { line.append(0x20) }
            owesSpace = false
            line.append(byte)
        }
        guard !line.isEmpty else { return nil }
        let isCut = index < bytes.count
        // A character that was cut in two goes whole.
        if isCut {
            while let last = line.last, last >= 0x80 {
                line.removeLast()
                if last >= 0xC0 { break }
            }
        }
        return String(decoding: line, as: UTF8.self) + (isCut ? "…" : "")
    }

    /// The byte that a short escape stands for; 0 for `\\uXXXX`, which a caption leaves out.
    private static func unescaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"), UInt8(ascii: "b"), UInt8(ascii: "f"): 0x20
        case UInt8(ascii: "u"): 0
        default: byte
        }
    }
}
