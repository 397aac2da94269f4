/// A random number generator that gives the same numbers on all systems (Marsaglia's xorshift64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

/// A generator of valid, damaged, and random JSON text to parse.
struct RandomJSON {
    private var generator: SeededGenerator
    private var text: [UInt8] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Returns JSON, sometimes after white space, so that it can start at any position in a block.
    mutating func valid() -> [UInt8] {
        text = Array(repeating: 0x20, count: chance(3) ? below(130) : 0)
        value(depth: 0)
        return text
    }

    /// Returns JSON with up to three changes, often in punctuation.
    mutating func damaged() -> [UInt8] {
        var text = valid()
        for _ in 0...below(3) where !text.isEmpty {
            let place = below(text.count)
            switch below(5) {
            case 0: text[place] = UInt8(truncatingIfNeeded: generator.next())
            case 1: text.remove(at: place)
            case 2: text.removeSubrange(place...)
            case 3: text.insert(pick(Array(#"{}[]:,"\ 0n"#.utf8)), at: place)
            default: text[place] = pick(Array(#"{}[]:,"\ 0n"#.utf8))
            }
        }
        return text
    }

    /// Returns random bytes that have a meaning in JSON.
    mutating func noise() -> [UInt8] {
        let alphabet = Array(#"{}[]:,"\\\ 0123-+.eEnulltruefals"#.utf8) + [0x0A, 0x01, 0x80, 0xC3, 0xA9, 0xF0, 0x9F]
        return (0..<below(200)).map { _ in pick(alphabet) }
    }

    private mutating func below(_ bound: Int) -> Int { Int(generator.next() % UInt64(bound)) }
    private mutating func chance(_ outOf: Int) -> Bool { below(outOf) == 0 }
    private mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
    private mutating func put(_ string: String) { text += Array(string.utf8) }
    private mutating func space() { if chance(3) { put(pick([" ", "\n", "\t ", "\r\n", "  "])) } }

    private mutating func value(depth: Int) {
        space()
        switch below(depth > 5 ? 4 : 8) {
        case 0: put(pick(["null", "true", "false"]))
        case 1: put(pick(["0", "-1", "12", "1.5", "-0.25e+10", "1E5", "123456789012345678901234567890"]))
        case 2, 3: string()
        case 4, 5:
            put("[")
            for index in 0..<below(5) {
                if index > 0 { put(",") }
                value(depth: depth + 1)
            }
            space()
            put("]")
        default:
            put("{")
            for index in 0..<below(5) {
                if index > 0 { put(",") }
                space()
                string()
                space()
                put(":")
                value(depth: depth + 1)
            }
            space()
            put("}")
        }
        space()
    }

    private mutating func string() {
        put("\"")
        for _ in 0..<(chance(4) ? below(40) : below(6)) {
            put(pick(["abc", "abcdefgh", "\\\\", "\\\"", "\\n", "\\u0041", "\\ud800", "é", "€", "😀", "{", ",", "x"]))
        }
        put("\"")
    }
}
