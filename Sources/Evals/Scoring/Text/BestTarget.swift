internal import EvalLogs

/// The score against the best-matching target: any target is correct.
enum BestTarget {
    /// - Parameter value: Returns how well the answer matches a target; the first best target counts.
    static func score(
        _ name: String, _ answer: String, _ sample: TaskSample, higherIsBetter: Bool = true,
        value: (String) -> Double?
    ) -> EvalScore {
        guard !sample.targets.isEmpty else {
            return EvalScore(name, value: nil, answer: answer, problem: "the sample has no target")
        }
        var best: (value: Double, target: String)?
        for target in sample.targets {
            guard let value = value(target) else { continue }
            if best.map({ higherIsBetter ? value > $0.value : value < $0.value }) ?? true { best = (value, target) }
        }
        return EvalScore(
            name, value: best?.value, answer: answer, problem: best == nil ? "no target can be compared" : nil)
    }

    static func matches(_ name: String, _ answer: String, _ sample: TaskSample, _ matches: (String) -> Bool)
        -> EvalScore
    {
        score(name, answer, sample) { matches($0) ? 1 : 0 }
    }
}

extension StringProtocol {
    /// The text without whitespace at its ends.
    var trimmed: String {
        var part = self[...]
        while let first = part.first, first.isWhitespace { part.removeFirst() }
        while let last = part.last, last.isWhitespace { part.removeLast() }
        return String(part)
    }
}
