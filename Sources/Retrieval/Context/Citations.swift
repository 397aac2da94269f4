/// Finds out on which passages an answer leans.
public enum Citations {
    /// Words that an answer has to share with a passage, one after the other, to lean on it without naming it.
    static let sharedWords = 6

    /// What an answer cites: marks such as `[2]`, `[1, 3]` and `[1-3]`, and wording that it shares with a passage that
    /// is not named there.
    ///
    /// - Parameter passages: Mark, passage and text of each piece of the context.
    /// - Returns: By place; an explicit one reaches from the beginning of its sentence to the end of its mark.
    public static func of(
        _ answer: String, passages: [(mark: String, passage: PassageID, text: String)]
    ) -> [AnswerRecord.Citation] {
        var citations: [AnswerRecord.Citation] = []
        let bytes = Array(answer.utf8)
        for mark in marks(in: bytes) {
            let start = sentenceStart(before: mark.range.lowerBound, in: bytes)
            for number in mark.numbers {
                guard let cited = passages.first(where: { $0.mark == "[\(number)]" }) else { continue }
                let citation = AnswerRecord.Citation(
                    range: start..<mark.range.upperBound, passage: cited.passage, isExplicit: true)
                if !citations.contains(citation) { citations.append(citation) }
            }
        }
        let words = WordRuns.words(of: answer)
        for (_, passage, text) in passages {
            let named = citations.filter { $0.passage == passage && $0.isExplicit }
            for range in WordRuns.shared(words, with: WordRuns.words(of: text), length: sharedWords)
            where !named.contains(where: { $0.range.overlaps(range) }) {
                citations.append(AnswerRecord.Citation(range: range, passage: passage, isExplicit: false))
            }
        }
        return citations.sorted {
            ($0.range.lowerBound, $0.range.upperBound, $0.passage.index)
                < ($1.range.lowerBound, $1.range.upperBound, $1.passage.index)
        }
    }

    private struct Mark {
        var range: Range<Int>
        var numbers: [Int]
    }

    /// Brackets that hold nothing but numbers of at most four digits, commas, dashes and spaces.
    private static func marks(in bytes: [UInt8]) -> [Mark] {
        var marks: [Mark] = []
        var index = 0
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "[")) {
            index = open + 1
            guard let close = bytes[index...].prefix(64).firstIndex(of: UInt8(ascii: "]")) else { continue }
            var numbers: [Int] = []
            var isMark = true
            for part in bytes[index..<close].split(separator: UInt8(ascii: ",")) {
                let ends = String(decoding: part, as: UTF8.self).filter { $0 != " " }
                    .replacing("–", with: "-").split(separator: "-", omittingEmptySubsequences: false)
                let values = ends.map {
                    $0.count <= 4 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil
                }
                if values.count == 1, let only = values[0] {
                    numbers.append(only)
                } else if values.count == 2, let first = values[0], let last = values[1], first <= last,
                    last - first < 100
                {
                    numbers += first...last
                } else {
                    isMark = false
                }
            }
            if isMark, !numbers.isEmpty {
                marks.append(Mark(range: open..<close + 1, numbers: numbers))
                index = close + 1
            }
        }
        return marks
    }

    /// Where the sentence begins that a mark closes: marks before it, and the full stop that may stand before the mark,
    /// are part of the sentence.
    private static func sentenceStart(before mark: Int, in bytes: [UInt8]) -> Int {
        func isEnd(_ byte: UInt8) -> Bool {
            [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), 0x0A].contains(byte)
        }
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D }
        var index = mark
        // Back over spaces, full stops and other marks.
        while index > 0 {
            let byte = bytes[index - 1]
            if isSpace(byte) || isEnd(byte) {
                index -= 1
            } else if byte == UInt8(ascii: "]"), let open = bytes[..<(index - 1)].lastIndex(of: UInt8(ascii: "[")),
                index - open <= 64
            {
                index = open
            } else {
                break
            }
        }
        while index > 0 {
            let byte = bytes[index - 1]
            if byte == 0x0A || byte == UInt8(ascii: "]") { break }
            if isSpace(byte), index > 1, isEnd(bytes[index - 2]) { break }
            index -= 1
        }
        while index < mark, isSpace(bytes[index]) { index += 1 }
        return index
    }
}
