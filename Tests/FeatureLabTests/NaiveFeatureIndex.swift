import FeatureLab
import Interpretability
import Tokenizers

/// The same index computed the plain way: every activation is at hand, and everything is sorted.
struct NaiveFeatureIndex {
    struct Firing {
        var position: Int
        var sequence: Int
        var value: Float
    }

    let block: FeatureBlock
    let tokens: [TokenID]
    private(set) var firings: [[Firing]]
    private var values: [[Int: Float]]
    private(set) var ranges: [Range<Int>] = []

    init(_ block: FeatureBlock) {
        self.block = block
        tokens = block.sequences.flatMap { $0 }
        firings = Array(repeating: [], count: block.codes.width)
        values = Array(repeating: [:], count: block.codes.width)
        var row = 0
        for (sequence, text) in block.sequences.enumerated() {
            ranges.append(row..<row + text.count)
            for position in row..<row + text.count {
                for (feature, value) in block.codes[position] {
                    values[Int(feature)][position] = value
                    firings[Int(feature)].append(Firing(position: position, sequence: sequence, value: value))
                }
            }
            row += text.count
        }
    }

    func maximum(_ feature: Int) -> Float { firings[feature].map(\.value).max() ?? 0 }

    func value(_ feature: Int, _ position: Int) -> Float {
        values[feature][position] ?? 0
    }

    func example(_ feature: Int, _ firing: Firing) -> FeatureExample {
        let range =
            max(
                ranges[firing.sequence].lowerBound, firing.position - 15)..<min(
                ranges[firing.sequence].upperBound, firing.position + 16)
        return FeatureExample(
            position: firing.position, tokens: Array(tokens[range]), texts: [],
            values: range.map { value(feature, $0) }, peak: firing.position - range.lowerBound)
    }

    func top(_ feature: Int) -> [FeatureExample] {
        var best: [Int: Firing] = [:]
        for firing in firings[feature] where firing.value > best[firing.sequence]?.value ?? 0 {
            best[firing.sequence] = firing
        }
        return best.values.sorted { ($1.value, $0.position) < ($0.value, $1.position) }.prefix(20)
            .map { example(feature, $0) }
    }

    func pearson(_ a: Int, _ b: Int) -> Double {
        let x = tokens.indices.map { Double(value(a, $0)) }
        let y = tokens.indices.map { Double(value(b, $0)) }
        let (meanX, meanY) = (x.reduce(0, +) / Double(x.count), y.reduce(0, +) / Double(y.count))
        var (xy, xx, yy) = (0.0, 0.0, 0.0)
        for (x, y) in zip(x, y) {
            xy += (x - meanX) * (y - meanY)
            xx += (x - meanX) * (x - meanX)
            yy += (y - meanY) * (y - meanY)
        }
        return xy / (xx * yy).squareRoot()
    }
}
