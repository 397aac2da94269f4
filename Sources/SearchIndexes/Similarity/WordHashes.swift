import Hashing

/// Hashes of the words of a text, and of its characters.
package enum WordHashes {
    /// Returns the value mixed by the 64-bit finalizer of MurmurHash3 (Appleby, 2011): every input bit affects every
    /// output bit.
    @inline(__always)
    package static func mixed(_ value: UInt64) -> UInt64 {
        var x = value
        x ^= x &>> 33
        x &*= 0xFF51_AFD7_ED55_8CCD
        x ^= x &>> 33
        x &*= 0xC4CE_B9FE_1A85_EC53
        return x ^ x &>> 33
    }

    /// What a byte is to a word: 0 none of it, 1 from outside ASCII, else itself in lower case.
    private static let classes: [UInt8] = (0...255).map { (byte: Int) -> UInt8 in
        switch UInt8(byte) {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(byte)
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(byte) | 0x20
        case 0x80...: 1
        default: 0
        }
    }

    private static let start: UInt64 = FNV1a.offset

    /// Returns the hash after one step over a byte or a scalar: FNV-1a, with a factor of 64 mixed bits.
    @inline(__always)
    private static func step(_ hash: UInt64, _ unit: UInt64) -> UInt64 { (hash ^ unit) &* 0xD6E8_FEB8_6659_FD93 }

    /// Returns one hash per word, in order.
    static func words(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt64] {
        var words: [UInt64] = []
        words.reserveCapacity(bytes.count / 5)
        var hash = start
        classes.withUnsafeBufferPointer { classes in
            var offset = 0
            while offset < bytes.count {
                let kind = classes[Int(bytes[offset])]
                if kind > 1 {
                    hash = step(hash, UInt64(kind))
                    offset += 1
                } else if kind == 0 {
                    if hash != start {
                        words.append(mixed(hash))
                        hash = start
                    }
                    offset += 1
                } else {
                    let (scalar, length) = decode(bytes, offset)
                    offset += length
                    switch Letter(scalar) {
                    case .part(let folded): hash = step(hash, UInt64(folded))
                    case .word(let folded):
                        if hash != start { words.append(mixed(hash)) }
                        hash = start
                        words.append(mixed(step(start, UInt64(folded))))
                    case .other:
                        if hash != start { words.append(mixed(hash)) }
                        hash = start
                    case .mark: break
                    }
                }
            }
        }
        if hash != start { words.append(mixed(hash)) }
        return words
    }

    /// Returns one hash per character of the words, and one for the space between two words.
    static func characters(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt64] {
        var characters: [UInt64] = []
        characters.reserveCapacity(bytes.count)
        var pending = false
        var offset = 0
        while offset < bytes.count {
            let (scalar, length) = decode(bytes, offset)
            offset += length
            let folded: UInt32
            switch Letter(scalar) {
            case .part(let letter), .word(let letter): folded = letter
            case .other:
                pending = !characters.isEmpty
                continue
            case .mark: continue
            }
            if pending { characters.append(mixed(0x20)) }
            pending = false
            characters.append(mixed(UInt64(folded)))
        }
        return characters
    }

    /// Returns the scalar at a place of valid UTF-8, and its bytes.
    @inline(__always)
    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> (UInt32, Int) {
        let first = UInt32(bytes[offset])
        if first < 0x80 { return (first, 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard offset + length <= bytes.count else { return (0xFFFD, 1) }
        var scalar = first & (0x7F &>> UInt32(length))
        for place in 1..<length { scalar = scalar &<< 6 | UInt32(bytes[offset + place] & 0x3F) }
        return (scalar, length)
    }
}

/// What a scalar is to a word.
package enum Letter {
    /// A letter or digit, folded to lower case.
    case part(UInt32)
    /// A word by itself: scripts without spaces.
    case word(UInt32)
    /// Belongs to the letter before it and changes no word: combining marks, joiners.
    case mark
    /// Between words.
    case other

    package init(_ value: UInt32) {
        guard value >= 0x80 else {
            switch value {
            case 0x30...0x39, 0x61...0x7A: self = .part(value)
            case 0x41...0x5A: self = .part(value | 0x20)
            default: self = .other
            }
            return
        }
        switch value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            self = .word(value)
            return
        case 0x2000...0x206F, 0x3000...0x303F, 0xFF00...0xFF0F:
            self = value == 0x200C || value == 0x200D ? .mark : .other
            return
        case 0x0430...0x044F, 0x03B1...0x03C9, 0x00E0...0x00F6, 0x0561...0x0586, 0x0620...0x064A, 0x05D0...0x05EA,
            0xAC00...0xD7A3:
            self = .part(value)
            return
        case 0x0410...0x042F, 0x0391...0x03A1, 0x03A3...0x03A9, 0x00C0...0x00D6:
            self = .part(value + 0x20)
            return
        default: break
        }
        guard let scalar = Unicode.Scalar(value) else {
            self = .other
            return
        }
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil {
            let lower = properties.lowercaseMapping.unicodeScalars
            self = .part(lower.first?.value ?? value)
        } else {
            switch properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .spacingMark, .format: self = .mark
            default: self = .other
            }
        }
    }
}
