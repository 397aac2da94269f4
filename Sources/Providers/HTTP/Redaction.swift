/// Removes text that must not appear in an error: keys, and pieces of the request.
package struct Redaction {
    private let secrets: [[UInt8]]
    private let texts: [[UInt8]]

    /// Bytes that a sentence may share with a text by chance.
    private static let chance = 20

    /// - Parameters:
    ///   - secrets: shown not even in part: what shares eight bytes with one goes.
    ///   - texts: of prompts; longer pieces of them go.
    package init(secrets: [String], texts: [String]) {
        self.secrets = secrets.filter { !$0.isEmpty }.map { Array($0.utf8) }
        self.texts = texts.map { Array($0.utf8) }.filter { $0.count >= Self.chance }
    }

    /// The sentence, one line of at most 300 characters, with "…" for what was taken out.
    package func clean(_ sentence: String) -> String {
        let line = sentence.unicodeScalars.map { scalar -> Character in
            scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) ? " " : Character(scalar)
        }
        let bytes = Array(String(line.prefix(2000)).utf8)
        var hidden = [Bool](repeating: false, count: bytes.count)
        for secret in secrets { Self.mark(&hidden, bytes, sharedWith: secret, length: min(8, secret.count)) }
        for text in texts { Self.mark(&hidden, bytes, sharedWith: text, length: Self.chance) }
        var kept: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if !hidden[index] {
                kept.append(byte)
            } else if index == 0 || !hidden[index - 1] {
                kept += Array("…".utf8)
            }
        }
        var text = String(decoding: kept, as: UTF8.self)
        if text.count > 300 { text = String(text.prefix(299)) + "…" }
        while let last = text.last, last == "." || last == " " { text.removeLast() }
        return text
    }

    /// Marks every byte of `bytes` in a window of `length` bytes that also occurs in `text`. O(bytes + text).
    private static func mark(_ hidden: inout [Bool], _ bytes: [UInt8], sharedWith text: [UInt8], length: Int) {
        guard length > 0, bytes.count >= length, text.count >= length else { return }
        var windows: [ArraySlice<UInt8>: [Int]] = [:]
        for start in 0...(bytes.count - length) { windows[bytes[start..<start + length], default: []].append(start) }
        let firsts = Set(bytes)
        for start in 0...(text.count - length) where firsts.contains(text[start]) {
            for place in windows[text[start..<start + length]] ?? [] {
                for index in place..<place + length { hidden[index] = true }
            }
        }
    }
}
