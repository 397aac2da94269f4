internal import Statistics

extension JudgeCalibration {
    /// Minimum number of ratings without a warning; half of them measure the agreement.
    public static let enough = 60

    /// Whether too few samples were rated for reliable figures.
    public var isOfFew: Bool { chosenOn + reportedOn < Self.enough }

    /// A summary of the judge in a few lines; the first is the result.
    public var sentences: [String] {
        var result =
            tellsApart
            ? "passing score \(EvalFigure.score(threshold)), chosen on \(chosenOn) samples; on the other \(reportedOn)"
            : "no threshold separates the answers that reviewers pass from those they fail, on \(chosenOn) samples; "
                + "with passing score \(EvalFigure.score(threshold)), on the other \(reportedOn)"
        if let agreement, let agreementInterval {
            result +=
                ": agreement with reviewers \(EvalFigure.percent(agreement)) (95 % "
                + "[\(EvalFigure.percent(agreementInterval.lower)), \(EvalFigure.percent(agreementInterval.upper))])"
        }
        if let kappa {
            let range = kappaInterval.map { " (95 % \(EvalFigure.interval($0) ?? ""))" } ?? ""
            result += ", kappa \(EvalFigure.value(kappa))\(range)"
        }
        var lines = [result]
        if isOfFew {
            lines.append(
                "\(chosenOn + reportedOn) rated samples are too few to choose a threshold. Rate \(Self.enough) or more."
            )
        }
        if unread > 0 { lines.append("\(unread) rated samples have no judge score.") }
        return lines
    }
}
