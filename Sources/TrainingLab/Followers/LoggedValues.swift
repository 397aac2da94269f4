internal import JSON

/// The numbers and texts within a logged JSON value, nested keys joined with a slash.
enum LoggedValues {
    enum Value {
        case number(Double)
        case text(String)
    }

    private static let deepest = 16
    private static let longestName = 1024

    /// Calls `body` for each; arrays, and objects that say that they are a picture or the like (`_type`), are left out.
    static func visit(_ node: JSONNode, under name: String, depth: Int = 0, _ body: (String, Value) -> Void) {
        switch node.kind {
        case .number:
            if let number = node.double { body(name, .number(number)) }
        case .string:
            guard let text = node.string else { return }
            body(name, NumberWord.value(text).map(Value.number) ?? .text(text))
        case .object:
            guard depth < deepest, name.utf8.count < longestName, node["_type"] == nil else { return }
            node.forEachMember { key, value in
                guard let key = key.string else { return }
                visit(value, under: name.isEmpty ? key : "\(name)/\(key)", depth: depth + 1, body)
            }
        case .null, .boolean, .array:
            return
        }
    }
}

/// Reads JSON as Python writes it: `NaN`, `Infinity` and `-Infinity` may stand where a number may.
///
/// They become strings of those words, which `NumberWord` reads.
struct LenientJSON {
    private let parser = JSONParser(maximumDepth: 256, maximumValues: 1 << 22)

    /// Calls `body` with the value.
    ///
    /// - Returns: false if the text is not JSON.
    @discardableResult
    func read(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (JSONNode) -> Void) -> Bool {
        if let node = try? parser.parse(bytes) {
            body(node)
            return true
        }
        guard let mended = Self.mended(bytes) else { return false }
        return mended.withUnsafeBufferPointer { bytes in
            guard let node = try? parser.parse(bytes) else { return false }
            body(node)
            return true
        }
    }

    @discardableResult
    func read(_ text: String, _ body: (JSONNode) -> Void) -> Bool {
        var text = text
        return text.withUTF8 { read($0, body) }
    }

    /// The text with quotes around the words that JSON does not have; `nil` if it has none of them.
    private static func mended(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let words = ["-Infinity", "Infinity", "NaN"].map { Array($0.utf8) }
        var mended: [UInt8] = []
        var isInString = false
        var position = 0
        var found = false
        while position < bytes.count {
            let byte = bytes[position]
            if isInString {
                if byte == UInt8(ascii: "\\"), position + 1 < bytes.count {
                    mended.append(byte)
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "-"),
                let word = words.first(where: { bytes[position...].starts(with: $0) })
            {
                mended += [UInt8(ascii: "\"")] + word + [UInt8(ascii: "\"")]
                position += word.count
                found = true
                continue
            }
            mended.append(bytes[position])
            position += 1
        }
        return found ? mended : nil
    }
}
