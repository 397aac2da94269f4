public import JSON

/// A typed fact about a document, as filters compare it.
public enum MetadataValue: Hashable, Sendable {
    case text(String)
    case number(Double)
    case bool(Bool)
    /// Nanoseconds since 1970 in UTC.
    case date(Int64)
    case texts([String])

    /// Creates the value of a cell or a word of front matter: a number, true or false, an ISO 8601 date, or text.
    ///
    /// A number only where nothing would be lost: `007`, `1_000` and `+49` are names, not numbers.
    public init(parsing word: some StringProtocol) {
        var bytes = String(word)
        self = bytes.withUTF8 { Self.typed($0) } ?? .text(bytes)
    }

    /// A JSON value; `nil` for null and for an empty array. Objects and mixed arrays stay as their JSON text.
    public init?(_ node: JSONNode) {
        switch node.kind {
        case .null: return nil
        case .boolean: self = .bool(node.bool ?? false)
        case .number: self = .number(node.double ?? .nan)
        case .string:
            if node.utf8Length >= 10, node.utf8Length <= 40, let date = node.withUTF8({ Self.date($0) }) ?? nil {
                self = .date(date)
            } else {
                self = .text(node.string ?? "")
            }
        case .array:
            guard node.count > 0 else { return nil }
            var texts: [String] = []
            texts.reserveCapacity(node.count)
            for element in node.elements {
                guard let text = element.string else {
                    self = .text(String(decoding: node.source, as: UTF8.self))
                    return
                }
                texts.append(text)
            }
            self = .texts(texts)
        case .object: self = .text(String(decoding: node.source, as: UTF8.self))
        }
    }

    private static func typed(_ word: UnsafeBufferPointer<UInt8>) -> MetadataValue? {
        guard let first = word.first, word.count <= 40 else { return nil }
        switch first {
        case UInt8(ascii: "t") where word.elementsEqual("true".utf8), UInt8(ascii: "T") where isTrue(word):
            return .bool(true)
        case UInt8(ascii: "f") where word.elementsEqual("false".utf8), UInt8(ascii: "F") where isFalse(word):
            return .bool(false)
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            if let date = date(word) { return .date(date) }
            return number(word).map { .number($0) }
        default: return nil
        }
    }

    private static func isTrue(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        word.elementsEqual("True".utf8) || word.elementsEqual("TRUE".utf8)
    }

    private static func isFalse(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
        word.elementsEqual("False".utf8) || word.elementsEqual("FALSE".utf8)
    }

    /// Returns a number as JSON writes it.
    private static func number(_ word: UnsafeBufferPointer<UInt8>) -> Double? {
        let digits = word.first == UInt8(ascii: "-") ? word.dropFirst() : word[...]
        guard let first = digits.first, first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9") else { return nil }
        if first == UInt8(ascii: "0"), let second = digits.dropFirst().first,
            second != UInt8(ascii: "."), second | 0x20 != UInt8(ascii: "e")
        {
            return nil
        }
        let allowed = digits.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || byte | 0x20 == UInt8(ascii: "e") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
        }
        guard allowed, let value = Double(String(decoding: word, as: UTF8.self)), value.isFinite else { return nil }
        // Longer whole numbers are identifiers: a Double would change their last digits.
        if abs(value) > 9_007_199_254_740_992, !digits.contains(UInt8(ascii: ".")) { return nil }
        return value
    }

    /// Returns a day, or a day and a time, as ISO 8601 writes them; a day is its midnight in UTC.
    static func date(_ word: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard word.count >= 10, word[4] == UInt8(ascii: "-"), word[7] == UInt8(ascii: "-") else { return nil }
        if word.count == 10 {
            return nanosecondsSince1970(iso8601: String(decoding: word, as: UTF8.self) + "T00:00:00Z")
        }
        guard word[10] | 0x20 == UInt8(ascii: "t") || word[10] == UInt8(ascii: " ") else { return nil }
        return nanosecondsSince1970(iso8601: word)
    }
}
