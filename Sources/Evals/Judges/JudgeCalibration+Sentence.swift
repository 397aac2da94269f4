internal import Formatting
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
            ? "passing score \(Format.score(threshold)), chosen on \(chosenOn) samples; on the other \(reportedOn)"
            : "no threshold separates the answers that reviewers pass from those they fail, on \(chosenOn) samples; "
                + "with passing score \(Format.score(threshold)), on the other \(reportedOn)"
        if let agreement, let agreementInterval {
            result +=
                ": agreement with reviewers \(Format.share(agreement)) (95 % "
                + "[\(Format.share(agreementInterval.lower)), \(Format.share(agreementInterval.upper))])"
        }
        if let kappa {
            let range = kappaInterval.map { " (95 % \(Format.interval($0.lower, $0.upper) ?? ""))" } ?? ""
            result += ", kappa \(Format.metric(kappa))\(range)"
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
