internal import Statistics

extension JudgeCalibration {
    /// Ratings below which a sentence says that they are too few: half of them is what the agreement is told of.
    public static let enough = 60

    /// Whether so few samples were rated that the figures say little.
    public var isOfFew: Bool { chosenOn + reportedOn < Self.enough }

    /// What is to be known of the judge, in a few lines; the first is the result.
    public var sentences: [String] {
        var result =
            tellsApart
            ? "pass from \(EvalFigure.score(threshold)) on, chosen on \(chosenOn) samples; on the other \(reportedOn)"
            : "no threshold tells what people let pass from what they do not, on \(chosenOn) samples; where all from "
                + "\(EvalFigure.score(threshold)) on pass, on the other \(reportedOn)"
        if let agreement, let agreementInterval {
            result +=
                ": the same as people \(EvalFigure.percent(agreement)) (95 % "
                + "[\(EvalFigure.percent(agreementInterval.lower)), \(EvalFigure.percent(agreementInterval.upper))])"
        }
        if let kappa {
            let range = kappaInterval.map { " (95 % \(EvalFigure.interval($0) ?? ""))" } ?? ""
            result += ", kappa \(EvalFigure.value(kappa))\(range)"
        }
        var lines = [result]
        if isOfFew {
            lines.append(
                "\(chosenOn + reportedOn) rated samples are too few to choose a threshold by: rate \(Self.enough) or more."
            )
        }
        if unread > 0 { lines.append("\(unread) rated samples have no score of the judge.") }
        return lines
    }
}
