extension Agreement {
    /// Levels of measurement.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// Names, which are either equal or different.
        case nominal
        /// Ranks, whose distance depends on the number of ratings between them.
        case ordinal
        /// Measurements, whose distance is the squared difference.
        case interval
    }

    /// Returns Krippendorff's alpha for any number of raters: 1 - observed / expected disagreement.
    ///
    /// - Parameter ratings: Ratings as [rater][item]; `nil` if missing. Items with fewer than two ratings are ignored.
    /// - Returns: `nil` if no item has two ratings, or if all ratings are equal.
    /// - Source: Krippendorff, Content Analysis (2004), chapter 11.
    public static func krippendorffAlpha(_ ratings: [[Double?]], level: Level = .nominal) -> Double? {
        let items = ratings.map(\.count).max() ?? 0
        let units = (0..<items).map { item in
            ratings.compactMap { rater -> Double? in
                guard item < rater.count, let value = rater[item], !value.isNaN else { return nil }
                return value == 0 ? 0 : value
            }
        }.filter { $0.count > 1 }
        let values = Set(units.joined()).sorted()
        guard !values.isEmpty else { return nil }
        let places = Dictionary(uniqueKeysWithValues: values.enumerated().map { ($0.element, $0.offset) })
        var coincidences = [[Double]](repeating: [Double](repeating: 0, count: values.count), count: values.count)
        for unit in units {
            var counts: [Int: Double] = [:]
            for value in unit { counts[places[value] ?? 0, default: 0] += 1 }
            let share = 1 / Double(unit.count - 1)
            for (first, n) in counts {
                for (second, m) in counts {
                    coincidences[first][second] += (first == second ? n * (n - 1) : n * m) * share
                }
            }
        }
        let totals = coincidences.map { $0.reduce(0, +) }
        let all = totals.reduce(0, +)
        var (observed, expected) = (0.0, 0.0)
        for first in values.indices {
            var between = 0.0
            for second in values.indices where second > first {
                let distance: Double
                switch level {
                case .nominal: distance = 1
                case .interval: distance = (values[first] - values[second]) * (values[first] - values[second])
                case .ordinal:
                    let steps = between + (totals[first] + totals[second]) / 2
                    distance = steps * steps
                    between += totals[second]
                }
                observed += distance * coincidences[first][second]
                expected += distance * totals[first] * totals[second]
            }
        }
        return expected > 0 ? 1 - (all - 1) * observed / expected : nil
    }
}
