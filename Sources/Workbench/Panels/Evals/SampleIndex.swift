internal import EvalLogs

/// A compact index of a run's samples, with a few bytes per sample, so keys stay fast with tens of thousands of them.
struct SampleIndex: Sendable {
    /// Code of the outcome by index in the log; `missing` for a gap.
    private(set) var outcomes: [UInt8] = []
    /// Number of gaps.
    private(set) var holes = 0
    /// Values as [score][sample]; NaN for a missing value.
    private(set) var scores: [[Float]] = []
    /// `[slice][sample]`: index of the value in `words`.
    private(set) var codes: [[UInt16]] = []
    /// `[slice]`: values in the order of appearance.
    private(set) var words: [[String]] = []
    /// Tally of the first score.
    private(set) var total = ScoreTally()
    private(set) var confusion = ConfusionTally()
    private(set) var counts = [Int](repeating: 0, count: EvalRow.Outcome.allCases.count)
    /// Whether a slice has more than `mostWords` values; the rest count as one value.
    private(set) var isCut = false
    private var placed: [[String: UInt16]] = []

    static let mostWords = 1_000
    static let others = "(others)"

    init(scores: Int = 0, slices: Int = 0) {
        self.scores = Array(repeating: [], count: scores)
        codes = Array(repeating: [], count: slices)
        words = Array(repeating: [], count: slices)
        placed = Array(repeating: [:], count: slices)
    }

    /// Number of indexes up to the last known sample.
    var count: Int { outcomes.count }
    /// Number of known samples.
    var known: Int { outcomes.count - holes }
    static let missing: UInt8 = 255
    /// Wider gaps are damage.
    private static let widestGap = 1_000_000

    func has(_ sample: Int) -> Bool { outcomes.indices.contains(sample) && outcomes[sample] != Self.missing }

    func outcome(_ sample: Int) -> EvalRow.Outcome {
        guard outcomes.indices.contains(sample) else { return .unscored }
        return switch outcomes[sample] {
        case 0: .passed
        case 1: .failed
        case 2: .error
        case 4: .scored
        default: .unscored
        }
    }

    func count(of outcome: EvalRow.Outcome) -> Int { counts[Self.code(of: outcome)] }

    /// Number of samples that did not pass.
    var missed: Int { count(of: .failed) + count(of: .error) + count(of: .unscored) }

    static func code(of outcome: EvalRow.Outcome) -> Int {
        switch outcome {
        case .passed: 0
        case .failed: 1
        case .error: 2
        case .unscored: 3
        case .scored: 4
        }
    }

    /// Adds the samples after the known ones, and ignores known samples. O(rows).
    mutating func append(_ rows: [EvalRow]) {
        for row in rows where row.index >= outcomes.count && row.index - outcomes.count < Self.widestGap {
            while outcomes.count < row.index { appendHole() }
            let code = Self.code(of: row.outcome)
            outcomes.append(UInt8(code))
            counts[code] += 1
            for index in scores.indices {
                scores[index].append(index < row.scores.count ? Float(row.scores[index]) : .nan)
            }
            let value = row.scores.first ?? .nan
            total.add(value)
            for index in codes.indices {
                codes[index].append(self.code(of: index < row.slices.count ? row.slices[index] : "", in: index))
            }
            if row.outcome != .error { confusion.add(answer: row.answer, target: row.target) }
        }
    }

    private mutating func appendHole() {
        holes += 1
        outcomes.append(Self.missing)
        for index in scores.indices { scores[index].append(.nan) }
        for index in codes.indices { codes[index].append(UInt16.max) }
    }

    private mutating func code(of word: String, in slice: Int) -> UInt16 {
        if let code = placed[slice][word] { return code }
        if words[slice].count >= Self.mostWords {
            isCut = true
            return UInt16(Self.mostWords)
        }
        // The last index stands for all further values.
        let code = UInt16(words[slice].count)
        words[slice].append(word)
        placed[slice][word] = code
        if words[slice].count == Self.mostWords {
            words[slice].append(Self.others)
        }
        return code
    }

    /// Returns the position of a slice's value; `nil` if no sample has it.
    func code(of word: String, ofSlice slice: Int) -> UInt16? {
        placed.indices.contains(slice) ? placed[slice][word] : nil
    }
}

/// Number of samples with and without a score.
struct ScoreTally: Hashable, Sendable {
    private(set) var count = 0
    private(set) var missing = 0

    mutating func add(_ value: Double) {
        if value.isNaN { missing += 1 } else { count += 1 }
    }
}

/// Counts of answers by target, as long as there are few: classes, not texts.
struct ConfusionTally: Sendable {
    private(set) var labels: [String] = []
    private(set) var counts: [Pair: Int] = [:]
    /// Whether there are too many different answers for a table.
    private(set) var isTooMany = false

    struct Pair: Hashable, Sendable {
        var target: Int
        var answer: Int
    }

    static let mostLabels = 24
    private var places: [String: Int] = [:]

    mutating func add(answer: String, target: String) {
        guard !isTooMany else { return }
        let pair = Pair(target: place(of: target.trimmed), answer: place(of: answer.trimmed))
        counts[pair, default: 0] += 1
        if labels.count > Self.mostLabels {
            isTooMany = true
            counts = [:]
        }
    }

    private mutating func place(of label: String) -> Int {
        if let place = places[label] { return place }
        places[label] = labels.count
        labels.append(label)
        return labels.count - 1
    }
}
