internal import JSON

/// Search for JSON in model answers.
enum FoundJSON {
    /// Maximum bytes of an answer to search.
    private static let longest = 4_000_000
    private static let mostTries = 64

    /// Returns the whole text, or, with `anywhere`, the first valid object or array in it.
    static func value(in text: String, anywhere: Bool) -> JSONValue? {
        guard text.utf8.count <= longest else { return nil }
        if let value = try? JSONValue(json: text.trimmed) { return value }
        return anywhere ? all(in: text, most: 1).first : nil
    }

    /// Returns the outermost objects and arrays of a text, in order.
    static func all(in text: String, most: Int) -> [JSONValue] {
        let bytes = Array(text.utf8.prefix(longest))
        var values: [JSONValue] = []
        var place = 0
        var tries = 0
        while place < bytes.count, values.count < most, tries < mostTries {
            guard bytes[place] == 0x7B || bytes[place] == 0x5B else {
                place += 1
                continue
            }
            tries += 1
            if let end = end(of: bytes, from: place),
                let value = try? JSONValue(json: String(decoding: bytes[place..<end], as: UTF8.self))
            {
                values.append(value)
                place = end
            } else {
                place += 1
            }
        }
        return values
    }

    /// Returns the index after the bracket that closes the one at an index.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var inText = false
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case 0x5C where inText: place += 1
            case 0x22: inText.toggle()
            case 0x7B where !inText, 0x5B where !inText: depth += 1
            case 0x7D where !inText, 0x5D where !inText:
                depth -= 1
                if depth == 0 { return place + 1 }
            default: break
            }
            place += 1
        }
        return nil
    }
}
