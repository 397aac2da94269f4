/// Learns merges: again and again the most frequent pair of neighbouring symbols becomes a symbol of its own.
///
/// Counts are kept up to date pair by pair, and a heap gives the largest; a count in the heap may be too large, in which
/// case its entry goes back with the right one. Of equal counts the pair of lower ids comes first, as in Hugging Face's
/// `tokenizers`, whose merges these are.
///
/// - Source: Sennrich, Haddow, Birch, ACL 2016, algorithm 1.
struct MergeTraining {
    /// Symbols that stand next to each other in some words.
    private struct Entry {
        var count: Int
        /// Index in the table.
        var pair: Int32
        /// Index in `places`.
        var places: Int32
    }

    /// Texts of symbols by id.
    private(set) var pieces: [[UInt8]]
    /// Ids of the two symbols of each merge, in order.
    private(set) var merges: [(left: Int32, right: Int32)] = []
    private var ids: [[UInt8]: Int32]
    /// What the right part of a merge begins with that its text leaves out.
    private let prefix: [UInt8]

    /// The symbols of all words, one after the other; a word uses the first `lengths` of its stretch.
    private var symbols: [Int32] = []
    private var starts: [Int] = [0]
    private var lengths: [Int32] = []
    private var counts: [Int] = []

    private var table = PairCounts()
    private var heap: [Entry] = []
    /// Words in which a pair stands, ascending, by entry of the heap.
    private var places: [[Int32]] = []
    private var freePlaces: [Int32] = []

    /// - Parameter pieces: the symbols that there are at first, all different.
    init(pieces: [[UInt8]], continuationPrefix: [UInt8] = []) {
        self.pieces = pieces
        prefix = continuationPrefix
        ids = [:]
        for (id, piece) in pieces.enumerated() { ids[piece] = Int32(id) }
    }

    /// The id of a symbol.
    func id(of piece: [UInt8]) -> Int32? { ids[piece] }

    /// Adds a symbol unless there is one with this text.
    mutating func add(piece: [UInt8]) -> Int32 {
        if let id = ids[piece] { return id }
        let id = Int32(pieces.count)
        pieces.append(piece)
        ids[piece] = id
        return id
    }

    /// Adds a word of the text.
    mutating func add(word: some Sequence<Int32>, count: Int) {
        symbols.append(contentsOf: word)
        lengths.append(Int32(symbols.count - (starts.last ?? 0)))
        starts.append(symbols.count)
        counts.append(count)
    }

    /// Merges until the vocabulary has the wanted size, or no pair is frequent enough.
    mutating func run(vocabularySize: Int, minimumFrequency: Int, _ monitor: TrainingMonitor) throws(TrainingError) {
        countPairs()
        var changes = Changes()
        while pieces.count < vocabularySize, var best = popBest() {
            let count = table.counts[Int(best.pair)]
            if best.count != count {
                best.count = count
                push(best)
                continue
            }
            if count < max(1, minimumFrequency) { return }
            if merges.count % 256 == 0 { try monitor.check(.merging, pieces.count, vocabularySize) }
            let key = table.keys[Int(best.pair)]
            let left = Int32(truncatingIfNeeded: key >> 32)
            let right = Int32(truncatingIfNeeded: key)
            let merged = add(piece: pieces[Int(left)] + pieces[Int(right)].dropFirst(skipped(pieces[Int(right)])))
            merges.append((left, right))
            changes.removeAll()
            for word in places[Int(best.places)] { merge(left, right, into: merged, in: Int(word), &changes) }
            places[Int(best.places)] = []
            freePlaces.append(best.places)
            for pair in changes.grown {
                let words = changes.take(pair)
                if table.counts[Int(pair)] > 0 { push(Int(pair), words) }
            }
        }
    }

    private func skipped(_ piece: [UInt8]) -> Int { piece.starts(with: prefix) ? prefix.count : 0 }

    private mutating func countPairs() {
        var changes = Changes()
        for word in counts.indices {
            let start = starts[word]
            for index in start..<max(start, start + Int(lengths[word]) - 1) {
                let pair = table.index(of: PairCounts.key(symbols[index], symbols[index + 1]))
                table.counts[pair] += counts[word]
                changes.add(Int32(word), to: Int32(pair))
            }
        }
        for pair in changes.grown { push(Int(pair), changes.take(pair)) }
    }

    /// Replaces a pair in a word, from left to right, and updates the counts of adjacent pairs.
    private mutating func merge(
        _ left: Int32, _ right: Int32, into merged: Int32, in word: Int, _ changes: inout Changes
    ) {
        let start = starts[word]
        let end = start + Int(lengths[word])
        let count = counts[word]
        var output = start
        var index = start
        while index < end {
            guard symbols[index] == left, index + 1 < end, symbols[index + 1] == right else {
                symbols[output] = symbols[index]
                output += 1
                index += 1
                continue
            }
            if output > start {
                let before = symbols[output - 1]
                table.counts[table.index(of: PairCounts.key(before, left))] -= count
                grow(PairCounts.key(before, merged), count, word, &changes)
            }
            if index + 2 < end {
                let after = symbols[index + 2]
                table.counts[table.index(of: PairCounts.key(right, after))] -= count
                grow(PairCounts.key(merged, after), count, word, &changes)
            }
            symbols[output] = merged
            output += 1
            index += 2
        }
        lengths[word] = Int32(output - start)
    }

    private mutating func grow(_ key: PairCounts.Key, _ count: Int, _ word: Int, _ changes: inout Changes) {
        let pair = table.index(of: key)
        table.counts[pair] += count
        changes.add(Int32(word), to: Int32(pair))
    }

    /// The words in which pairs have come to stand, until they go to the heap.
    private struct Changes {
        /// Pairs in the order in which they were met.
        private(set) var grown: [Int32] = []
        private var words: [[Int32]] = []
        /// Index in `words` by pair, -1 if there is none.
        private var index: [Int32] = []

        /// Words come in ascending order.
        mutating func add(_ word: Int32, to pair: Int32) {
            if Int(pair) >= index.count {
                index.append(contentsOf: repeatElement(-1, count: Int(pair) + 1 - index.count))
            }
            if index[Int(pair)] < 0 {
                index[Int(pair)] = Int32(grown.count)
                if grown.count == words.count { words.append([]) }
                grown.append(pair)
            }
            let place = Int(index[Int(pair)])
            if words[place].last != word { words[place].append(word) }
        }

        mutating func take(_ pair: Int32) -> [Int32] {
            let place = Int(index[Int(pair)])
            defer { words[place] = [] }
            return words[place]
        }

        mutating func removeAll() {
            for pair in grown { index[Int(pair)] = -1 }
            grown.removeAll(keepingCapacity: true)
        }
    }
}

extension MergeTraining {
    private mutating func push(_ pair: Int, _ words: [Int32]) {
        let slot: Int32
        if let free = freePlaces.popLast() {
            slot = free
            places[Int(free)] = words
        } else {
            slot = Int32(places.count)
            places.append(words)
        }
        push(Entry(count: table.counts[pair], pair: Int32(pair), places: slot))
    }

    /// Whether an entry comes before another: more often, or as often and of lower ids.
    private func precedes(_ first: Entry, _ second: Entry) -> Bool {
        first.count != second.count
            ? first.count > second.count : table.keys[Int(first.pair)] < table.keys[Int(second.pair)]
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard precedes(entry, heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = entry
    }

    private mutating func popBest() -> Entry? {
        guard let best = heap.first, let last = heap.popLast() else { return nil }
        if heap.isEmpty { return best }
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, precedes(heap[child + 1], heap[child]) { child += 1 }
            guard precedes(heap[child], last) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = last
        return best
    }
}
