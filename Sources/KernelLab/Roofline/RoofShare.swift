public import JSON

/// The part of a ceiling that was reached: the median of samples, how far they spread, and which ceiling it is.
///
/// Every share of a roof that a panel or a command shows is one of these, and `init(ratios:of:threads:)` computes each of
/// them. The kernel and the ceiling ran on the same number of threads; where the ceiling of that number was not measured
/// there is no share.
///
/// ```swift
/// let ceiling = ceilings.ceiling(threads: 1, arithmetic: .float32)
/// let share = RoofShare(rate: 29e9, of: ceiling, threads: 1)   // nil: the ceiling of one thread was not measured
/// ```
public struct RoofShare: Hashable, Sendable {
    public var ceiling: Ceiling
    /// The median ratio: 0.8 is 80 % of the ceiling.
    public var median: Double
    /// The 10th and 90th percentile of the ratios.
    public var low: Double
    public var high: Double
    public var samples: Int

    /// A ceiling by its name, with the threads that its loop ran on.
    public struct Ceiling: Hashable, Sendable {
        /// `FMA f32 AVX-512`, `L2 read`: the arithmetic with its instruction set, or the memory level.
        public var name: String
        public var threads: Int
        /// Operations or bytes a second; nil where it was not recorded.
        public var rate: Double?

        public init(name: String, threads: Int, rate: Double? = nil) {
            self.name = name
            self.threads = threads
            self.rate = rate
        }
    }

    /// The share of samples, each divided by the ceiling of its own moment.
    ///
    /// - Parameter threads: threads of what was measured.
    /// - Returns: nil without a finite ratio, and where the ceiling is one of another number of threads.
    public init?(ratios: [Double], of ceiling: Ceiling, threads: Int) {
        let sorted = ratios.filter(\.isFinite).sorted()
        guard threads == ceiling.threads, !sorted.isEmpty else { return nil }
        self.ceiling = ceiling
        median = quantile(0.5, ofSorted: sorted)
        low = quantile(0.1, ofSorted: sorted)
        high = quantile(0.9, ofSorted: sorted)
        samples = sorted.count
    }

    /// The share of rates under a ceiling that was measured on its own.
    ///
    /// - Returns: nil where that ceiling was not measured with this number of threads.
    public init?(rates: [Double], of ceiling: Ceiling?, threads: Int) {
        guard let ceiling, let roof = ceiling.rate, roof > 0 else { return nil }
        self.init(ratios: rates.map { $0 / roof }, of: ceiling, threads: threads)
    }

    /// As `init(rates:of:threads:)`, for one rate.
    public init?(rate: Double, of ceiling: Ceiling?, threads: Int) {
        self.init(rates: [rate], of: ceiling, threads: threads)
    }

    /// Whether samples spread so far that the median alone says little: more than a fifth of it, and two points.
    public var isNoisy: Bool { high - low > max(0.2 * abs(median), 0.02) }

    /// Whether it is more than the ceiling, which no kernel can reach: the ceiling is of another clock or another day, or
    /// was disturbed.
    public var isAboveCeiling: Bool { median >= 1.0005 }
}

extension RoofShare {
    /// The share that a workspace or a report holds already.
    init?(median: Double, low: Double, high: Double, samples: Int, of ceiling: Ceiling, threads: Int) {
        guard threads == ceiling.threads, median.isFinite else { return nil }
        self.ceiling = ceiling
        self.median = median
        self.low = low.isFinite ? min(low, median) : median
        self.high = high.isFinite ? max(high, median) : median
        self.samples = samples
    }
}

extension RoofShare: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("ceiling", ceiling.name)
            json.member("threads", ceiling.threads)
            json.member("ceiling_per_second", ifPresent: ceiling.rate)
            json.member("median", median)
            json.member("p10", low)
            json.member("p90", high)
            json.member("samples", samples)
            json.member("noisy", isNoisy)
            json.member("above_ceiling", isAboveCeiling)
        }
    }
}
