extension EvalMetric {
    /// What people call the figure: the score's name for its mean (`answer`), the harness's own word for a metric of the
    /// harness (`acc_norm`, `exact_match,strict`), otherwise the metric's name (`f1_macro`).
    ///
    /// - Parameter isAlone: Whether the run has a single score, so that it need not be named.
    public func title(isAlone: Bool) -> String {
        // The harness names values by metric and filter; the metric's own name is how they become one.
        if score.isEmpty || name == score { return EvalScoreKind.title(of: name) }
        if name == "mean" || score.contains(",") { return EvalScoreKind.title(of: score) }
        return isAlone ? name : "\(score) \(name)"
    }

    /// The same among the metrics of its run.
    public func title(among metrics: [EvalMetric]) -> String {
        title(isAlone: metrics.allSatisfy { $0.score == score })
    }
}

extension EvalScoreKind {
    /// What people call the score.
    public var title: String { Self.title(of: name) }

    /// A score's name without the filter `none`, by which the harness says that there is none: `acc,none` is `acc`.
    public static func title(of name: String) -> String {
        name.hasSuffix(",none") && name.utf8.count > 5 ? String(name.dropLast(5)) : name
    }
}
