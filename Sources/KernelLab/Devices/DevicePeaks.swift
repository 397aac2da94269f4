/// What a device can do at peak, as its vendor says or its user measured.
public struct DevicePeaks: Hashable, Sendable {
    /// `NVIDIA H100 SXM`.
    public var name: String
    /// What tools call it beyond its name: `NVIDIA H100 80GB HBM3`.
    public var aliases: [String]
    /// The fastest first.
    public var compute: [Peak]
    /// Gigabytes (1e9) a second of the device's memory.
    public var memoryBandwidth: Double
    /// Other bandwidths, such as `L2`, in gigabytes a second.
    public var caches: [Bandwidth]
    /// Mebibytes of the last cache.
    public var cacheSize: Double?
    /// Units × operations a cycle × clock, of which the peaks are made.
    public var formula: String
    /// Whose figures these are.
    public var source: String

    /// One arithmetic, dense, in teraoperations a second.
    public struct Peak: Hashable, Sendable {
        /// `BF16/FP16`.
        public var name: String
        public var rate: Double
        public init(_ name: String, _ rate: Double) {
            self.name = name
            self.rate = rate
        }
    }

    /// One memory, in gigabytes a second.
    public struct Bandwidth: Hashable, Sendable {
        public var name: String
        public var rate: Double
        public init(_ name: String, _ rate: Double) {
            self.name = name
            self.rate = rate
        }
    }

    public init(
        name: String, aliases: [String] = [], compute: [Peak], memoryBandwidth: Double, caches: [Bandwidth] = [],
        cacheSize: Double? = nil, formula: String = "", source: String
    ) {
        self.name = name
        self.aliases = aliases
        self.compute = compute
        self.memoryBandwidth = memoryBandwidth
        self.caches = caches
        self.cacheSize = cacheSize
        self.formula = formula
        self.source = source
    }

    /// The roofs of these peaks.
    public var roofline: Roofline {
        Roofline(
            title: name,
            compute: compute.sorted { $0.rate > $1.rate }
                .map { Roofline.ComputeRoof(name: $0.name, rate: $0.rate * 1e12) },
            memory: (caches + [Bandwidth("DRAM", memoryBandwidth)]).sorted { $0.rate > $1.rate }
                .map { Roofline.MemoryRoof(name: $0.name, bandwidth: $0.rate * 1e9) },
            source: formula.isEmpty ? source : "\(source); \(formula)")
    }

    /// Operations a second of an arithmetic; nil if there is no such figure.
    public func rate(_ kind: ArithmeticKind) -> Double? { roofline.computeRoof(for: kind)?.rate }
}
