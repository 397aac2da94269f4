internal import Console
internal import EvalLogs
internal import Evals
internal import Glibc

/// The queue of samples to judge, one at a time.
struct EvalQueue: Sendable {
    var run: Int64?
    private(set) var queue: ReviewQueue?
    private(set) var rows: [EvalRow] = []
    private(set) var agreement: RaterAgreement?
    /// Index of the shown sample in the queue.
    private(set) var place: Int?
    var rater: String
    var order = ReviewQueue.Order.disagreements
    /// The last rating, for the line that confirms it.
    var last: Rating?

    /// Maximum number of samples in a queue.
    static let mostRows = 20_000

    init(rater: String = EvalQueue.person) { self.rater = rater }

    /// Resets the queue for another run or a restart; only the rater and the order stay.
    mutating func begin(_ run: Int64) {
        let order = order
        self = EvalQueue(rater: rater)
        (self.run, self.order) = (run, order)
    }

    var entry: ReviewQueue.Entry? {
        place.flatMap { queue?.entries.indices.contains($0) == true ? queue?.entries[$0] : nil }
    }
    /// Index of the shown sample in its log.
    var sample: Int? { entry?.index }

    /// - Parameter keeping: Whether the shown sample stays.
    mutating func show(_ rated: RatedRows, keeping: Bool) {
        let before = sample
        (rows, agreement) = (rated.rows, rated.agreement)
        let queue = ReviewQueue(rows, ratings: rated.ratings, rater: rater, order: order)
        self.queue = queue
        if keeping, let before, let same = queue.entries.firstIndex(where: { $0.index == before }) {
            place = same
        } else {
            place = queue.next(after: nil) ?? (queue.entries.isEmpty ? nil : 0)
        }
    }

    mutating func move(by step: Int) {
        guard let queue, !queue.entries.isEmpty else { return }
        place = max(0, min(queue.entries.count - 1, (place ?? 0) + step))
    }

    mutating func go(to sample: Int) {
        if let found = queue?.entries.firstIndex(where: { $0.index == sample }) { place = found }
    }

    /// Whether the sample ended in an error or has an empty answer.
    var isWithoutAnswer: Bool {
        guard let entry, rows.indices.contains(entry.row) else { return false }
        return rows[entry.row].outcome == .error || rows[entry.row].answer.isEmpty
    }
}

extension EvalQueue {
    /// Default rater: the login name of the user, even if no environment variable contains it.
    static var person: String {
        for name in ["ORRERY_RATER", "USER", "LOGNAME"] {
            if let value = getenv(name), value.pointee != 0 { return String(cString: value) }
        }
        guard let entry = getpwuid(getuid()), let name = entry.pointee.pw_name, name.pointee != 0 else { return "me" }
        return String(cString: name)
    }
}

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
