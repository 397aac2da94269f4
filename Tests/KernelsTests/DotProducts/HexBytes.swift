/// The bytes of a golden: two hexadecimal digits each.
func bytes(ofHex text: String) -> [UInt8] {
    let digits = text.utf8.map { digit in digit >= 0x61 ? digit - 0x61 + 10 : digit - 0x30 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The little-endian float32 of a golden.
func floats(ofHex text: String) -> [Float] {
    let bytes = bytes(ofHex: text)
    return stride(from: 0, to: bytes.count, by: 4).map { first in
        Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[first + $1]) << (8 * UInt32($1)) })
    }
}
