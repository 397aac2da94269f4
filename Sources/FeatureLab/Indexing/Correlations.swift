/// Which features are active together.
struct Correlations {
    private let sample: TokenSample
    private let featureCount: Int
    // The sample by feature: tokens and values of feature f are `columns[f] ..< columns[f + 1]`.
    private var columns: [Int]
    private var rows: [Int32]
    private var values: [Float]
    private var sums: [Double]
    private var squares: [Double]
    private var dots: [Double]

    init(_ sample: TokenSample, features: Int) {
        self.sample = sample
        featureCount = features
        columns = [Int](repeating: 0, count: features + 1)
        for feature in sample.features { columns[Int(feature) + 1] += 1 }
        for feature in 0..<features { columns[feature + 1] += columns[feature] }
        rows = [Int32](repeating: 0, count: sample.features.count)
        values = [Float](repeating: 0, count: sample.features.count)
        sums = [Double](repeating: 0, count: features)
        squares = sums
        dots = sums
        var next = columns
        for row in 0..<sample.count {
            for entry in sample.starts[row]..<sample.starts[row + 1] {
                let feature = Int(sample.features[entry])
                let value = sample.values[entry]
                rows[next[feature]] = Int32(row)
                values[next[feature]] = value
                next[feature] += 1
                sums[feature] += Double(value)
                squares[feature] += Double(value) * Double(value)
            }
        }
    }

    /// Returns the features whose activations have the highest Pearson correlation with those of a feature, zeros
    /// included, best first. Ties are sorted by number. Only features that are active on a token together with it are
    /// included.
    ///
    /// - Returns: r = (n Σxy − Σx Σy) / √((n Σx² − (Σx)²) (n Σy² − (Σy)²)) over the n tokens of the sample.
    mutating func best(of feature: Int, limit: Int) -> [RelatedNumber] {
        var seen: [Int32] = []
        for entry in columns[feature]..<columns[feature + 1] {
            let (row, value) = (Int(rows[entry]), Double(values[entry]))
            for other in sample.starts[row]..<sample.starts[row + 1] {
                let number = Int(sample.features[other])
                if dots[number] == 0 { seen.append(Int32(number)) }
                dots[number] += value * Double(sample.values[other])
            }
        }
        var best: [RelatedNumber] = []
        for number in seen {
            let other = Int(number)
            defer { dots[other] = 0 }
            let r = correlation(feature, other, dots[other])
            if other != feature, r > 0 { best.append(RelatedNumber(feature: other, value: Float(r))) }
        }
        best.sort { ($1.value, $0.feature) < ($0.value, $1.feature) }
        return Array(best.prefix(limit))
    }

    private func correlation(_ a: Int, _ b: Int, _ dot: Double) -> Double {
        let n = Double(sample.count)
        let spread = (n * squares[a] - sums[a] * sums[a]) * (n * squares[b] - sums[b] * sums[b])
        return spread > 0 ? (n * dot - sums[a] * sums[b]) / spread.squareRoot() : 0
    }
}
