import Hashing

/// Damages the bytes of a file as disks, downloads and enemies do: the same seed damages in the same way.
struct ModelFileDamage {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* SplitMix64.gamma | 1 }

    /// xorshift64* (Marsaglia 2003; Vigna 2016).
    private mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_f491_4f6c_dd1d
    }

    private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() >> 1) % bound : 0 }

    /// Numbers at which counting goes wrong.
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 31, 255, 1 << 16, 1 << 31, (1 << 32) - 1, 1 << 32, 1 << 48, 1 << 62, 1 << 63, (1 << 63) - 1, .max,
    ]

    /// A place, nearer to the beginning than chance would have it: headers lie there.
    private mutating func place(_ bytes: [UInt8]) -> Int { below(below(2) == 0 ? min(bytes.count, 512) : bytes.count) }

    /// One to four changes.
    mutating func damaged(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...below(4) where !bytes.isEmpty {
            switch below(8) {
            case 0: bytes[place(bytes)] ^= 1 << UInt8(below(8))
            case 1: bytes[place(bytes)] = UInt8(truncatingIfNeeded: next())
            case 2: bytes.removeLast(below(bytes.count))
            case 3: overwrite(&bytes, width: 8)
            case 4: overwrite(&bytes, width: 4)
            case 5: splice(&bytes)
            case 6: remove(&bytes)
            default: digits(&bytes)
            }
        }
        return bytes
    }

    /// A number in place of another: a length, a count, an offset.
    private mutating func overwrite(_ bytes: inout [UInt8], width: Int) {
        guard bytes.count >= width else { return }
        let place = min(place(bytes), bytes.count - width)
        let number = Self.numbers[below(Self.numbers.count)]
        for index in 0..<width { bytes[place + index] = UInt8(truncatingIfNeeded: number >> UInt64(8 * index)) }
    }

    /// A piece of the file once more, elsewhere.
    private mutating func splice(_ bytes: inout [UInt8]) {
        let start = place(bytes)
        let piece = bytes[start..<min(bytes.count, start + 1 + below(200))]
        bytes.insert(contentsOf: piece, at: place(bytes))
    }

    private mutating func remove(_ bytes: inout [UInt8]) {
        let start = place(bytes)
        bytes.removeSubrange(start..<min(bytes.count, start + 1 + below(40)))
    }

    /// A number written out, in place of the digits that stand there.
    private mutating func digits(_ bytes: inout [UInt8]) {
        let start = place(bytes)
        guard let first = bytes[start...].firstIndex(where: { (48...57).contains($0) }) else { return }
        let end = bytes[first...].firstIndex { !(48...57).contains($0) } ?? bytes.count
        let texts = [
            "-1", "0", "1e400", "9223372036854775807", "99999999999999999999", "null", "[]", "{}", "\"x\"", "1.5",
        ]
        bytes.replaceSubrange(first..<end, with: Array(texts[below(texts.count)].utf8))
    }
}
