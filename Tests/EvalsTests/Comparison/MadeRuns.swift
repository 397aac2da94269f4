import EvalLogs
import Evals
import Statistics

/// Runs and rows made up for tests.
enum MadeRuns {
    static func run(_ name: String, scores: [EvalScoreKind] = [EvalScoreKind("exact")], slices: [String] = [])
        -> EvalRun
    {
        EvalRun(
            key: name, name: name, task: "sums", model: "none", format: "orrery", state: .done, scores: scores,
            slices: slices)
    }

    static func row(
        _ index: Int, _ id: String, epoch: Int = 1, _ values: [Double], cluster: String? = nil, slices: [String] = [],
        outcome: EvalRow.Outcome? = nil, seconds: Double? = nil
    ) -> EvalRow {
        let isPassed = values.first == 1
        return EvalRow(
            index: index, id: id, epoch: epoch, outcome: outcome ?? (isPassed ? .passed : .failed), scores: values,
            input: "question \(id)", cluster: cluster, slices: slices, seconds: seconds)
    }

    static func rows(_ values: [Double], clusters: [String?]? = nil) -> [EvalRow] {
        values.enumerated().map { row($0.offset, "s\($0.offset)", [$0.element], cluster: clusters?[$0.offset]) }
    }

    static func join(_ a: [Double], _ b: [Double], clusters: [String?]? = nil) -> EvalJoin {
        EvalJoin(run("A"), rows(a, clusters: clusters), run("B"), rows(b, clusters: clusters))
    }

    /// Returns runs with these numbers of broken and fixed samples of `count`; a tenth of the rest fails in both.
    static func turned(_ count: Int, broken: Int, fixed: Int) -> EvalJoin {
        let rest = count - broken - fixed
        let a = [Double](repeating: 1, count: broken) + [Double](repeating: 0, count: fixed)
        let b = [Double](repeating: 0, count: broken) + [Double](repeating: 1, count: fixed)
        let same = (0..<rest).map { $0 % 10 == 0 ? 0.0 : 1.0 }
        return join(a + same, b + same)
    }
}
