internal import Glibc
internal import Statistics

extension Aggregate {
    /// Returns the standard deviation of an aggregate over resamples with replacement.
    ///
    /// A resample is a set of item counts, so no item is copied: sums for means, cell counts for F1 and Matthews
    /// correlation, rank counts for the median. O(resamples · items).
    /// - Parameter isCancelled: Called once per chunk of a thousand resamples, and more often if there are many items.
    /// - Returns: `nil` for an unknown aggregate, if the value is undefined, or on cancellation.
    static func bootstrapError(
        _ word: String, _ items: [[Double]], resamples: Int, isCancelled: () -> Bool = { false }
    ) -> Double? {
        guard let resample = Resample(word, items), resamples > 0 else { return nil }
        let chunk = min(1000, resamples)
        let between = max(1, 2_000_000 / max(items.count, 1))
        var figures: [Double] = []
        figures.reserveCapacity(resamples)
        var scratch = resample.scratch
        for index in 0..<(resamples / chunk) {
            var random = PythonRandom(seed: UInt64(index))
            for step in 0..<chunk {
                if step.isMultiple(of: between), isCancelled() { return nil }
                guard let figure = resample.figure(&random, &scratch) else { return nil }
                figures.append(figure)
            }
        }
        return figures.count > 1 ? deviation(figures) : nil
    }

    /// A resampled aggregate, from the minimum of facts about each item.
    private enum Resample {
        case mean([Double], isPerplexity: Bool)
        /// Rank of each item, and value of each rank.
        case median(ranks: [Int], values: [Double])
        /// Cell of each item in a table of `labels.count` labels per side.
        case table(cells: [Int], labels: [Double], isF1: Bool)
        /// Mean of the values that are numbers.
        case numbers([Double])

        init?(_ word: String, _ items: [[Double]]) {
            let plain = items.map { $0[0] }
            switch word {
            case "mean", "perplexity": self = .mean(plain, isPerplexity: word == "perplexity")
            case "nanmean": self = .numbers(plain)
            case "median":
                let order = plain.indices.sorted { plain[$0] < plain[$1] }
                var ranks = [Int](repeating: 0, count: plain.count)
                for (rank, place) in order.enumerated() { ranks[place] = rank }
                self = .median(ranks: ranks, values: order.map { plain[$0] })
            case "f1", "matthews_corrcoef":
                let labels = Set(items.flatMap { [$0[0], $0[1]] }).sorted()
                guard labels.count <= Aggregate.mostClasses else { return nil }
                let places = Dictionary(
                    labels.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
                let cells = items.map { (places[$0[0]] ?? 0) * labels.count + (places[$0[1]] ?? 0) }
                self = .table(cells: cells, labels: labels, isF1: word == "f1")
            default: return nil
            }
        }

        /// Buffer for counting.
        var scratch: [Int] {
            switch self {
            case .mean, .numbers: []
            case .median(let ranks, _): [Int](repeating: 0, count: ranks.count)
            case .table(_, let labels, _): [Int](repeating: 0, count: labels.count * labels.count)
            }
        }

        func figure(_ random: inout PythonRandom, _ counts: inout [Int]) -> Double? {
            for place in counts.indices { counts[place] = 0 }
            switch self {
            case .mean(let values, let isPerplexity):
                let count = Double(values.count)
                var sum = 0.0
                for _ in values.indices { sum += values[Int(random.unit() * count)] }
                return isPerplexity ? exp(-(sum / count)) : sum / count
            case .numbers(let values):
                let count = Double(values.count)
                var (sum, there) = (0.0, 0)
                for _ in values.indices {
                    let value = values[Int(random.unit() * count)]
                    if !value.isNaN {
                        sum += value
                        there += 1
                    }
                }
                return there > 0 ? sum / Double(there) : nil
            case .median(let ranks, let values):
                let count = Double(ranks.count)
                for _ in ranks.indices { counts[ranks[Int(random.unit() * count)]] += 1 }
                var left = ranks.count / 2
                for (rank, met) in counts.enumerated() {
                    if left < met { return values[rank] }
                    left -= met
                }
                return nil
            case .table(let cells, let labels, let isF1):
                let count = Double(cells.count)
                for _ in cells.indices { counts[cells[Int(random.unit() * count)]] += 1 }
                let table = ConfusionMatrix(
                    labels: labels,
                    counts: labels.indices.map { Array(counts[$0 * labels.count..<($0 + 1) * labels.count]) })
                return isF1 ? Aggregate.f1(table) : Aggregate.matthews(table)
            }
        }
    }
}
