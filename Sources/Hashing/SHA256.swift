/// The SHA-256 digest, by which lm-evaluation-harness identifies rows, prompts, and targets.
///
/// Source: FIPS 180-4, section 6.2. One pass over the bytes, 64 rounds per 64 bytes.
public enum SHA256 {
    private static let constants: [UInt32] = {
        // First 32 bits of the fractional parts of the cube roots of the first 64 primes, computed with integers only:
        // the largest x with x³ ≤ p · 2⁹⁶.
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < 64 {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { UInt32(truncatingIfNeeded: root($0, power: 3)) }
    }()
    private static let start: [UInt32] = [2, 3, 5, 7, 11, 13, 17, 19].map {
        UInt32(truncatingIfNeeded: root($0, power: 2))
    }

    /// Returns ⌊value^(1/power) · 2³²⌋.
    private static func root(_ value: UInt64, power: Int) -> UInt64 {
        var (low, high) = (UInt64(0), UInt64(1) << 37)
        while low + 1 < high {
            let middle = (low + high) / 2
            // Compare with at least 128 bits: middle^power with value · 2^(32 · power).
            let isTooLarge: Bool
            if power == 2 {
                let square = middle.multipliedFullWidth(by: middle)
                isTooLarge = square.high >= value
            } else {
                let square = middle.multipliedFullWidth(by: middle)
                let (lower, carry) = (square.low.multipliedFullWidth(by: middle), square.high &* middle)
                let (upper, overflow) = carry.addingReportingOverflow(lower.high)
                isTooLarge = overflow || upper >> 32 >= value
            }
            if isTooLarge { high = middle } else { low = middle }
        }
        return low
    }

    /// Returns the digest of a text as 64 hexadecimal digits.
    public static func hexadecimal(_ text: String) -> String { hexadecimal(Array(text.utf8)) }

    /// Returns the digest of bytes as 64 hexadecimal digits.
    public static func hexadecimal(_ bytes: [UInt8]) -> String {
        var message = bytes
        message.append(0x80)
        while message.count % 64 != 56 { message.append(0) }
        let length = UInt64(bytes.count) &* 8
        for shift in stride(from: 56, through: 0, by: -8) { message.append(UInt8(truncatingIfNeeded: length >> shift)) }
        var state = start
        var words = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: message.count, by: 64) {
            for index in 0..<16 {
                let place = block + 4 * index
                words[index] =
                    UInt32(message[place]) << 24 | UInt32(message[place + 1]) << 16 | UInt32(message[place + 2]) << 8
                    | UInt32(message[place + 3])
            }
            for index in 16..<64 {
                let (far, near) = (words[index - 15], words[index - 2])
                let first = turned(far, 7) ^ turned(far, 18) ^ far >> 3
                let second = turned(near, 17) ^ turned(near, 19) ^ near >> 10
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            rounds(&state, words)
        }
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for word in state {
            for shift in stride(from: 28, through: 0, by: -4) { text.append(digits[Int(word >> shift & 15)]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static func rounds(_ state: inout [UInt32], _ words: [UInt32]) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
            let first = h &+ mixed &+ (e & f ^ ~e & g) &+ constants[index] &+ words[index]
            let second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] = state[index] &+ value }
    }
}
