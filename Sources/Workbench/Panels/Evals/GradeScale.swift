internal import Evals

/// A grade of the review queue, with its word and the key that gives it.
///
/// - Source: ITU-T P.800, the absolute category rating: 5 excellent, 4 good, 3 fair, 2 poor, 1 bad.
struct GradeScale: Sendable {
    let number: Int
    let word: String
    /// The word's first letter, which no other word begins with.
    var key: Character { word.first ?? "?" }

    /// All grades, the best first.
    static let all =
        zip(Rating.Verdict.grades, ["bad", "poor", "fair", "good", "excellent"])
        .map { GradeScale(number: $0, word: $1) }.reversed() as [GradeScale]

    /// Returns a verdict in words: `pass`, `good (4 of 5)`.
    static func words(_ verdict: Rating.Verdict) -> String {
        guard case .grade(let number) = verdict, let grade = all.first(where: { $0.number == number }) else {
            return verdict.name
        }
        return "\(grade.word) (\(number) of \(all.count))"
    }
}
