internal import Statistics
internal import Traces

extension EvalJoin {
    /// What makes a comparison of these runs doubtful, most serious first: sentences without a full stop.
    public var warnings: [String] {
        var found: [String] = []
        for (name, run) in [("A", a), ("B", b)] where run.state == .unfinished {
            found.append("the log of \(name) is not whole" + (run.problem.map { ": \($0)" } ?? ""))
        }
        if a.task != b.task {
            found.append("A is of the task \(a.task), B of \(b.task): samples are joined by their names alone")
        } else if a.taskVersion != b.taskVersion, !a.taskVersion.isEmpty, !b.taskVersion.isEmpty {
            found.append("A is of version \(a.taskVersion) of the task, B of \(b.taskVersion)")
        }
        if a.reducer != b.reducer {
            found.append("epochs become one as \(a.reducer.name) in A and as \(b.reducer.name) in B")
        }
        if otherInputs > 0 {
            found.append(
                (isEstimated ? "about " : "") + "\(EvalFigure.grouped(otherInputs)) of "
                    + "\(EvalFigure.count(samples.count, "sample")) ask something else in B")
        }
        if unevenEpochs > 0 {
            found.append("\(EvalFigure.count(unevenEpochs, "sample")) with other epochs in A than in B")
        }
        if repeated > 0 {
            found.append("\(EvalFigure.count(repeated, "row")) left out, whose name and epoch came before")
        }
        return found
    }

    /// Whether most samples have no more than their names in common.
    var isOfOtherSamples: Bool { 2 * otherInputs > samples.count }
}
