internal import Configuration
internal import EvalLogs
internal import Statistics
public import System
internal import Traces

/// A measure for comparing two runs: a score that both have, or a resource.
public struct EvalMeasure: Hashable, Sendable {
    /// Sources of the values.
    enum Source: Hashable, Sendable {
        /// Indices among the scores of A and of B.
        case score(Int, Int)
        case seconds
        case tokens
        case cost
    }

    /// Name of the score, or `seconds`, `tokens`, `cost`.
    public let name: String
    public let higherIsBetter: Bool
    /// Minimum passing value; `nil` for resources such as seconds, infinite for a score without a passing threshold.
    public let passesAt: Double?
    /// Whether passing counts instead of the score's value, as in the metric `accuracy`.
    public let isPassing: Bool
    /// Whether the epochs of a sample are reduced to a pass rate, for which higher is better whatever the score is.
    let countsPasses: Bool
    let source: Source

    /// Title, such as `acc` for `acc,none` of lm-evaluation-harness, or `accuracy of f1` for the share of passing
    /// samples.
    public var title: String { (isPassing ? "accuracy of " : "") + EvalScoreKind.title(of: name) }

    /// Whether the measure has a passing threshold.
    public var hasThreshold: Bool { passesAt.map { $0.magnitude < .greatestFiniteMagnitude } ?? false }

    init(
        _ name: String, higherIsBetter: Bool, passesAt: Double?, isPassing: Bool = false, countsPasses: Bool = false,
        source: Source
    ) {
        self.name = name
        self.higherIsBetter = higherIsBetter
        self.passesAt = passesAt
        self.isPassing = isPassing
        self.countsPasses = countsPasses
        self.source = source
    }

    /// The kind of the score.
    var kind: EvalScoreKind {
        EvalScoreKind(
            name, higherIsBetter: higherIsBetter,
            passesAt: passesAt ?? (higherIsBetter ? -.infinity : .infinity))
    }

    /// The share of samples that pass; `nil` without a passing threshold.
    var passing: EvalMeasure? {
        hasThreshold
            ? EvalMeasure(name, higherIsBetter: higherIsBetter, passesAt: passesAt, isPassing: true, source: source)
            : nil
    }

    /// The measure with A and B exchanged.
    var mirrored: EvalMeasure {
        guard case .score(let a, let b) = source else { return self }
        return EvalMeasure(
            name, higherIsBetter: higherIsBetter, passesAt: passesAt, isPassing: isPassing, countsPasses: countsPasses,
            source: .score(b, a))
    }

    /// Whether a larger difference B - A is better.
    public var moreIsBetter: Bool { isPassing || countsPasses || higherIsBetter }

    /// Returns the direction of a change in one word: `worse`, `slower`, `more`.
    public func word(_ isGain: Bool) -> String {
        switch source {
        case .score: isGain ? "better" : "worse"
        case .seconds: isGain ? "faster" : "slower"
        case .tokens, .cost: isGain ? "less" : "more"
        }
    }

    /// Returns the value of a row of A or of B; `nil` if it has none.
    func value(_ row: EvalRow, isB: Bool) -> Double? {
        let value: Double? =
            switch source {
            case .score(let a, let b): row.scores.indices.contains(isB ? b : a) ? row.scores[isB ? b : a] : nil
            case .seconds: row.seconds
            case .tokens: row.tokens.map(Double.init)
            case .cost: row.cost
            }
        return value.flatMap { $0.isFinite ? $0 : nil }
    }
}

extension EvalJoin {
    /// Scores that both runs have, in A's order, then seconds, tokens, and cost if both runs record them.
    public var measures: [EvalMeasure] {
        var measures: [EvalMeasure] = []
        for (place, kind) in a.scores.enumerated() {
            guard let other = b.scores.firstIndex(where: { $0.name == kind.name }) else { continue }
            guard !measures.contains(where: { $0.name == kind.name }) else { continue }
            measures.append(
                EvalMeasure(
                    kind.name, higherIsBetter: kind.higherIsBetter, passesAt: kind.passesAt,
                    countsPasses: a.reducer.countsPasses, source: .score(place, other)))
        }
        func add(_ name: String, _ source: EvalMeasure.Source) {
            let measure = EvalMeasure(name, higherIsBetter: false, passesAt: nil, source: source)
            guard !measures.contains(where: { $0.name == name }),
                rowsA.contains(where: { measure.value($0, isB: false) != nil }),
                rowsB.contains(where: { measure.value($0, isB: true) != nil })
            else { return }
            measures.append(measure)
        }
        add("seconds", .seconds)
        add("tokens", .tokens)
        add("cost", .cost)
        return measures
    }

    /// Returns the measure with this name; the first score for `nil`, and for `score` if no score has that name.
    ///
    /// If no score is named `accuracy`, that name means the share of samples that pass by the first score.
    public func measure(named name: String? = nil) throws(Problem) -> EvalMeasure {
        let measures = measures
        if let name, let measure = measures.first(where: { $0.name == name || $0.title == name }) { return measure }
        if name == nil || name == "accuracy" || name == "score" {
            guard let first = measures.first(where: { $0.passesAt != nil }) else {
                let others = a.task == b.task ? "" : " The tasks differ: \(a.task) and \(b.task)."
                throw Problem(
                    .missing, "", "\(a.name) and \(b.name) have no score in common",
                    remedy: "A has \(Self.list(a.scores.map(\.name))), B has \(Self.list(b.scores.map(\.name)))."
                        + others)
            }
            guard name == "accuracy" else { return first }
            if let passing = measures.lazy.compactMap(\.passing).first { return passing }
            throw Problem(
                .missing, "", "accuracy is the share of samples that pass, but \(first.title) has no passing score",
                remedy: "Name the score itself: \(first.name).")
        }
        let names = measures.map(\.name)
        let near = NearestName.suggestion(for: name ?? "", among: names)
        throw Problem(
            .invalid, "", "\(name ?? "") is not recorded in both runs",
            remedy: near ?? "Both runs have \(Self.list(names)).")
    }

    private static func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
    }
}
