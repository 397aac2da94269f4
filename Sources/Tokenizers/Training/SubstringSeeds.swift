/// Substrings that occur more than once in a list of words, with how often: the candidates of a Unigram vocabulary.
///
/// Suffixes are sorted as far as pieces are long, which makes a suffix array of that depth; neighbours with a common
/// prefix form the intervals of its enhanced array, and each interval is a substring that cannot be made longer without
/// losing occurrences. Of all substrings with the same occurrences only that one can be worth a piece.
///
/// - Source: Bentley, Sedgewick 1997 (multikey quicksort); Abouelhoda, Kurtz, Ohlebusch 2004 (intervals).
struct SubstringSeeds {
    struct Seed {
        /// Where it stands first in the order of suffixes.
        var rank: Int
        /// In code points.
        var length: Int
        var occurrences: Int
    }

    /// The code points of all words, each word followed by a zero.
    private let text: [UInt32]
    /// Positions of the nonzero elements of `text`, sorted by the suffixes that start there.
    private var suffixes: [Int32]
    /// Longest substring, in code points.
    private let longest: Int

    init(_ words: WordCounter, longest: Int) throws(TrainingError) {
        var text: [UInt32] = []
        var suffixes: [Int32] = []
        for index in 0..<words.count {
            for scalar in String(decoding: words.word(index), as: UTF8.self).unicodeScalars where scalar.value != 0 {
                suffixes.append(Int32(truncatingIfNeeded: text.count))
                text.append(scalar.value)
            }
            text.append(0)
        }
        if text.count >= Int(Int32.max) - 64 { throw .tooMuchText }
        self.text = text
        self.suffixes = suffixes
        self.longest = longest
        sort()
    }

    /// The substring that a seed stands for.
    func string(_ seed: Seed) -> String {
        let start = Int(suffixes[seed.rank])
        var view = String.UnicodeScalarView()
        for value in text[start..<(start + seed.length)] { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        return String(view)
    }

    /// All substrings of at least two code points that occur at least twice, those first that cover most of the text.
    func seeds() -> [Seed] {
        var seeds: [Seed] = []
        var open: [(length: Int, first: Int)] = [(0, 0)]
        for rank in 1...max(1, suffixes.count) {
            let common = rank < suffixes.count ? commonPrefix(rank - 1, rank) : 0
            var first = rank - 1
            while let last = open.last, last.length > common {
                open.removeLast()
                // What always ends its word is left out: it would be learned together with the punctuation there.
                let goesOn = text[Int(suffixes[rank - 1]) + last.length] != 0
                if last.length >= 2, last.length <= longest, goesOn {
                    seeds.append(Seed(rank: last.first, length: last.length, occurrences: rank - last.first))
                }
                first = last.first
            }
            if let last = open.last, last.length < common { open.append((common, first)) }
        }
        return seeds.sorted { left, right in
            let weights = (left.occurrences * left.length, right.occurrences * right.length)
            if weights.0 != weights.1 { return weights.0 > weights.1 }
            return left.rank != right.rank ? left.rank > right.rank : left.length > right.length
        }
    }

    /// The length of what two neighbours begin with, as far as they were sorted.
    private func commonPrefix(_ left: Int, _ right: Int) -> Int {
        let (left, right) = (Int(suffixes[left]), Int(suffixes[right]))
        var length = 0
        while length <= longest, text[left + length] != 0, text[left + length] == text[right + length] { length += 1 }
        return length
    }

    /// Sorts suffixes by their first `longest + 1` code points.
    private mutating func sort() {
        let depthLimit = longest + 1
        text.withUnsafeBufferPointer { text in
            suffixes.withUnsafeMutableBufferPointer { suffixes in
                var pending: [(range: Range<Int>, depth: Int)] = [(0..<suffixes.count, 0)]
                while let (range, depth) = pending.popLast() {
                    if range.count < 2 || depth >= depthLimit { continue }
                    let pivot = text[Int(suffixes[range.lowerBound + range.count / 2]) + depth]
                    // Less than the pivot, equal to it, not looked at, greater than it.
                    var less = range.lowerBound
                    var index = range.lowerBound
                    var greater = range.upperBound
                    while index < greater {
                        let value = text[Int(suffixes[index]) + depth]
                        if value < pivot {
                            suffixes.swapAt(less, index)
                            less += 1
                            index += 1
                        } else if value > pivot {
                            greater -= 1
                            suffixes.swapAt(index, greater)
                        } else {
                            index += 1
                        }
                    }
                    pending.append((range.lowerBound..<less, depth))
                    pending.append((greater..<range.upperBound, depth))
                    if pivot != 0 { pending.append((less..<greater, depth + 1)) }
                }
            }
        }
    }
}
