public import Statistics

/// A report on many comparisons of A and B.
public struct PairwiseReport: Hashable, Sendable {
    /// Number of comparisons with readable replies in both orders.
    public var count: Int
    /// Number of other comparisons, which are never averaged in.
    public var unread: Int
    /// Number of comparisons in which both orders prefer A, in which both prefer B, and the others.
    public var winsA: Int
    public var winsB: Int
    public var ties: Int
    /// Share of comparisons whose orders disagree.
    public var flipRate: Double?
    /// Win rate of A in percent, with a tie as half: 100 · mean of preferences, as in AlpacaEval; its standard error is
    /// 100 · s/√n (ddof 1).
    public var winRate: Double?
    public var winRateError: Double?
    /// Share of wins of the answer in first place, with a tie as half, over both orders; 0.5 without a bias. With
    /// Student's interval over comparisons.
    public var firstShare: Double?
    public var firstInterval: Interval?
    /// Share of decided comparisons that the longer answer won; `nil` if none was decided.
    public var longerWins: Double?

    /// Whether the interval of ``firstShare`` excludes one half.
    public var hasPositionBias: Bool { firstInterval.map { !$0.contains(0.5) } ?? false }

    /// - Parameter level: Confidence level of the interval.
    public init(_ comparisons: [PairwiseJudge.Comparison], level: Double = 0.95) {
        let read = comparisons.filter { $0.outcome != nil }
        count = read.count
        unread = comparisons.count - read.count
        winsA = read.count { $0.outcome == .first }
        winsB = read.count { $0.outcome == .second }
        ties = count - winsA - winsB
        guard !read.isEmpty else { return }
        flipRate = Double(read.count { $0.isFlipped == true }) / Double(read.count)
        let preferences = read.compactMap { $0.outcome?.share }
        let preference = MeanEstimate(of: preferences)
        winRate = preference.map { 100 * $0.mean }
        winRateError = preference?.standardError.map { 100 * $0 }
        let places = read.compactMap(\.firstPlace)
        let estimate = MeanEstimate(of: places)
        firstShare = estimate?.mean
        firstInterval = estimate?.interval(of: places, level: level)
        let decided = read.filter { $0.outcome != .tie && $0.lengthA != $0.lengthB }
        if !decided.isEmpty {
            let longer = decided.count { ($0.lengthA > $0.lengthB) == ($0.outcome == .first) }
            longerWins = Double(longer) / Double(decided.count)
        }
    }

    /// The report in one line.
    public var sentence: String {
        var parts = ["A wins \(winsA), B wins \(winsB), \(ties) ties of \(count)"]
        if let flipRate { parts.append("\(EvalFigure.percent(flipRate)) of verdicts change with the order") }
        if let firstShare, let interval = firstInterval {
            let bias = hasPositionBias ? "position bias" : "no position bias detected"
            parts.append(
                "\(bias): the first answer wins \(EvalFigure.percent(firstShare)) (\(EvalFigure.percent(interval.lower)) to "
                    + "\(EvalFigure.percent(interval.upper)))")
        }
        if let longerWins { parts.append("the longer answer wins \(EvalFigure.percent(longerWins)) of decided pairs") }
        if unread > 0 { parts.append("\(unread) without a readable verdict") }
        return parts.joined(separator: "; ")
    }
}
