/// The search for the shift that saves the most edits.
enum TERShifts {
    private static let longestRun = 10
    private static let farthest = 50
    static let mostTried = 1_000

    /// Returns the words after the best shift of a run of words that the reference also has, and the gain; the words
    /// themselves if there is none. Ranked by gain, then length, then earliest start, then earliest target.
    static func best(
        _ words: [Int], _ goal: [Int], _ distance: inout BandedEditDistance, _ tried: inout Int
    ) -> (gain: Int, words: [Int]) {
        let before = distance.measure(words)
        let alignment = TERAlignment(distance.trace())
        var best: (rank: (Int, Int, Int, Int), words: [Int])?
        for start in words.indices {
            for place in goal.indices where abs(place - start) <= farthest {
                var length = 0
                while length < longestRun, start + length < words.count, place + length < goal.count,
                    words[start + length] == goal[place + length]
                {
                    length += 1
                    guard alignment.isWrong(start..<start + length, place..<place + length) else { continue }
                    let aligned = alignment.places[place]
                    if aligned >= start, aligned < start + length { continue }
                    var last = -1
                    for offset in -1..<length {
                        let target: Int
                        if place + offset == -1 {
                            target = 0
                        } else if place + offset < alignment.places.count {
                            target = alignment.places[place + offset] + 1
                        } else {
                            break
                        }
                        if target == last { continue }
                        last = target
                        let shifted = shift(words, start, length, target)
                        let rank = (before - distance.measure(shifted), length, -start, -target)
                        tried += 1
                        if best.map({ rank > $0.rank }) ?? true { best = (rank, shifted) }
                    }
                    if tried >= mostTried { return best.map { ($0.rank.0, $0.words) } ?? (0, words) }
                }
            }
        }
        return best.map { ($0.rank.0, $0.words) } ?? (0, words)
    }

    private static func shift(_ words: [Int], _ start: Int, _ length: Int, _ target: Int) -> [Int] {
        let run = words[start..<start + length]
        if target < start {
            return Array(words[..<target] + run + words[target..<start] + words[(start + length)...])
        }
        if target > start + length {
            return Array(words[..<start] + words[(start + length)..<target] + run + words[target...])
        }
        let end = min(words.count, length + target)
        return Array(words[..<start] + words[(start + length)..<max(start + length, end)] + run + words[end...])
    }
}

/// The alignment of an answer's words with a reference's, and the wrong words.
struct TERAlignment {
    /// Position in the answer for each word of the reference.
    private(set) var places: [Int] = []
    private var wrongAnswered: [Bool] = []
    private var wrongWanted: [Bool] = []

    init(_ trace: [BandedEditDistance.Operation]) {
        var place = -1
        for operation in trace {
            switch operation {
            case .keep, .replace:
                place += 1
                places.append(place)
                wrongAnswered.append(operation == .replace)
                wrongWanted.append(operation == .replace)
            case .remove:
                place += 1
                wrongAnswered.append(true)
            case .insert:
                places.append(place)
                wrongWanted.append(true)
            }
        }
    }

    /// Returns whether both ranges contain an error.
    func isWrong(_ answered: Range<Int>, _ wanted: Range<Int>) -> Bool {
        answered.contains { $0 < wrongAnswered.count && wrongAnswered[$0] }
            && wanted.contains { $0 < wrongWanted.count && wrongWanted[$0] }
    }
}
