internal import Glibc
internal import Statistics

/// Aggregations of lm-evaluation-harness, and their standard errors.
enum Aggregate {
    /// Returns the aggregate of many items: `[value]`, `[sum, weight]`, `[right, answered]`, or `[right,
    /// probability...]`.
    ///
    /// - Returns: `nil` for an unknown aggregate, or if the value is undefined.
    static func value(_ word: String, _ items: [[Double]]) -> Double? {
        let count = Double(items.count)
        switch word {
        case "mean": return items.reduce(0) { $0 + $1[0] } / count
        case "nanmean":
            let there = items.map { $0[0] }.filter { !$0.isNaN }
            return there.isEmpty ? nil : there.reduce(0, +) / Double(there.count)
        case "median": return items.map { $0[0] }.sorted()[items.count / 2]
        case "perplexity": return exp(-(items.reduce(0) { $0 + $1[0] } / count))
        case "weighted_perplexity": return exp(-weighted(items))
        case "bits_per_byte": return -weighted(items) / log(2)
        case "brier_score":
            return items.reduce(0) { sum, item in
                let right = Int(item[0])
                return sum
                    + item.dropFirst().enumerated().reduce(0) { sum, entry in
                        let difference = entry.element - (entry.offset == right ? 1 : 0)
                        return sum + difference * difference
                    }
            } / count
        case "f1": return table(items).map(f1)
        case "matthews_corrcoef": return table(items).map(matthews)
        default: return nil
        }
    }

    private static func weighted(_ items: [[Double]]) -> Double {
        items.reduce(0) { $0 + $1[0] } / items.reduce(0) { $0 + $1[1] }
    }

    /// Returns F1 of class 1; 0 if class 1 is never correct nor predicted.
    static func f1(_ table: ConfusionMatrix<Double>) -> Double { table.fScore(of: 1) ?? 0 }

    /// Returns the Matthews correlation of any number of classes; 0 if undefined.
    static func matthews(_ table: ConfusionMatrix<Double>) -> Double { table.matthews ?? 0 }

    /// Maximum number of classes; the table grows with its square.
    static let mostClasses = 1000

    /// Returns the confusion matrix; `nil` for too many classes.
    private static func table(_ items: [[Double]]) -> ConfusionMatrix<Double>? {
        guard Set(items.flatMap { $0.prefix(2) }).count <= mostClasses else { return nil }
        return ConfusionMatrix(truth: items.map { $0[0] }, predicted: items.map { $0[1] })
    }

    /// Returns s/√n with the sum of squares over n − 1.
    static func meanError(_ values: [Double]) -> Double { deviation(values) / sqrt(Double(values.count)) }

    static func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return sqrt(values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count - 1))
    }
}
