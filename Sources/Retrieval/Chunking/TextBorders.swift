/// The places at which a text may be cut well, best first.
struct TextBorders {
    /// Kinds of text that end at a border.
    enum Level: Int, CaseIterable {
        case word, line, sentence, paragraph
    }

    /// Last border found for each level, or -1.
    private(set) var last: (word: Int, line: Int, sentence: Int, paragraph: Int) = (-1, -1, -1, -1)

    func place(_ level: Level) -> Int? {
        let place =
            switch level {
            case .word: last.word
            case .line: last.line
            case .sentence: last.sentence
            case .paragraph: last.paragraph
            }
        return place < 0 ? nil : place
    }

    /// Looks through `low...high` for the last place of every level, or for the first.
    ///
    /// - Parameter isAllowed: Whether a place may be a cut at all.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>, low: Int, high: Int, first: Bool = false, isAllowed: (Int) -> Bool
    ) {
        func note(_ slot: inout Int, _ place: Int) {
            guard place > low, place <= high, !first || slot < 0, isAllowed(place) else { return }
            slot = max(slot, place)
        }
        var place = max(0, low - 1)
        while place < high {
            let byte = bytes[place]
            if SentenceRule.isSpace(byte) {
                var lines = byte == 0x0A ? 1 : 0
                var next = place + 1
                while next < high, SentenceRule.isSpace(bytes[next]) {
                    if bytes[next] == 0x0A { lines += 1 }
                    next += 1
                }
                if lines > 0 {
                    // Behind the last line feed, so that what is set in keeps its white space.
                    var start = next
                    while start > place, bytes[start - 1] != 0x0A { start -= 1 }
                    note(&last.line, start)
                    if lines > 1 { note(&last.paragraph, start) }
                }
                note(&last.word, next)
                place = next
                continue
            }
            if SentenceRule.mayStop(byte), let next = SentenceRule.nextStart(bytes, stop: place) {
                note(&last.sentence, min(next, high))
            }
            // Chinese and Japanese lines are broken between any two characters, but not before a stop.
            if byte >= 0xE3, byte <= 0xE9, place + 3 <= bytes.count {
                if !Self.isClosing(bytes, place) { note(&last.word, place) }
                place += 3
                if place < bytes.count, bytes[place] < 0xE3 { note(&last.word, place) }
                continue
            }
            place += 1
        }
    }

    /// U+3001, U+3002, U+300D, U+300F.
    private static func isClosing(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        bytes[place] == 0xE3 && bytes[place + 1] == 0x80 && [0x81, 0x82, 0x8D, 0x8F].contains(bytes[place + 2])
    }
}
