internal import Glibc

/// How often answers are right that claim to be so sure.
///
/// Source: Naeini, Cooper, Hauskrecht, AAAI 2015; Guo et al., ICML 2017; bins of equal mass: Nixon et al., CVPR
/// workshops 2019.
public struct Reliability: Hashable, Sendable {
    /// How samples are divided.
    public enum Division: String, Hashable, Sendable, CaseIterable {
        /// Bins (i/M, (i+1)/M]; a confidence of 0 goes into the first.
        case width
        /// As many samples in each, in order of confidence, ties as they come; the first bins take what is left over.
        case mass
    }

    /// Samples that are about as sure; bins without samples are there as well where width divides.
    public struct Bin: Hashable, Sendable {
        /// Where it begins and ends: its edges by width, the least and largest confidence by mass.
        public var lower: Double
        /// Where the bin ends.
        public var upper: Double
        /// Answers in it.
        public var count: Int
        /// Means of the bin; 0 where it is empty.
        public var confidence: Double
        /// The share of them that are right.
        public var accuracy: Double
    }

    /// In the order of confidence, empty ones too.
    public let bins: [Bin]
    /// How the bins were made.
    public let division: Division
    /// All answers.
    public let count: Int

    /// - Parameter confidences: in [0, 1]; samples with others are left out.
    public init(confidences: [Double], hits: [Bool], bins wanted: Int = 15, division: Division = .width) {
        let number = min(max(wanted, 1), 10_000)
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

    /// ECE: sum |B|/n |confidence - accuracy|; nil for no samples.
    public var expectedError: Double? {
        guard count > 0 else { return nil }
        return bins.reduce(0) { $0 + Double($1.count) / Double(count) * abs($1.confidence - $1.accuracy) }
    }

    /// MCE: the largest |confidence - accuracy| of a bin; nil for no samples.
    public var maximumError: Double? {
        bins.filter { $0.count > 0 }.map { abs($0.confidence - $0.accuracy) }.max()
    }
}
