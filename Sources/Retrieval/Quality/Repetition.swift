internal import Hashing
internal import SearchIndexes

/// How much of a text is there more than once. The first time does not count.
enum Repetition {
    typealias Piece = TextStatistics.Piece

    /// Returns the share of the pieces that were there before, and their characters.
    static func duplicates(_ pieces: [Piece]) -> (share: Double, characters: Int) {
        var counts = HashCounts(capacity: pieces.count)
        var (count, characters) = (0, 0)
        for piece in pieces where counts.add(piece.hash) > 1 {
            count += 1
            characters += piece.length
        }
        return (pieces.isEmpty ? 0 : Double(count) / Double(pieces.count), characters)
    }

    /// Returns the characters in all occurrences of the most frequent run (the longest in a tie), or 0 if no run occurs
    /// twice.
    static func topRun(_ words: [Piece], _ size: Int) -> Int {
        var counts = HashCounts(capacity: words.count)
        var (most, longest) = (1, 0)
        // Every run with the highest count reaches it exactly once.
        forEachRun(words, size) { start, hash in
            let count = counts.add(hash)
            guard count > 1, count >= most else { return }
            let length = self.length(words, start, size)
            longest = count > most ? length : max(longest, length)
            most = count
        }
        return most > 1 ? longest * most : 0
    }

    /// Returns the characters in runs that were there before, each counted once though runs overlap.
    static func duplicateRuns(_ words: [Piece], _ size: Int) -> Int {
        var counts = HashCounts(capacity: words.count)
        var characters = 0
        var covered = 0
        forEachRun(words, size) { start, hash in
            guard counts.add(hash) > 1 else { return }
            let from = max(start, covered)
            for index in from..<start + size { characters += words[index].length + (index > from ? 1 : 0) }
            covered = start + size
        }
        return characters
    }

    private static func length(_ words: [Piece], _ start: Int, _ size: Int) -> Int {
        words[start..<start + size].reduce(size - 1) { $0 + $1.length }
    }

    /// Calls `body` with every run. A run is Σ hash · base^place, so that the next one costs a product, whatever the
    /// size.
    private static func forEachRun(_ words: [Piece], _ size: Int, _ body: (_ start: Int, _ hash: UInt64) -> Void) {
        guard size > 0, words.count >= size else { return }
        let base: UInt64 = SplitMix64.gamma
        var leaving: UInt64 = 1
        for _ in 0..<size { leaving &*= base }
        var sum: UInt64 = 0
        for index in words.indices {
            sum = sum &* base &+ words[index].hash
            if index >= size { sum &-= words[index - size].hash &* leaving }
            if index + 1 >= size { body(index + 1 - size, WordHashes.mixed(sum)) }
        }
    }
}

/// How often hashes came: open addressing, at most half full.
private struct HashCounts {
    private var keys: [UInt64]
    private var counts: [Int32]

    init(capacity: Int) {
        var size = 16
        while size < 2 * capacity { size *= 2 }
        keys = [UInt64](repeating: 0, count: size)
        counts = [Int32](repeating: 0, count: size)
    }

    /// Counts a hash and says how often it came by now.
    mutating func add(_ hash: UInt64) -> Int {
        let mask = keys.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while counts[place] > 0, keys[place] != hash { place = (place + 1) & mask }
        keys[place] = hash
        counts[place] += 1
        return Int(counts[place])
    }
}
