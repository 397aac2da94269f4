/// A table for aligning a word with a string; its memory is reused for every string.
struct FuzzyTable {
    /// Maximum number of bytes to search; the rest of a string is ignored.
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

    /// Original string.
    private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    /// String in lowercase, unless case matters.
    private let letters: UnsafeMutableBufferPointer<UInt8>
    /// Letter i can match from `earliest[i]` to `latest[i]`, because the letters before and after it need room.
    private let earliest: UnsafeMutableBufferPointer<Int32>
    private let latest: UnsafeMutableBufferPointer<Int32>
    /// Row i, byte j: the best score of the first i + 1 letters if the last of them is at byte j. Scoring uses two
    /// rows; finding positions uses one row per letter.
    private let cells: UnsafeMutableBufferPointer<Int32>
    private static let rows = 64

    /// Calls a function with a temporary table.
    static func with<Result>(_ body: (inout FuzzyTable) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: rows * (longest + 2)) { numbers in
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { letters in
                var table = FuzzyTable(numbers, letters)
                return body(&table)
            }
        }
    }

    private init(_ numbers: UnsafeMutableBufferPointer<Int32>, _ letters: UnsafeMutableBufferPointer<UInt8>) {
        self.letters = letters
        earliest = UnsafeMutableBufferPointer(rebasing: numbers[..<Self.rows])
        latest = UnsafeMutableBufferPointer(rebasing: numbers[Self.rows..<2 * Self.rows])
        cells = UnsafeMutableBufferPointer(rebasing: numbers[(2 * Self.rows)...])
    }

    /// Sets the string, which has at most `longest` bytes and must stay valid while the table uses it.
    mutating func fold(_ text: UnsafeBufferPointer<UInt8>, exact: Bool) {
        self.text = text
        for place in 0..<text.count {
            let byte = text[place]
            letters[place] = !exact && byte &- 0x41 < 26 ? byte | 0x20 : byte
        }
    }

    /// Returns the bonus for a match at a byte, which is added to the score of the letter.
    @inline(__always)
    private func bonus(_ place: Int) -> Int32 {
        guard place > 0 else { return Weight.wordStart + Weight.textStart }
        let byte = text[place]
        let before = text[place - 1]
        if !before.isWordByte || before == 0x5F { return byte.isWordByte && byte != 0x5F ? Weight.wordStart : 0 }
        if byte &- 0x41 < 26, before &- 0x41 >= 26 { return Weight.hump }
        return byte.isDigit && !before.isDigit ? Weight.hump : 0
    }

    /// Returns the best score of a word; `nil` if the word is not a subsequence of the string.
    func score(of word: [UInt8]) -> Int? {
        guard bound(word) else { return nil }
        for row in word.indices { fill(row, at: row & 1, from: (row + 1) & 1, word[row]) }
        return best(word.count - 1, at: (word.count - 1) & 1)
    }

    /// Returns the best score of a word and the offsets of its letters.
    func placement(of word: [UInt8]) -> (score: Int, positions: [Int])? {
        guard bound(word) else { return nil }
        for row in word.indices { fill(row, at: row, from: row - 1, word[row]) }
        return (best(word.count - 1, at: word.count - 1), trace(word))
    }

    /// Finds the range of each letter; returns false if the word is not a subsequence of the string.
    private func bound(_ word: [UInt8]) -> Bool {
        var place = 0
        for (row, letter) in word.enumerated() {
            while place < text.count, letters[place] != letter { place += 1 }
            guard place < text.count else { return false }
            earliest[row] = Int32(place)
            place += 1
        }
        place = text.count - 1
        for row in word.indices.reversed() {
            while letters[place] != word[row] { place -= 1 }
            latest[row] = Int32(place)
            place -= 1
        }
        return true
    }

    private func places(_ row: Int) -> ClosedRange<Int> { Int(earliest[row])...Int(latest[row]) }

    private func fill(_ row: Int, at slot: Int, from before: Int, _ letter: UInt8) {
        let current = slot * Self.longest
        let places = places(row)
        guard row > 0 else {
            for place in places {
                cells[current + place] = letters[place] == letter ? Weight.letter + bonus(place) : Self.none
            }
            return
        }
        let previous = before * Self.longest
        let known = self.places(row - 1)
        // Best score of an alignment that ends before this byte, minus the cost of the gap.
        var open = Self.none
        var place = known.lowerBound + 1
        while place <= places.upperBound {
            let last = place - 1 <= known.upperBound ? cells[previous + place - 1] : Self.none
            if place >= places.lowerBound {
                if letters[place] == letter {
                    let bonus = bonus(place)
                    cells[current + place] = Weight.letter &+ max(last &+ max(Weight.following, bonus), open &+ bonus)
                } else {
                    cells[current + place] = Self.none
                }
            }
            open = max(open &- Weight.gap, last &- Weight.openGap)
            place += 1
        }
    }

    private func best(_ row: Int, at slot: Int) -> Int {
        var score = Self.none
        for place in places(row) { score = max(score, cells[slot * Self.longest + place]) }
        return Int(score)
    }

    /// Traces the best placement back from the last letter.
    private func trace(_ word: [UInt8]) -> [Int] {
        var positions: [Int] = []
        var follower: Int?
        for row in word.indices.reversed() {
            var best = places(row).lowerBound
            var score = Self.none
            // A consecutive letter adds only the part of its score that exceeds the letter's own bonus.
            let following = follower.map { max(0, Weight.following - bonus($0)) } ?? 0
            for place in places(row) where place < follower ?? .max {
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
