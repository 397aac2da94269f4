import Hashing

/// Damage done to bytes, the same for the same seed.
package struct ByteMutation {
    private enum Kind: CaseIterable {
        case truncate, flipBits, overwrite, nest, lengthen, swapChunks, repeatChunk, removeChunk, growNumbers,
            joinLines,
            replaceValue, swapStrings, repeatLine
    }

    /// Kinds of damage that leave the text mostly valid JSON, to test the code behind the parser.
    private static let gentle: [Kind] = [.replaceValue, .swapStrings, .growNumbers, .repeatLine, .replaceValue]

    private var random: SplitMix64

    package init(seed: UInt64) { random = SplitMix64(state: seed) }

    /// Returns a damaged copy, usually of a few lines to keep runs quick, with one to four kinds of
    /// damage.
    package mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var piece = Int.random(in: 0..<20, using: &random) == 0 ? bytes : excerpt(of: bytes)
        let kinds = Bool.random(using: &random) ? Self.gentle : Kind.allCases
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            if let kind = kinds.randomElement(using: &random), !piece.isEmpty { apply(kind, to: &piece) }
        }
        return piece
    }

    /// Up to 48 KiB that begin at a line, if there are lines.
    private mutating func excerpt(of bytes: [UInt8]) -> [UInt8] {
        let length = 48 << 10
        guard bytes.count > length else { return bytes }
        var start = Int.random(in: 0..<(bytes.count - length), using: &random)
        if let feed = bytes[start...].prefix(length / 2).firstIndex(of: 0x0A) { start = feed + 1 } else { start = 0 }
        return Array(bytes[start..<min(start + length, bytes.count)])
    }

    private mutating func place(in bytes: [UInt8]) -> Int { Int.random(in: 0..<bytes.count, using: &random) }

    private mutating func chunk(of bytes: [UInt8]) -> Range<Int> {
        let start = place(in: bytes)
        return start..<min(bytes.count, start + Int.random(in: 1...4096, using: &random))
    }

    private mutating func apply(_ kind: Kind, to bytes: inout [UInt8]) {
        switch kind {
        case .truncate: bytes.removeLast(bytes.count - place(in: bytes))
        case .flipBits:
            for _ in 0..<Int.random(in: 1...64, using: &random) {
                bytes[place(in: bytes)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
        case .overwrite:
            let odd: [UInt8] = [0, 0x0A, 0x22, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xC0, 0xED, 0xFF]
            for _ in 0..<Int.random(in: 1...16, using: &random) {
                bytes[place(in: bytes)] = odd.randomElement(using: &random) ?? 0
            }
        case .nest:
            let depth = Int.random(in: 1...20_000, using: &random)
            let opening = Bool.random(using: &random) ? Array("[".utf8) : Array("{\"a\":".utf8)
            let at = valueStart(in: bytes)
            let closing: [UInt8] = opening.count == 1 ? [0x5D] : [0x7D]
            let closings = Bool.random(using: &random) ? [] : Array(repeatElement(closing, count: depth).joined())
            bytes.replaceSubrange(at..<at, with: Array(repeatElement(opening, count: depth).joined()) + closings)
        case .lengthen:
            let filler = Bool.random(using: &random) ? UInt8(ascii: "x") : UInt8(ascii: "7")
            let at = place(in: bytes)
            bytes.insert(contentsOf: repeatElement(filler, count: Int.random(in: 1...400_000, using: &random)), at: at)
        case .swapChunks:
            let (one, other) = (chunk(of: bytes), chunk(of: bytes))
            let kept = Array(bytes[one])
            bytes.replaceSubrange(one, with: Array(bytes[other]))
            let at = min(other.lowerBound, bytes.count)
            bytes.replaceSubrange(at..<min(other.upperBound, bytes.count), with: kept)
        case .repeatChunk:
            let piece = Array(bytes[chunk(of: bytes)])
            bytes.insert(contentsOf: piece, at: place(in: bytes))
        case .removeChunk: bytes.removeSubrange(chunk(of: bytes))
        case .growNumbers:
            // Figures at the edge of 64 bits, times before 1970 and after 2262.
            for _ in 0..<8 {
                let start = place(in: bytes)
                guard let digit = bytes[start...].prefix(4096).firstIndex(where: { $0 >= 0x30 && $0 <= 0x39 }) else {
                    continue
                }
                let big = ["9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e308", "-1", "0"]
                let figure = Array((big.randomElement(using: &random) ?? "0").utf8)
                bytes.replaceSubrange(digit...digit, with: figure)
            }
        case .joinLines:
            for _ in 0..<4 {
                if let feed = bytes[place(in: bytes)...].firstIndex(of: 0x0A) { bytes.remove(at: feed) }
                if bytes.isEmpty { return }
            }
        case .replaceValue:
            for _ in 0..<Int.random(in: 1...8, using: &random) { replaceValue(in: &bytes) }
        case .swapStrings:
            guard let one = string(in: bytes), let other = string(in: bytes), !one.overlaps(other) else { return }
            let (first, second) = one.lowerBound < other.lowerBound ? (one, other) : (other, one)
            let kept = Array(bytes[first])
            let moved = Array(bytes[second])
            bytes.replaceSubrange(second, with: kept)
            bytes.replaceSubrange(first, with: moved)
        case .repeatLine:
            let start = place(in: bytes)
            guard let from = bytes[start...].firstIndex(of: 0x0A),
                let to = bytes[(from + 1)...].firstIndex(of: 0x0A)
            else { return }
            let line = Array(bytes[(from + 1)...to])
            bytes.insert(contentsOf: line, at: from + 1)
        }
    }

    /// Puts a value of another type in the place of a string, a number or a word.
    private mutating func replaceValue(in bytes: inout [UInt8]) {
        let others = [
            "null", "true", "[]", "{}", "\"\"", "\"\\ud800\"", "-1", "3.5e-9", "[[\"a\"],{\"text\":1}]", "\"msg\"",
            "{\"stringValue\":7}", "{\"kvlistValue\":{\"values\":[{\"key\":3}]}}", "9223372036854775807",
        ]
        let start = place(in: bytes)
        guard let colon = bytes[start...].prefix(8192).firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count else {
            return
        }
        var end = colon + 1
        if bytes[end] == UInt8(ascii: "\"") {
            guard let value = string(in: bytes, from: end) else { return }
            end = value.upperBound
        } else {
            while end < bytes.count, bytes[end] != UInt8(ascii: ","), bytes[end] != UInt8(ascii: "}"),
                bytes[end] != 0x0A
            {
                if bytes[end] == UInt8(ascii: "{") || bytes[end] == UInt8(ascii: "[") { return }
                end += 1
            }
        }
        bytes.replaceSubrange((colon + 1)..<end, with: Array((others.randomElement(using: &random) ?? "0").utf8))
    }

    private mutating func string(in bytes: [UInt8]) -> Range<Int>? {
        let start = place(in: bytes)
        guard let colon = bytes[start...].prefix(8192).firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count else {
            return nil
        }
        return string(in: bytes, from: colon + 1)
    }

    /// A string with its quotes that begins here.
    private func string(in bytes: [UInt8], from start: Int) -> Range<Int>? {
        guard bytes[start] == UInt8(ascii: "\"") else { return nil }
        var end = start + 1
        while end < bytes.count {
            if bytes[end] == UInt8(ascii: "\\") {
                end += 2
            } else if bytes[end] == UInt8(ascii: "\"") {
                return start..<(end + 1)
            } else {
                end += 1
            }
        }
        return nil
    }

    /// Behind a colon, where nesting keeps the text JSON.
    private mutating func valueStart(in bytes: [UInt8]) -> Int {
        let start = place(in: bytes)
        return bytes[start...].firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? start
    }
}
