internal import Configuration
public import Statistics
public import Traces

/// Whether a classifier treats the groups of a property alike.
///
/// The answered class is what a scorer told (its label), else the answer itself; the right one is the target. One class
/// counts as positive. Of a sample that was asked several times the first asking counts.
public struct EvalFairness: Sendable {
    public let run: EvalRun
    /// The property whose groups are compared.
    public let slice: String
    /// The class whose rates are compared.
    public let positive: String
    /// The rates of the groups, by their name.
    public let fairness: Fairness<String>
    /// Samples without an answer, without a target or without the property: they are in no figure.
    public let left: Int

    /// Reads every sample.
    ///
    /// - Throws: `EvalSliceError` for a property that samples do not have, `EvalDiffError` for a class that is no target,
    ///   and where no class that is answered is one, `EvalLogError`.
    public init(
        _ log: any EvalLog, by slice: String, positive: String, isCancelled: @Sendable () -> Bool = { false }
    ) throws {
        let run = log.run
        guard let place = run.slices.firstIndex(of: slice) else {
            throw EvalSliceError(run: run.name, name: slice, known: run.slices)
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
                    path: run.path ?? run.name, problem: "reading samples was cancelled", isCancellation: true)
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
            throw EvalDiffError(
                problem: "no sample of \(run.name) has the class \(positive) as its target",
                remedy: NearestName.suggestion(for: positive, among: known)
                    ?? (known.isEmpty
                        ? "Its samples have no targets." : "Targets are \(Self.listed(targets))."))
        }
        guard !answers.isDisjoint(with: targets) else {
            throw EvalDiffError(
                problem: "no sample of \(run.name) is answered with a class that is a target",
                remedy: "Answers are \(Self.listed(answers)); targets are \(Self.listed(targets)).")
        }
        fairness = Fairness(truth: truth, predicted: predicted, groups: groups)
    }

    /// The first twelve, in order.
    private static func listed(_ classes: Set<String>) -> String {
        let short = classes.sorted().filter { $0.count <= 24 && !$0.contains(where: \.isNewline) }.prefix(12)
        return short.joined(separator: ", ") + (classes.count > short.count ? ", …" : "")
    }
}
