internal import Console
internal import EvalLogs
internal import Evals

/// The queue of samples that people judge, one at a time.
struct ReviewPage: Sendable {
    var run: Int64?
    private(set) var queue: ReviewQueue?
    private(set) var rows: [EvalRow] = []
    private(set) var agreement: RaterAgreement?
    private(set) var ratings: [Rating] = []
    /// The place in the queue of what is shown.
    private(set) var place: Int?
    var rater: String
    var order = ReviewQueue.Order.disagreements
    /// What was said last, for `u` and for the line that confirms it.
    var last: Rating?

    /// Maximum number of samples in a queue.
    static let mostRows = 20_000

    init(rater: String = ReviewPage.person) { self.rater = rater }

    /// Resets the queue for another run or a restart; only the rater and the order stay.
    mutating func begin(_ run: Int64) {
        let order = order
        self = ReviewPage(rater: rater)
        (self.run, self.order) = (run, order)
    }

    var entry: ReviewQueue.Entry? {
        place.flatMap { queue?.entries.indices.contains($0) == true ? queue?.entries[$0] : nil }
    }
    /// The place of the shown sample in its log.
    var sample: Int? { entry?.index }

    /// - Parameter keeping: The sample that is shown stays.
    mutating func show(_ box: RatingsBox, keeping: Bool) {
        let before = sample
        (ratings, rows, agreement) = (box.ratings, box.rows, box.agreement)
        let queue = ReviewQueue(rows, ratings: ratings, rater: rater, order: order)
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

    /// A rating of what is shown; the queue has it at once, the disk soon.
    func rating(_ verdict: Rating.Verdict, note: String, of run: EvalRun, at time: Int64) -> Rating? {
        guard let entry else { return nil }
        return Rating(
            run: run.ratingKey, sample: entry.id, epoch: entry.epoch, rater: rater, verdict: verdict, note: note,
            time: time)
    }

    /// Whether there is nothing to judge: the sample ended in an error, or its answer is empty.
    var isWithoutAnswer: Bool {
        guard let entry, rows.indices.contains(entry.row) else { return false }
        return rows[entry.row].outcome == .error || rows[entry.row].answer.isEmpty
    }
}
