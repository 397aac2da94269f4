internal import Glibc

/// A reliability diagram: accuracy by confidence, in bins.
///
/// Source: Naeini, Cooper, Hauskrecht, AAAI 2015; Guo et al., ICML 2017; bins of equal mass: Nixon et al., CVPR
/// workshops 2019.
public struct Reliability: Hashable, Sendable {
    /// Methods of dividing samples into bins.
    public enum Division: String, Hashable, Sendable, CaseIterable {
        /// Bins of equal width, (i/M, (i+1)/M]; a confidence of 0 is in the first bin.
        case width
        /// Bins of equal size by ascending confidence. Ties keep their input order; the first bins get the remainder.
        case mass
    }

    /// A bin of samples with similar confidence.
    public struct Bin: Hashable, Sendable {
        /// Lower edge (equal width) or smallest confidence (equal mass).
        public var lower: Double
        /// Upper edge (equal width) or largest confidence (equal mass).
        public var upper: Double
        /// Number of samples.
        public var count: Int
        /// Mean confidence; 0 if the bin is empty.
        public var confidence: Double
        /// Share of correct samples; 0 if the bin is empty.
        public var accuracy: Double
    }

    /// Bins in ascending order of confidence. Equal-width bins may be empty.
    public let bins: [Bin]
    /// Method that divided the samples.
    public let division: Division
    /// Number of samples in all bins.
    public let count: Int

    /// Creates a diagram from the confidence and the correctness of each sample.
    ///
    /// - Parameters:
    ///   - confidences: In [0, 1]; samples with other values are ignored.
    ///   - bins: Number of bins, 1 to 10,000.
    public init(confidences: [Double], hits: [Bool], bins binCount: Int = 15, division: Division = .width) {
        let number = min(max(binCount, 1), 10_000)
        let samples = zip(confidences, hits).filter { $0.0 >= 0 && $0.0 <= 1 }
        self.division = division
        count = samples.count
        var groups = [[(Double, Bool)]](repeating: [], count: number)
        switch division {
        case .width:
            for sample in samples {
                let place = Int((sample.0 * Double(number)).rounded(.up)) - 1
                groups[min(max(place, 0), number - 1)].append(sample)
            }
        case .mass:
            let order = samples.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
            var next = 0
            for place in 0..<number {
                let size = samples.count / number + (place < samples.count % number ? 1 : 0)
                groups[place] = order[next..<next + size].map(\.element)
                next += size
            }
            groups.removeAll(where: \.isEmpty)
        }
        bins = groups.enumerated().map { place, group in
            let size = Double(max(group.count, 1))
            let isWidth = division == .width
            return Bin(
                lower: isWidth ? Double(place) / Double(number) : group.first?.0 ?? 0,
                upper: isWidth ? Double(place + 1) / Double(number) : group.last?.0 ?? 0, count: group.count,
                confidence: group.reduce(0) { $0 + $1.0 } / size, accuracy: Double(group.count { $0.1 }) / size)
        }
    }

    /// Expected calibration error (ECE): sum |B|/n |confidence - accuracy|; `nil` if there are no samples.
    public var expectedError: Double? {
        guard count > 0 else { return nil }
        return bins.reduce(0) { $0 + Double($1.count) / Double(count) * abs($1.confidence - $1.accuracy) }
    }

    /// Maximum calibration error (MCE): the largest |confidence - accuracy| of a bin; `nil` if there are no samples.
    public var maximumError: Double? {
        bins.filter { $0.count > 0 }.map { abs($0.confidence - $0.accuracy) }.max()
    }
}
