/// Reads damaged tokenizer.json files, and has whatever is still read encode and decode.
package enum TokenizerFileFuzzer {
    private static let texts = [
        "", " ", "An orrery turns, doesn't it?  12345\n\n\t", "naïve Straße 東京 👩‍👩‍👧 ﬁ½ e\u{301}\u{0}\u{FFFD}",
        "<|end|> <unk> [UNK] ##ing ▁ Ġ </s>", String(repeating: "a", count: 3000), String(repeating: " \n", count: 400),
    ]

    /// Damages `bytes` in `count` ways and reads each.
    package static func run(on bytes: [UInt8], seed: UInt64, count: Int) -> FuzzReport {
        var report = FuzzReport()
        for number in 0..<count {
            let own = seed &+ UInt64(number) &* 0x9e37_79b9
            var damage = TokenizerFileDamage(seed: own)
            report.runs += 1
            do {
                let tokenizer = try Tokenizer(json: damage.damaged(bytes))
                report.read += 1
                if let violation = violation(of: tokenizer) { report.note(violation, of: own) }
            } catch {
                report.refused += 1
                if !error.sentence.hasSuffix("."), !error.sentence.hasSuffix("?") {
                    report.note("not a sentence: \(error.sentence)", of: own)
                }
            }
        }
        return report
    }

    /// What is promised for every text whatever the vocabulary is.
    private static func violation(of tokenizer: Tokenizer) -> String? {
        for text in texts {
            for parses in [false, true] {
                let encoding = tokenizer.encoding(of: text, parsingSpecialTokens: parses)
                let length = text.utf8.count
                guard encoding.ids.allSatisfy({ $0 >= 0 && Int($0) < tokenizer.vocabularySize }) else {
                    return "an ID beyond the vocabulary"
                }
                guard encoding.offsets.count == encoding.ids.count else {
                    return "the number of ranges differs from the number of IDs"
                }
                guard encoding.offsets.allSatisfy({ $0.lowerBound >= 0 && $0.upperBound <= length }) else {
                    return "a range beyond the text"
                }
                _ = tokenizer.decode(encoding.ids, skippingSpecialTokens: parses)
            }
        }
        _ = tokenizer.decode([-1, .max, TokenID(clamping: tokenizer.vocabularySize)])
        return nil
    }
}
