/// The shape of the JSON at the beginning of a file that may be cut anywhere: which keys its first objects have.
///
/// Nothing is validated, but a file whose first token is not a brace or bracket has no objects.
package struct FormatProbe {
    /// The outermost level of one object.
    package struct Object: Hashable, Sendable {
        package var keys: Set<String> = []
        /// Short strings by their keys.
        package var strings: [String: String] = [:]

        package var type: String? { strings["type"] }

        package func has(_ names: String...) -> Bool { names.allSatisfy { keys.contains($0) } }

        package func hasAny(of names: [String]) -> Bool { names.contains { keys.contains($0) } }
    }

    /// The first objects at the top, or in an array at the top.
    package private(set) var objects: [Object] = []
    /// Whether an array was at the top.
    package private(set) var isArray = false

    /// - Parameter most: Objects beyond this number are not looked at.
    package init(_ head: UnsafeBufferPointer<UInt8>, most: Int = 50) {
        var scanner = Scanner(bytes: head)
        if head.count >= 3, head[0] == 0xEF, head[1] == 0xBB, head[2] == 0xBF { scanner.position = 3 }
        while objects.count < most, let byte = scanner.nextToken() {
            switch byte {
            case UInt8(ascii: "{"):
                scanner.position += 1
                objects.append(scanner.object())
            case UInt8(ascii: "["):
                if objects.isEmpty { isArray = true }
                scanner.position += 1
            case UInt8(ascii: ","), UInt8(ascii: "]"): scanner.position += 1
            default:
                // A script or a text may hold JSON further down; a file of JSON begins with it.
                if objects.isEmpty { return }
                scanner.skipLine()
            }
        }
    }
}

private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    /// Returns the next byte that is not white space; `nil` at the end.
    mutating func nextToken() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            if byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 { return byte }
            position += 1
        }
        return nil
    }

    mutating func skipLine() {
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
    }

    /// The outermost level of an object whose brace has been taken.
    mutating func object() -> FormatProbe.Object {
        var object = FormatProbe.Object()
        while let byte = nextToken() {
            if byte == UInt8(ascii: "}") {
                position += 1
                return object
            }
            if byte == UInt8(ascii: ",") {
                position += 1
                continue
            }
            guard byte == UInt8(ascii: "\""), let key = string(longest: 200) else {
                skipLine()
                return object
            }
            guard nextToken() == UInt8(ascii: ":") else { return object }
            position += 1
            guard let first = nextToken() else {
                object.keys.insert(key)
                return object
            }
            object.keys.insert(key)
            switch first {
            case UInt8(ascii: "\""):
                if let value = string(longest: 256) { object.strings[key] = value }
            case UInt8(ascii: "{"), UInt8(ascii: "["): skipContainer()
            default:
                while position < bytes.count {
                    let byte = bytes[position]
                    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == 0x0A { break }
                    position += 1
                }
            }
        }
        return object
    }

    /// A string, its quote not yet taken, escapes left as they are; empty if it is longer; `nil` if it is cut.
    mutating func string(longest: Int) -> String? {
        let start = position + 1
        position = start
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\\") {
                position += 2
                continue
            }
            if byte == UInt8(ascii: "\"") {
                let text = bytes[start..<position]
                position += 1
                return text.count <= longest ? String(decoding: text, as: UTF8.self) : ""
            }
            position += 1
        }
        position = min(position, bytes.count)
        return nil
    }

    mutating func skipContainer() {
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                _ = string(longest: 0)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 {
                    position += 1
                    return
                }
            default: break
            }
            position += 1
        }
    }
}
