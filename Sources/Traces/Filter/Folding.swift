import Glibc

/// Case folding for all text comparisons in traces: filters, search by scan, and search by index.
///
/// ASCII, Latin-1, Latin Extended-A, Greek, and Cyrillic capitals become lowercase, and the final sigma becomes an
/// ordinary sigma. All other characters are unchanged. Folding preserves the number of bytes of each letter, so byte
/// positions are equal in the text and its folded form. The dotted and dotless forms of I are unchanged because their
/// case mapping depends on the language.
package enum Folding {
    /// Returns the folded UTF-8 bytes of a text.
    package static func folded(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        bytes.withUnsafeMutableBufferPointer { fold($0) }
        return bytes
    }

    /// Folds UTF-8 in place.
    package static func fold(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        var highest: UInt8 = 0
        for i in bytes.indices {
            let byte = bytes[i]
            bytes[i] = byte &+ ((byte &- 65) < 26 ? 32 : 0)
            highest = max(highest, byte)
        }
        if highest >= 0xC3 { foldLetters(bytes) }
    }

    /// Returns whether the folded form of a text contains some folded bytes.
    package static func contains(_ text: String, _ needle: [UInt8]) -> Bool {
        place(of: needle, in: text) != nil
    }

    /// Returns whether the folded form of a text equals some folded bytes.
    package static func equals(_ text: String, _ needle: [UInt8]) -> Bool {
        text.utf8.count == needle.count && contains(text, needle)
    }

    /// Returns the byte offset of the first occurrence of folded bytes in a text.
    package static func place(of needle: [UInt8], in text: String) -> Int? {
        var text = text
        return text.withUTF8 { text in needle.withUnsafeBufferPointer { place(of: $0, in: text) } }
    }

    /// Returns the byte offset of the first occurrence of folded bytes in UTF-8 text.
    package static func place(
        of needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        if needle.isEmpty { return 0 }
        guard text.count >= needle.count else { return nil }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { scratch in
            _ = scratch.initialize(fromContentsOf: text)
            fold(scratch)
            return find(needle, in: UnsafeBufferPointer(scratch))
        }
    }

    /// Returns the byte offset of a needle that is not empty in text, both folded.
    package static func find(
        _ needle: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard let base = text.baseAddress, let first = needle.first else { return nil }
        let last = text.count - needle.count
        var place = 0
        while place <= last, let found = memchr(base + place, Int32(first), last - place + 1) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(base + place, needle.baseAddress!, needle.count) == 0 { return place }
            place += 1
        }
        return nil
    }

    /// Folds two-byte letters in place; truncated or stray bytes are unchanged.
    private static func foldLetters(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
        var i = 0
        while i + 1 < bytes.count {
            let lead = bytes[i]
            guard lead >= 0xC3, lead <= 0xD0, bytes[i + 1] & 0xC0 == 0x80 else {
                i += 1
                continue
            }
            let letter = UInt32(lead & 0x1F) << 6 | UInt32(bytes[i + 1] & 0x3F)
            let small = small(letter)
            bytes[i] = UInt8(0xC0 | small >> 6)
            bytes[i + 1] = UInt8(0x80 | small & 0x3F)
            i += 2
        }
    }

    /// Returns the lowercase form of a scalar between U+00C0 and U+043F.
    private static func small(_ letter: UInt32) -> UInt32 {
        switch letter {
        case 0xC0...0xDE: letter == 0xD7 ? letter : letter + 0x20
        case 0x130, 0x131, 0x138, 0x149, 0x17F: letter
        case 0x100...0x137, 0x14A...0x177: letter | 1
        case 0x139...0x148, 0x179...0x17E: letter + (letter & 1)
        case 0x178: 0xFF
        case 0x386: 0x3AC
        case 0x388...0x38A: letter + 37
        case 0x38C: 0x3CC
        case 0x38E, 0x38F: letter + 63
        case 0x391...0x3A1, 0x3A3...0x3AB: letter + 0x20
        case 0x3C2: 0x3C3
        case 0x400...0x40F: letter + 0x50
        case 0x410...0x42F: letter + 0x20
        default: letter
        }
    }
}
