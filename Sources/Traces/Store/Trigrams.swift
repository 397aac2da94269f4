/// The sets of trigrams that the full-text index keeps.
///
/// A trigram is three neighboring bytes of folded UTF-8: what contains a text contains all of its trigrams, whatever
/// the language and wherever words end, so that the index finds parts of words, paths and code as a scan does. (A
/// tokenizer of words would find `fail` in neither `failed` nor `timeout_failure`.) A document contributes each of its
/// trigrams once: FTS5 gets them as words of four letters and keeps, with `detail = none`, only who has them. What it
/// finds are candidates, which are then read and compared.
struct Trigrams {
    /// One bit for each of the 2^24 trigrams: 2 MiB.
    private var seen = [UInt64](repeating: 0, count: 1 << 18)
    private var distinct: [UInt32] = []

    /// Adds the trigrams of a text, which is folded in place.
    mutating func add(_ text: UnsafeMutableBufferPointer<UInt8>) {
        Folding.fold(text)
        guard text.count >= 3 else { return }
        var window = UInt32(text[0]) << 8 | UInt32(text[1])
        seen.withUnsafeMutableBufferPointer { seen in
            for i in 2..<text.count {
                window = (window << 8 | UInt32(text[i])) & 0xFF_FFFF
                let bit: UInt64 = 1 << UInt64(window & 63)
                let place = Int(window >> 6)
                if seen[place] & bit == 0 {
                    seen[place] |= bit
                    distinct.append(window)
                }
            }
        }
    }

    /// The trigrams added so far as words for FTS5, then none.
    mutating func takeWords(into words: inout [UInt8]) {
        words.removeAll(keepingCapacity: true)
        words.reserveCapacity(distinct.count * 5)
        for trigram in distinct {
            Self.append(trigram, to: &words)
            seen[Int(trigram >> 6)] = 0
        }
        distinct.removeAll(keepingCapacity: true)
    }

    /// The FTS5 query for documents that have all trigrams of a folded text; `nil` for texts of fewer than three bytes.
    ///
    /// Of long texts the first `most` different trigrams are asked for; the comparison does the rest.
    static func query(_ needle: [UInt8], most: Int = 48) -> String? {
        guard needle.count >= 3 else { return nil }
        var asked: [UInt32] = []
        for i in 0...(needle.count - 3) where asked.count < most {
            let trigram = UInt32(needle[i]) << 16 | UInt32(needle[i + 1]) << 8 | UInt32(needle[i + 2])
            if !asked.contains(trigram) { asked.append(trigram) }
        }
        var words: [UInt8] = []
        for trigram in asked { append(trigram, to: &words) }
        return String(decoding: words.dropLast(), as: UTF8.self)
    }

    /// 20 bits of a trigram's hash as four letters of 32, and a space: of the trigrams that texts are made of hardly
    /// any two share a word, and those that do only make a candidate more. FTS5 knows `and`, `or` and `not` only in
    /// capitals.
    private static func append(_ trigram: UInt32, to words: inout [UInt8]) {
        let hash = trigram &* 0x9E37_79B1 >> 12
        words.append(letter(hash >> 15))
        words.append(letter(hash >> 10))
        words.append(letter(hash >> 5))
        words.append(letter(hash))
        words.append(0x20)
    }

    private static func letter(_ bits: UInt32) -> UInt8 {
        let five = UInt8(truncatingIfNeeded: bits & 31)
        return five < 26 ? five + 97 : five + 22
    }
}
