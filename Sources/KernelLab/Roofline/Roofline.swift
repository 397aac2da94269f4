/// What a device can do at peak: rates of arithmetic as horizontal roofs, bandwidths as slanted ones.
///
/// attainable(I) = min(peak, I × bandwidth); a roof meets a slope at its ridge, peak / bandwidth.
/// Source: Williams, Waterman, Patterson, "Roofline: an insightful visual performance model", CACM 2009.
public struct Roofline: Hashable, Sendable {
    /// `this machine, 1 thread`, `NVIDIA H100 SXM`.
    public var title: String
    /// The highest first.
    public var compute: [ComputeRoof]
    /// The fastest first: L1, L2, L3, memory.
    public var memory: [MemoryRoof]
    /// Where the figures come from: measured (when, at what load), or whose data sheet.
    public var source: String

    public struct ComputeRoof: Hashable, Sendable {
        /// `FMA f32 AVX-512`.
        public var name: String
        /// Operations a second.
        public var rate: Double
        public init(name: String, rate: Double) {
            self.name = name
            self.rate = rate
        }
    }

    public struct MemoryRoof: Hashable, Sendable {
        /// `L2`.
        public var name: String
        /// Bytes a second.
        public var bandwidth: Double
        public init(name: String, bandwidth: Double) {
            self.name = name
            self.bandwidth = bandwidth
        }
    }

    public init(title: String, compute: [ComputeRoof], memory: [MemoryRoof], source: String) {
        self.title = title
        self.compute = compute
        self.memory = memory
        self.source = source
    }

    /// Returns the roof with the ceiling of a share as measured next to the kernel, so dot, roof, and share agree.
    public func adopting(_ ceiling: RoofShare.Ceiling) -> Roofline {
        guard let rate = ceiling.rate, rate > 0 else { return self }
        var roofline = self
        let level = MemoryLevel.allCases.first { ceiling.name.hasPrefix($0.rawValue + " ") }?.rawValue
        if let level {
            roofline.memory.removeAll { $0.name == level }
            roofline.memory.append(MemoryRoof(name: level, bandwidth: rate))
            roofline.memory.sort { $0.bandwidth > $1.bandwidth }
        } else {
            roofline.compute.removeAll { $0.name == ceiling.name }
            roofline.compute.append(ComputeRoof(name: ceiling.name, rate: rate))
            roofline.compute.sort { $0.rate > $1.rate }
        }
        return roofline
    }

    /// This roof's value for the ceiling of a share; nil if it has no ceiling of that name.
    public func rate(of ceiling: RoofShare.Ceiling) -> Double? {
        compute.first { $0.name == ceiling.name }?.rate
            ?? memory.first { ceiling.name.hasPrefix($0.name + " ") }?.bandwidth
    }

    /// A roof without ceilings, to which a share adds its own.
    public static func unmeasured(threads: Int) -> Roofline {
        Roofline(title: title(threads: threads), compute: [], memory: [], source: "measured next to the kernel")
    }

    /// Operations a second that a kernel of this intensity can reach under a peak and a bandwidth.
    public static func attainable(intensity: Double, peak: Double, bandwidth: Double) -> Double {
        min(peak, intensity * bandwidth)
    }

    /// Operations a byte at which a bandwidth stops to be the limit.
    public static func ridge(peak: Double, bandwidth: Double) -> Double { peak / bandwidth }
}

/// A kernel on the roof: one dot a memory level, all at the height of its rate.
public struct RooflinePoint: Hashable, Sendable {
    public var title: String
    /// Operations a second.
    public var rate: Double
    /// Operations a byte of each level's traffic, by the level's name.
    public var intensities: [Intensity]

    public struct Intensity: Hashable, Sendable {
        public var level: String
        public var value: Double
        public init(level: String, value: Double) {
            self.level = level
            self.value = value
        }
    }

    public init(title: String, rate: Double, intensities: [Intensity]) {
        self.title = title
        self.rate = rate
        self.intensities = intensities
    }
}
