internal import Console

/// Two texts word by word: which stretches only one of them has.
///
/// What both begin and end with is set aside; the rest is compared by words (Myers, "An O(ND) difference algorithm and its
/// variations", 1986, as the standard library has it), by lines where the words are too many, and is different as a whole
/// where the lines are too.
package struct WordDifference: Sendable {
    /// A stretch of one text.
    package struct Piece: Hashable, Sendable {
        package var text: String
        /// The other text has it too.
        package var isShared: Bool

        package init(text: String, isShared: Bool) {
            self.text = text
            self.isShared = isShared
        }
    }

    package private(set) var left: [Piece]
    package private(set) var right: [Piece]

    /// More pieces than this in the middle are not compared: time and memory grow with the square.
    private static let most = 600

    package init(_ left: String, _ right: String) {
        if let found = Self.compared(Self.words(left), Self.words(right)) {
            (self.left, self.right) = found
        } else if let found = Self.compared(Self.lines(left), Self.lines(right)) {
            (self.left, self.right) = found
        } else {
            (self.left, self.right) = ([Piece(text: left, isShared: false)], [Piece(text: right, isShared: false)])
        }
    }

    private static func compared(_ a: [Substring], _ b: [Substring]) -> (left: [Piece], right: [Piece])? {
        let start = zip(a, b).prefix { $0 == $1 }.count
        let end = zip(a.dropFirst(start).reversed(), b.dropFirst(start).reversed()).prefix { $0 == $1 }.count
        let (middleA, middleB) = (Array(a[start..<(a.count - end)]), Array(b[start..<(b.count - end)]))
        guard middleA.count <= most, middleB.count <= most else { return nil }
        var (goneA, goneB) = (Set<Int>(), Set<Int>())
        for change in middleB.difference(from: middleA) {
            switch change {
            case .remove(let offset, _, _): goneA.insert(offset + start)
            case .insert(let offset, _, _): goneB.insert(offset + start)
            }
        }
        return (pieces(a, without: goneA), pieces(b, without: goneB))
    }

    private static func pieces(_ words: [Substring], without other: Set<Int>) -> [Piece] {
        var pieces: [Piece] = []
        for (place, word) in words.enumerated() {
            let isShared = !other.contains(place)
            if pieces.last?.isShared == isShared {
                pieces[pieces.count - 1].text += word
            } else {
                pieces.append(Piece(text: String(word), isShared: isShared))
            }
        }
        return pieces
    }

    /// Splits a text into runs of letters and digits, runs of blanks, and other characters.
    private static func words(_ text: String) -> [Substring] {
        func kind(_ character: Character) -> Int {
            character.isLetter || character.isNumber ? 0 : character == " " ? 1 : 2
        }
        var words: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let first = kind(text[start])
            var end = text.index(after: start)
            if first < 2 { while end < text.endIndex, kind(text[end]) == first { end = text.index(after: end) } }
            words.append(text[start..<end])
            start = end
        }
        return words
    }

    private static func lines(_ text: String) -> [Substring] {
        var lines: [Substring] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex { $0.isNewline }.map { text.index(after: $0) } ?? text.endIndex
            lines.append(text[start..<end])
            start = end
        }
        return lines
    }

    /// Returns a side as styled text; pieces that the other side lacks are underlined.
    static func text(_ pieces: [Piece], _ role: Role) -> StyledText {
        var text = StyledText()
        for piece in pieces {
            if piece.isShared { text.append(piece.text) } else { text.append(piece.text, role, .underline) }
        }
        return text
    }
}
