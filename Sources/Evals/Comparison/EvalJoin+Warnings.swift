internal import EvalLogs
internal import Formatting
internal import Statistics

extension EvalJoin {
    /// Warnings about a comparison of these runs, most serious first, as sentences without a full stop.
    public var warnings: [String] {
        var found: [String] = []
        for (name, run) in [("A", a), ("B", b)] where run.state == .unfinished {
            found.append("the log of \(name) is incomplete" + (run.problem.map { ": \($0)" } ?? ""))
        }
        if a.task != b.task {
            found.append("A ran task \(a.task), B ran task \(b.task): samples are matched by name only")
        } else if a.taskVersion != b.taskVersion, !a.taskVersion.isEmpty, !b.taskVersion.isEmpty {
            found.append("A used version \(a.taskVersion) of the task, B used version \(b.taskVersion)")
        }
        if a.reducer != b.reducer {
            found.append("epochs are reduced with \(a.reducer.name) in A and with \(b.reducer.name) in B")
        }
        if otherInputs > 0 {
            found.append(
                (isEstimated ? "about " : "") + "\(Format.count(otherInputs)) of "
                    + "\(Format.count(samples.count, "sample")) have different input in B")
        }
        if unevenEpochs > 0 {
            found.append("\(Format.count(unevenEpochs, "sample")) with different epochs in A and B")
        }
        if repeated > 0 {
            found.append("\(Format.count(repeated, "row")) left out as duplicates (same name and epoch)")
        }
        return found
    }

    /// Whether most samples have only their names in common.
    var isOfOtherSamples: Bool { 2 * otherInputs > samples.count }
}
