internal import EvalLogs
internal import Formatting
internal import Statistics

extension EvalDiff {
    /// The comparison in one line: size, interval, p value, detectable difference, and missing values.
    ///
    /// `B is 3.0 points worse in answer (95 % [-4.9, -1.1], p .002, McNemar's test); 1,000 samples can show differences
    /// of 2.7 points or more (80 % power)`. A point is a hundredth of a score between 0 and 1.
    public var sentence: String {
        var parts = [total.map { headline($0) } ?? "No sample has a value for \(measure.title) in both runs"]
        if measure.passesAt != nil, a.reducer == b.reducer, a.reducer != .mean {
            parts.append("epochs are reduced with \(a.reducer.name)")
        }
        if let copiesSentence { parts.append(copiesSentence) }
        if unscoredA + unscoredB > 0 {
            parts.append("without a value: \(unscoredA) in A, \(unscoredB) in B")
        }
        if onlyA + onlyB > 0 { parts.append("only in A: \(onlyA), only in B: \(onlyB)") }
        parts += warnings
        return parts.joined(separator: "; ")
    }

    /// Returns the two means, the number of samples behind them, and the number of samples left out.
    ///
    /// Each run's own mean includes samples that are left out here: `0.702 in A, 0.708 in B, 295 samples in 25 clusters
    /// (5 left out: no value in one run)`.
    ///
    /// - Returns: `nil` if no sample has a value in both runs.
    public func means(_ placeA: String = "in A", _ placeB: String = "in B") -> String? {
        guard let total else { return nil }
        var text = "\(Format.metric(total.meanA)) \(placeA), \(Format.metric(total.meanB)) \(placeB)"
        text += ", \(Format.count(total.samples, "sample"))"
        if let clusters = total.clusters { text += " in \(Format.count(clusters, "cluster"))" }
        let leftOut = pairs.count { !$0.change.isScored }
        if leftOut > 0 { text += " (\(Format.count(leftOut)) left out: no value in one run)" }
        return text
    }

    /// States that both runs are one, or how many answers are the same record in both; `nil` if there are none.
    var copiesSentence: String? {
        if isOfOneRun { return "A and B are the same run" }
        guard copies > 0 else { return nil }
        return
            "\(Format.count(copies)) of \(Format.count(pairs.count, "pair")) have the same answer, taken from "
            + "the cache"
    }

    /// Returns the sentence for a part of the samples, such as a slice.
    public func headline(_ estimate: EvalDiffEstimate) -> String {
        let unit = EvalUnit(measure, estimate)
        let size = unit.size(abs(estimate.difference))
        let (interval, p) = estimate.adjusted.map { ($0.interval, $0.p) } ?? (estimate.interval, estimate.p)
        guard let interval else {
            let why =
                estimate.samples == 1
                ? "there is only one sample"
                : estimate.clusters == 1
                    ? "all samples are in one cluster" : "all samples differ by the same amount"
            let what =
                estimate.difference == 0
                ? "A and B are equal in \(measure.title)"
                : "B \(unit.verb) \(size) \(unit.direction(estimate.difference))"
            return "\(what), but \(why), so chance cannot be assessed"
        }
        var text: String
        if estimate.difference == 0 {
            text = "A and B are equal in \(measure.title) on \(Format.count(estimate.samples, "sample"))"
        } else {
            text = "B \(unit.verb) \(size) \(unit.direction(estimate.difference))"
        }
        text += " (\(Format.share(options.level)) \(unit.interval(interval))"
        if let p { text += ", p \(Format.pValue(p)), \(estimate.test.name)" }
        text += ")"
        if interval.lower <= 0, interval.upper >= 0, estimate.difference != 0 { text += ", which may be chance" }
        guard let smallest = estimate.smallestDetectable else { return text }
        text +=
            "; \(Format.count(estimate.samples, "sample")) can detect differences of \(unit.size(smallest)) or more "
        text += "(\(Format.share(options.power)) power)"
        if interval.contains(0), estimate.difference != 0, let needed = estimate.neededSamples,
            needed > estimate.samples
        {
            text += ", \(size) would need about \(Format.count(needed))"
        }
        return text
    }
}

/// The wording of differences of a measure.
struct EvalUnit {
    let measure: EvalMeasure
    /// Whether differences are shown in points, which are hundredths of a score between 0 and 1.
    let isPoints: Bool

    init(_ measure: EvalMeasure, isPoints: Bool) {
        self.measure = measure
        self.isPoints = isPoints
    }

    init(_ measure: EvalMeasure, _ estimate: EvalDiffEstimate) {
        self.init(measure, isPoints: measure.passesAt != nil && estimate.isShare)
    }

    func number(_ value: Double) -> String { isPoints ? Format.points(value) : Format.metric(value) }

    /// Returns an interval such as `[-4.9, -1.1]`. A bound near 0 keeps enough digits to show its sign.
    func interval(_ interval: Interval) -> String { "[\(bound(interval.lower)), \(bound(interval.upper))]" }

    private func bound(_ value: Double) -> String {
        var text = number(value)
        var decimals = 2
        while isPoints, value != 0, decimals < 8, !text.contains(where: { "123456789".contains($0) }) {
            text = Format.points(value, digits: decimals)
            decimals += 1
        }
        return text
    }

    func size(_ value: Double) -> String {
        if isPoints { return number(value) + " points" }
        switch measure.source {
        case .score: return number(value)
        case .seconds: return number(value) + " s"
        case .tokens: return number(value) + " tokens"
        case .cost: return number(value) + " dollars"
        }
    }

    var verb: String { measure.passesAt == nil ? "takes" : "is" }

    func direction(_ difference: Double) -> String {
        if measure.passesAt == nil { return difference > 0 ? "more" : "less" }
        return ((difference > 0) == measure.moreIsBetter ? "better" : "worse") + " in \(measure.title)"
    }
}
