internal import JSON

/// State of a run without its weights; with both, it resumes bit for bit.
struct TrainingState: Equatable {
    /// Steps made.
    var step = 0
    /// Multiplies the schedule's rate.
    var rateFactor = 1.0
    /// The lowest validation loss so far.
    var best = Double.infinity
    /// Losses of the last steps, oldest first, and how many in a row were too large.
    var watch = DivergenceWatch()
    /// How often the run went back to an earlier state.
    var returns = 0
}

/// The losses of the last steps, and whether the newest one is out of all proportion to them.
package struct DivergenceWatch: Equatable {
    /// Losses that the median is taken of.
    static let window = 200
    /// Fewer than these say nothing yet.
    static let fewest = 20

    private(set) var recent: [Double] = []
    private(set) var streak = 0
    /// `recent` in ascending order, kept up step by step.
    private var ascending: [Double]

    package init(recent: [Double] = [], streak: Int = 0) {
        self.recent = Array(recent.suffix(Self.window))
        self.streak = streak
        ascending = self.recent.sorted()
    }

    /// The median of the last losses; nil while there are few.
    var median: Double? { recent.count >= Self.fewest ? middle : nil }

    private var middle: Double { (ascending[(ascending.count - 1) / 2] + ascending[ascending.count / 2]) / 2 }

    /// Whether the newest loss is still in proportion to those before, however few: what comes after is worth keeping.
    package func isSound(factor: Double) -> Bool {
        guard let last = recent.last, streak == 0 else { return streak == 0 }
        return factor <= 0 || last <= factor * middle
    }

    /// Takes up a loss. One that is too large is counted, but does not move the median.
    ///
    /// - Returns: whether `patience` in a row were above `factor` medians. A factor of 0 bounds nothing.
    package mutating func isDiverged(_ loss: Double, factor: Double, patience: Int) -> Bool {
        if factor > 0, let median, loss > factor * median {
            streak += 1
            return streak >= patience
        }
        streak = 0
        recent.append(loss)
        ascending.insert(loss, at: place(of: loss))
        if recent.count > Self.window { ascending.remove(at: place(of: recent.removeFirst())) }
        return false
    }

    /// The first place that holds no less than a loss. O(log n).
    private func place(of loss: Double) -> Int {
        var (low, high) = (0, ascending.count)
        while low < high {
            let middle = (low + high) / 2
            if ascending[middle] < loss { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
