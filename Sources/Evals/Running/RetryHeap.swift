/// Samples to retry, the earliest on top: a binary heap, O(log n) per change.
struct RetryHeap: Sendable {
    /// A sample that failed.
    struct Retry: Sendable {
        var work: RunSchedule.Work
        /// Due time on the clock of the run.
        var due: Double
        var cause: EvalProgress.Wait.Cause
        var detail: String
        /// Whether the server was unreachable.
        var isUnreachable = false
        /// Number of answers at that time.
        var answers = 0
    }

    private(set) var all: [Retry] = []

    var first: Retry? { all.first }
    var count: Int { all.count }
    var isEmpty: Bool { all.isEmpty }

    mutating func insert(_ retry: Retry) {
        all.append(retry)
        var place = all.count - 1
        while place > 0 {
            let above = (place - 1) / 2
            guard Self.isEarlier(all[place], all[above]) else { return }
            all.swapAt(place, above)
            place = above
        }
    }

    /// Removes the earliest retry.
    mutating func removeFirst() -> Retry? {
        guard let first = all.first else { return nil }
        let last = all.removeLast()
        guard !all.isEmpty else { return first }
        all[0] = last
        var place = 0
        while true {
            let left = 2 * place + 1
            guard left < all.count else { return first }
            let right = left + 1
            let below = right < all.count && Self.isEarlier(all[right], all[left]) ? right : left
            guard Self.isEarlier(all[below], all[place]) else { return first }
            all.swapAt(place, below)
            place = below
        }
    }

    /// Returns whether a retry is earlier; of equal times, the task's order decides.
    private static func isEarlier(_ one: Retry, _ other: Retry) -> Bool {
        one.due < other.due || one.due == other.due && one.work.place < other.work.place
    }
}
