internal import JSON

/// JSON as evaluation programs write it: Python's `NaN` and `Infinity` stand where numbers should.
enum LogJSON {
    /// Bytes of one value beyond which it is refused: a sample is not a film.
    static let most = 256 << 20

    /// Parses one value and hands it to `body`, outside of which it is not valid.
    static func parse<R>(
        _ bytes: [UInt8], path: String, place: String, _ body: (JSONNode) throws(EvalLogError) -> R
    ) throws(EvalLogError) -> R {
        let document: JSONDocument
        do {
            document = try JSONDocument(parsing: bytes)
        } catch let first {
            // Rewriting costs a copy, so that it is done only for what does not parse as it is.
            guard
                first.problem == .invalidLiteral || first.problem == .expectedValue || first.problem == .invalidNumber,
                let second = try? JSONDocument(parsing: withoutOddNumbers(bytes))
            else {
                throw EvalLogError(
                    path: path, place: place, problem: "invalid JSON: \(first.sentence.dropLast())",
                    remedy: "The file may be truncated or still being written.")
            }
            document = second
        }
        return try document.withRoot(body)
    }

    /// The text with `null` in the place of `NaN`, `Infinity` and `-Infinity` outside of strings.
    static func withoutOddNumbers(_ bytes: [UInt8]) -> [UInt8] {
        let odd = [Array("NaN".utf8), Array("Infinity".utf8), Array("-Infinity".utf8)]
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var place = 0
        var isInString = false
        while place < bytes.count {
            let byte = bytes[place]
            if isInString {
                if byte == UInt8(ascii: "\\"), place + 1 < bytes.count {
                    result.append(byte)
                    place += 1
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "-"),
                let word = odd.first(where: { bytes[place...].starts(with: $0) })
            {
                result.append(contentsOf: "null".utf8)
                place += word.count
                continue
            }
            result.append(bytes[place])
            place += 1
        }
        return result
    }
}

/// Parses one value after the other with the same memory.
final class LogParser {
    private let parser = JSONParser()
    private let path: String

    init(_ path: String) { self.path = path }

    /// Parses one value and hands it to `body`, outside of which it is not valid.
    func parse<R>(
        _ bytes: UnsafeBufferPointer<UInt8>, place: @autoclosure () -> String,
        _ body: (JSONNode) throws(EvalLogError) -> R
    ) throws(EvalLogError) -> R {
        if let node = try? parser.parse(bytes) { return try body(node) }
        return try LogJSON.parse(Array(bytes), path: path, place: place(), body)
    }
}

extension JSONNode {
    /// A text as it is, any other value as JSON; `nil` for null.
    var text: String? {
        switch kind {
        case .null: nil
        case .string: string
        default: JSONValue.compact(self)
        }
    }

    /// The texts of an array, or of one value.
    var texts: [String] {
        kind == .array ? elements.compactMap { $0.text } : text.map { [$0] } ?? []
    }

    /// A whole number, or a whole fraction, that fits.
    var whole: Int? { lenientInt.map { Int($0) } }
}

extension JSONValue {
    /// The JSON text of a node without white space.
    static func compact(_ node: JSONNode) -> String {
        var json = JSONWriter()
        json.copy(node)
        return json.text
    }
}

extension String {
    /// The first characters on one line, as a row shows them.
    var rowText: String { rowText(200) }

    func rowText(_ most: Int) -> String {
        if let quick = plainRowText(most) { return quick }
        var line = ""
        var count = 0
        var owesSpace = false
        for character in self {
            if character.isWhitespace {
                owesSpace = !line.isEmpty
                continue
            }
            if owesSpace {
                line.append(" ")
                count += 1
                owesSpace = false
            }
            if count >= most { break }
            line.append(character)
            count += 1
        }
        return line
    }

    /// The same for a text whose beginning is ASCII, where a byte is a character; `nil` for others.
    private func plainRowText(_ most: Int) -> String? {
        var line: [UInt8] = []
        line.reserveCapacity(most)
        var owesSpace = false
        for byte in utf8 {
            guard byte < 0x80 else { return nil }
            if byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) {
                owesSpace = !line.isEmpty
                continue
            }
            if owesSpace {
                line.append(0x20)
                owesSpace = false
            }
            if line.count >= most { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}
