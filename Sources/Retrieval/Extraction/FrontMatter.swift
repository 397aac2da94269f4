/// The front matter of a Markdown text, between lines of `---` (YAML) or `+++` (TOML): names and plain values.
///
/// Only what documents really have there is understood: `name: value`, lists in brackets or on lines with a dash.
/// Nested maps are passed over.
struct FrontMatter {
    var values: [String: MetadataValue] = [:]
    /// Bytes from the text's beginning to behind the closing line.
    var length: Int

    /// - Returns: `nil` if the text has no front matter, or more than 64 KiB of it.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count > 3, let mark = bytes.first, mark == UInt8(ascii: "-") || mark == UInt8(ascii: "+") else {
            return nil
        }
        let limit = min(bytes.count, 1 << 16)
        var lines: [Substring] = []
        var start = 0
        var end: Int?
        var isFirst = true
        while start < limit {
            let next = bytes[start..<limit].firstIndex(of: 0x0A).map { $0 + 1 } ?? limit
            let line = Self.trimmed(String(decoding: bytes[start..<next], as: UTF8.self))
            let isMark = line == (mark == UInt8(ascii: "-") ? "---" : "+++") || (!isFirst && line == "...")
            if isFirst {
                guard isMark else { return nil }
                isFirst = false
            } else if isMark {
                end = next
                break
            } else {
                lines.append(line)
            }
            start = next
        }
        guard let end else { return nil }
        length = end
        read(lines, separator: mark == UInt8(ascii: "-") ? ":" : "=")
    }

    private static func trimmed(_ text: some StringProtocol) -> Substring {
        var rest = Substring(text)
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest
    }

    private mutating func read(_ lines: [Substring], separator: Character) {
        var list: (name: String, items: [String])?
        for line in lines {
            let words = line.drop(while: \.isWhitespace)
            if words.isEmpty || words.first == "#" || words.first == "[" { continue }
            if words.first == "-", list != nil {
                list?.items.append(Self.unquoted(Self.trimmed(words.dropFirst().drop(while: \.isWhitespace))).text)
                continue
            }
            if let (name, items) = list, !items.isEmpty { values[name] = .texts(items) }
            list = nil
            // A line that is set in belongs to a map or a text that began above it.
            guard line.first?.isWhitespace == false, let place = line.firstIndex(of: separator) else { continue }
            let name = Self.unquoted(Self.trimmed(line[..<place])).text
            let value = Self.trimmed(line[line.index(after: place)...].drop(while: \.isWhitespace))
            if value.isEmpty {
                list = (name, [])
            } else if value.first == "[", value.last == "]" {
                values[name] = .texts(Self.items(value.dropFirst().dropLast()))
            } else if values.count < 256 {
                let (text, wasQuoted) = Self.unquoted(value)
                values[name] = wasQuoted ? .text(text) : MetadataValue(parsing: text)
            }
        }
        if let (name, items) = list, !items.isEmpty { values[name] = .texts(items) }
    }

    private static func items(_ text: Substring) -> [String] {
        text.split(separator: ",").map { unquoted(trimmed($0.drop(while: \.isWhitespace))).text }.filter { !$0.isEmpty }
    }

    private static func unquoted(_ text: Substring) -> (text: String, wasQuoted: Bool) {
        guard text.count >= 2, let first = text.first, first == text.last, first == "\"" || first == "'" else {
            return (String(text), false)
        }
        return (String(text.dropFirst().dropLast()), true)
    }
}
