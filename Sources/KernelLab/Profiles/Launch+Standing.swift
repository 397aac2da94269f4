/// Where a launch stands under the roofs of a device.
public struct RooflineStanding: Hashable, Sendable {
    public enum Limit: Hashable, Sendable {
        /// The peak of an arithmetic, by the name of its roof.
        case compute(String)
        /// The bandwidth of a memory, by the name of its roof.
        case memory(String)

        /// `DRAM`, `FP32`.
        public var name: String {
            switch self {
            case .compute(let name), .memory(let name): name
            }
        }
    }

    /// What limits the launch: the lowest of the roofs over its dots.
    public var limit: Limit
    /// Operations per second that the limit allows, or bytes per second for a launch without operations.
    public var attainable: Double
    /// What was reached of it. Above 1, the roof or a figure is wrong: most often the clock was higher.
    public var share: Double
    /// Whether the roofs lack the peak of this launch's arithmetic, so that only bandwidths were looked at.
    public var lacksPeak: Bool
    /// How well the share is known, by the figure that it rests on: the work under a peak, the bytes under a bandwidth.
    /// `~` for an estimate, `≥` where a part was not counted, else empty.
    public var sign: String
}

extension Launch {
    /// What limits this launch on a device, and how far it is from that.
    ///
    /// attainable = min(peak of its dominant arithmetic, intensity × bandwidth at every level with traffic and a roof).
    /// A launch without operations, such as a copy, is held against the bandwidth that it uses best. `nil` if time,
    /// figures or roofs are lacking.
    public func standing(on roofline: Roofline) -> RooflineStanding? {
        guard let duration, duration > 0, duration.isFinite else { return nil }
        let slopes = TrafficLevel.allCases.compactMap { level -> (name: String, bandwidth: Double, bytes: Double)? in
            guard let bytes = bytes(level).value, bytes > 0,
                let roof = roofline.memory.first(where: { level.isNamed($0.name) }), roof.bandwidth > 0
            else { return nil }
            return (roof.name, roof.bandwidth, bytes)
        }
        guard let work = work.value, work > 0, let kind = dominantKind else {
            // Only where it is known that there was nothing to compute.
            guard self.work.value == 0 else { return nil }
            let best = slopes.max { $0.bytes / $0.bandwidth < $1.bytes / $1.bandwidth }
            return best.map { slope in
                RooflineStanding(
                    limit: .memory(slope.name), attainable: slope.bandwidth,
                    share: slope.bytes / duration / slope.bandwidth, lacksPeak: false, sign: "")
            }
        }
        let roof = roofline.computeRoof(for: kind)
        var limits: [(RooflineStanding.Limit, Double)] = slopes.map { slope in
            (.memory(slope.name), work / slope.bytes * slope.bandwidth)
        }
        if let roof { limits.append((.compute(roof.name), roof.rate)) }
        guard let lowest = limits.min(by: { $0.1 < $1.1 }), lowest.1 > 0 else { return nil }
        let sign: String
        switch lowest.0 {
        case .compute: sign = self.work.sign
        case .memory(let name): sign = TrafficLevel.allCases.first { $0.isNamed(name) }.map { bytes($0).sign } ?? ""
        }
        return RooflineStanding(
            limit: lowest.0, attainable: lowest.1, share: work / duration / lowest.1, lacksPeak: roof == nil,
            sign: sign)
    }
}

extension Roofline {
    /// The highest roof whose name has a word for this arithmetic; nil if there is none.
    public func computeRoof(for kind: ArithmeticKind) -> ComputeRoof? {
        let named = compute.map { roof in
            (roof, roof.name.lowercased().split(whereSeparator: { " /,".contains($0) }).map(String.init))
        }
        if let own = named.first(where: { $0.0.name == kind.title }) { return own.0 }
        for word in kind.roofWords {
            let found = named.filter { $0.1.contains(word) && ($0.1.contains("tensor") ? kind.isTensor : true) }
            if let best = found.max(by: { $0.0.rate < $1.0.rate }) { return best.0 }
        }
        return nil
    }
}
