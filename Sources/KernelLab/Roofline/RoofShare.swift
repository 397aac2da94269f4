public import JSON

/// A share of a ceiling: the median of the samples, their spread, and the ceiling itself.
///
/// Every share of a roof that a panel or command shows is a `RoofShare`, computed by `init(ratios:of:threads:)`. Kernel
/// and ceiling use the same number of threads; without a ceiling for that number there is no share.
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

    /// A ceiling: its name and the threads of its loop.
    public struct Ceiling: Hashable, Sendable {
        /// `FMA f32 AVX-512`, `L2 read`: the arithmetic with its instruction set, or the memory level.
        public var name: String
        public var threads: Int
        /// Operations or bytes per second; nil if not recorded.
        public var rate: Double?

        public init(name: String, threads: Int, rate: Double? = nil) {
            self.name = name
            self.threads = threads
            self.rate = rate
        }
    }

    /// Computes the share from ratios of each sample to the ceiling at the same moment.
    ///
    /// - Parameter threads: threads of the measured kernel.
    /// - Returns: nil without a finite ratio, or if the ceiling has another number of threads.
    public init?(ratios: [Double], of ceiling: Ceiling, threads: Int) {
        let sorted = ratios.filter(\.isFinite).sorted()
        guard threads == ceiling.threads, !sorted.isEmpty else { return nil }
        self.ceiling = ceiling
        median = quantile(0.5, ofSorted: sorted)
        low = quantile(0.1, ofSorted: sorted)
        high = quantile(0.9, ofSorted: sorted)
        samples = sorted.count
    }

    /// Computes the share of rates under a ceiling measured separately.
    ///
    /// - Returns: nil if that ceiling was not measured with this number of threads.
    public init?(rates: [Double], of ceiling: Ceiling?, threads: Int) {
        guard let ceiling, let roof = ceiling.rate, roof > 0 else { return nil }
        self.init(ratios: rates.map { $0 / roof }, of: ceiling, threads: threads)
    }

    /// Computes the share of a single rate.
    public init?(rate: Double, of ceiling: Ceiling?, threads: Int) {
        self.init(rates: [rate], of: ceiling, threads: threads)
    }

    /// Whether the spread exceeds a fifth of the median and two points, so the median alone says little.
    public var isNoisy: Bool { high - low > max(0.2 * abs(median), 0.02) }

    /// Whether the share exceeds the ceiling, which no kernel can do: the ceiling was measured at another clock rate,
    /// on another day, or under load.
    public var isAboveCeiling: Bool { median >= 1.0005 }
}

extension RoofShare {
    /// Restores a share from a workspace or report.
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
