public import JSON

/// A rate from many short samples: operations, bytes or cycles a second.
public struct MeasuredRate: Hashable, Sendable {
    public var median: Double
    public var best: Double
    /// The 10th and 90th percentile.
    public var low: Double
    public var high: Double
    public var samples: Int

    public init(median: Double, best: Double, low: Double, high: Double, samples: Int) {
        self.median = median
        self.best = best
        self.low = low
        self.high = high
        self.samples = samples
    }

    /// The distance from the 10th to the 90th percentile as a part of the median.
    public var spread: Double { median > 0 ? (high - low) / median : 0 }

    /// Creates the rates of samples that each did `work` in the given seconds; `nil` without samples.
    package init?(work: Double, seconds: [Double]) {
        let rates = seconds.filter { $0 > 0 }.map { work / $0 }.sorted()
        guard let best = rates.last else { return nil }
        self.init(
            median: quantile(0.5, ofSorted: rates), best: best, low: quantile(0.1, ofSorted: rates),
            high: quantile(0.9, ofSorted: rates), samples: rates.count)
    }
}

/// The value below which a part of sorted values lies, between neighbors by proportion; NaN without values.
package func quantile(_ part: Double, ofSorted values: [Double]) -> Double {
    guard let last = values.indices.last else { return .nan }
    let place = part * Double(last)
    let index = min(last, max(0, Int(place)))
    guard index < last else { return values[last] }
    return values[index] + (place - Double(index)) * (values[index + 1] - values[index])
}

/// The median; NaN without values.
package func median(_ values: [Double]) -> Double { quantile(0.5, ofSorted: values.sorted()) }

extension MeasuredRate: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in writeMembers(to: &json) }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.member("median", median)
        json.member("best", best)
        json.member("p10", low)
        json.member("p90", high)
        json.member("samples", samples)
    }

    init?(_ node: JSONNode) {
        guard let median = node["median"]?.double, let best = node["best"]?.double, let low = node["p10"]?.double,
            let high = node["p90"]?.double, let samples = node["samples"]?.count(in: 0...1 << 40)
        else { return nil }
        self.init(median: median, best: best, low: low, high: high, samples: samples)
    }
}
