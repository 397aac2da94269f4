internal import Configuration
public import EvalLogs
public import Statistics
internal import System
internal import Traces

/// Group fairness of a classifier over the groups of a property.
///
/// The predicted class is the label of a scorer, or else the answer itself; the correct class is the target. One class
/// counts as positive. Of a sample with several epochs, the first counts.
public struct EvalFairness: Sendable {
    public let run: EvalRun
    /// Property whose groups are compared.
    public let slice: String
    /// Class whose rates are compared.
    public let positive: String
    /// Rates of the groups, by name.
    public let fairness: Fairness<String>
    /// Number of samples left out: without an answer, a target, or the property.
    public let left: Int

    /// Reads every sample.
    ///
    /// - Throws: `Problem` for a property that the samples do not have, `Problem` for a class that is not
    ///   a target or if no predicted class is a target, and `EvalLogError`.
    public init(
        _ log: any EvalLog, by slice: String, positive: String, isCancelled: @Sendable () -> Bool = { false }
    ) throws {
        let run = log.run
        guard let place = run.slices.firstIndex(of: slice) else {
            throw run.noSlice(slice)
        }
        self.run = run
        self.slice = slice
        self.positive = positive
        var (truth, predicted, groups): ([Bool], [Bool], [String]) = ([], [], [])
        var (targets, answers) = (Set<String>(), Set<String>())
        var seen = Set<String>()
        var left = 0
        for row in try log.allRows(isCancelled) where seen.insert(row.id).inserted {
            if isCancelled() {
                throw EvalLogError(
                    path: run.path ?? run.name, problem: "reading samples was canceled", isCancellation: true)
            }
            let sample = try log.sample(row.index)
            let group = place < row.slices.count ? row.slices[place] : ""
            let label = sample.scores.lazy.compactMap(\.label).first
            let answer = label ?? sample.answer?.trimmed
            guard row.outcome != .error, !group.isEmpty, let answer, let target = sample.targets.first else {
                left += 1
                continue
            }
            targets.insert(target)
            answers.insert(answer)
            truth.append(target == positive)
            predicted.append(answer == positive)
            groups.append(group)
        }
        self.left = left
        guard targets.contains(positive) else {
            let known = targets.sorted()
            throw Problem(
                .missing, "", "no sample of \(run.name) has the class \(positive) as target",
                remedy: NearestName.suggestion(for: positive, among: known)
                    ?? (known.isEmpty
                        ? "Its samples have no targets." : "Targets: \(Self.listed(targets))."))
        }
        guard !answers.isDisjoint(with: targets) else {
            throw Problem(
                .missing, "", "no sample of \(run.name) is answered with a class that is a target",
                remedy: "Answers: \(Self.listed(answers)). Targets: \(Self.listed(targets)).")
        }
        fairness = Fairness(truth: truth, predicted: predicted, groups: groups)
    }

    /// Returns the first twelve classes, sorted.
    private static func listed(_ classes: Set<String>) -> String {
        let short = classes.sorted().filter { $0.count <= 24 && !$0.contains(where: \.isNewline) }.prefix(12)
        return short.joined(separator: ", ") + (classes.count > short.count ? ", …" : "")
    }
}
