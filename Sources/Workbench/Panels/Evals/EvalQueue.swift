internal import Console
internal import EvalLogs
internal import Evals

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
