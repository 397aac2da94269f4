/// The table in which a word is aligned with a text, kept from one text to the next.
struct FuzzyTable {
    /// Longer texts are looked at up to here.
    static let longest = 512

    private enum Weight {
        static let letter: Int32 = 16
        static let wordStart: Int32 = 10
        static let hump: Int32 = 8
        static let following: Int32 = 12
        static let textStart: Int32 = 4
        static let openGap: Int32 = 3
        static let gap: Int32 = 1
    }

    private static let none = Int32.min / 2

    /// The text, folded where case does not count.
    private let letters: UnsafeMutableBufferPointer<UInt8>
    /// What a match at a byte counts beside the letter itself.
    private let bonuses: UnsafeMutableBufferPointer<Int32>
    /// Row i, byte j: the best score of the first i + 1 letters with the last of them at byte j. Two rows are in use;
    /// for positions, all.
    private let cells: UnsafeMutableBufferPointer<Int32>
    /// The bytes of the text.
    private var count = 0
    private static let rows = 64

    /// Lends a table.
    static func with<Result>(_ body: (inout FuzzyTable) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: longest * (rows + 1)) { numbers in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { letters in
                var table = FuzzyTable(
                    letters: letters, bonuses: UnsafeMutableBufferPointer(rebasing: numbers[..<longest]),
                    cells: UnsafeMutableBufferPointer(rebasing: numbers[longest...]))
                return body(&table)
            }
        }
    }

    private init(
        letters: UnsafeMutableBufferPointer<UInt8>, bonuses: UnsafeMutableBufferPointer<Int32>,
        cells: UnsafeMutableBufferPointer<Int32>
    ) {
        self.letters = letters
        self.bonuses = bonuses
        self.cells = cells
    }

    /// Takes a text of at most `longest` bytes.
    mutating func fold(_ text: UnsafeBufferPointer<UInt8>, exact: Bool) {
        count = text.count
        var before: UInt8 = 0
        for place in 0..<text.count {
            let byte = text[place]
            letters[place] = !exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
            bonuses[place] = place == 0 ? Weight.wordStart + Weight.textStart : Self.bonus(byte, after: before)
            before = byte
        }
    }

    @inline(__always)
    private static func bonus(_ byte: UInt8, after before: UInt8) -> Int32 {
        if !before.isWordByte || before == 0x5F { return byte.isWordByte && byte != 0x5F ? Weight.wordStart : 0 }
        if byte &- 0x41 < 26, before &- 0x41 >= 26 { return Weight.hump }
        return byte.isDigit && !before.isDigit ? Weight.hump : 0
    }

    /// The best score of a word; nil where it is no subsequence of the text.
    func score(of word: [UInt8]) -> Int? {
        guard let range = window(of: word) else { return nil }
        for (row, letter) in word.enumerated() { fill(row & 1, from: (row + 1) & 1, letter, range, isFirst: row == 0) }
        return best((word.count - 1) & 1, range)
    }

    /// The best score of a word and the bytes where its letters then are.
    func placement(of word: [UInt8]) -> (score: Int, positions: [Int])? {
        guard let range = window(of: word) else { return nil }
        for (row, letter) in word.enumerated() { fill(row, from: row - 1, letter, range, isFirst: row == 0) }
        return (best(word.count - 1, range), trace(word, range))
    }

    /// From the first byte that can match to the last; nil where the word is no subsequence.
    private func window(of word: [UInt8]) -> Range<Int>? {
        var next = 0
        var first = 0
        var place = 0
        while place < count {
            if letters[place] == word[next] {
                if next == 0 { first = place }
                next += 1
                if next == word.count { break }
            }
            place += 1
        }
        guard next == word.count else { return nil }
        var last = count - 1
        while letters[last] != word[word.count - 1] { last -= 1 }
        return first..<last + 1
    }

    private func fill(_ row: Int, from before: Int, _ letter: UInt8, _ range: Range<Int>, isFirst: Bool) {
        let current = row * Self.longest
        if isFirst {
            for place in range {
                cells[current + place] = letters[place] == letter ? Weight.letter + bonuses[place] : Self.none
            }
            return
        }
        let previous = before * Self.longest
        // The best that ends before the byte at hand, gap paid.
        var open = Self.none
        cells[current + range.lowerBound] = Self.none
        var place = range.lowerBound + 1
        while place < range.upperBound {
            let last = cells[previous + place - 1]
            if letters[place] == letter {
                let bonus = bonuses[place]
                cells[current + place] = Weight.letter &+ max(last &+ max(Weight.following, bonus), open &+ bonus)
            } else {
                cells[current + place] = Self.none
            }
            open = max(open &- Weight.gap, last &- Weight.openGap)
            place += 1
        }
    }

    private func best(_ row: Int, _ range: Range<Int>) -> Int {
        var score = Self.none
        for place in range { score = max(score, cells[row * Self.longest + place]) }
        return Int(score)
    }

    /// Follows the table back from its best end.
    private func trace(_ word: [UInt8], _ range: Range<Int>) -> [Int] {
        var positions: [Int] = []
        var follower: Int?
        for row in word.indices.reversed() {
            var best = range.lowerBound
            var score = Self.none
            // What following counts more than the bonus that the letter has anyway.
            let following = follower.map { max(0, Weight.following - bonuses[$0]) } ?? 0
            for place in range.lowerBound..<(follower ?? range.upperBound) {
                var value = cells[row * Self.longest + place]
                guard value > Self.none / 2 else { continue }
                if let follower {
                    let gap = Int32(follower - place - 1)
                    value += gap == 0 ? following : -Weight.openGap - (gap - 1) * Weight.gap
                }
                if value > score {
                    score = value
                    best = place
                }
            }
            positions.append(best)
            follower = best
        }
        return positions.reversed()
    }
}
