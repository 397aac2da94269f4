extension Launch {
    /// Operations of a kind; missing if they were not collected.
    public func operations(_ kind: ArithmeticKind) -> Figure {
        operations.first { $0.kind == kind }?.count ?? .missing
    }

    /// Bytes moved at a level; missing if they were not collected.
    public func bytes(_ level: TrafficLevel) -> Figure {
        traffic.first { $0.level == level }?.bytes ?? .missing
    }

    /// All operations but those of ordinary integer lanes; a lower bound if counters of some kinds were not collected.
    public var work: Figure {
        var sum: Figure?
        for operation in operations where operation.kind.isWork {
            sum = sum.map { $0 + operation.count } ?? operation.count
        }
        guard let sum, let value = sum.value else { return .missing }
        if case .exact = sum, !uncounted.isEmpty { return value == 0 ? .missing : .atLeast(value) }
        return sum
    }

    /// The kind that most of the work is of; nil without work.
    public var dominantKind: ArithmeticKind? {
        operations.filter { $0.kind.isWork && ($0.count.value ?? 0) > 0 }
            .max { ($0.count.value ?? 0) < ($1.count.value ?? 0) }?.kind
    }

    /// Operations a second.
    public var rate: Figure {
        guard let duration, duration > 0 else { return .missing }
        return work.map { $0 / duration }
    }

    /// Bytes a second at a level.
    public func bandwidth(_ level: TrafficLevel) -> Figure {
        guard let duration, duration > 0 else { return .missing }
        return bytes(level).map { $0 / duration }
    }

    /// Operations a byte at a level: as good as the worse of both figures, missing where there were no bytes.
    public func intensity(_ level: TrafficLevel) -> Figure {
        let traffic = bytes(level)
        guard let operations = work.value, let bytes = traffic.value, bytes > 0 else { return .missing }
        let value = operations / bytes
        switch (work, traffic) {
        case (.exact, .exact): return .exact(value)
        // A lower bound of the bytes bounds the quotient from above, so that nothing but an estimate is left.
        case (.atLeast, .exact): return .atLeast(value)
        default: return .estimate(value)
        }
    }

    /// The kernel on a log-log roof: its rate, and its intensity at every level that was counted.
    ///
    /// Nil without time, work or traffic: such a launch has no place there.
    public var point: RooflinePoint? {
        guard let rate = rate.value, rate > 0 else { return nil }
        let intensities = TrafficLevel.allCases.compactMap { level -> RooflinePoint.Intensity? in
            guard let value = intensity(level).value, value > 0 else { return nil }
            return RooflinePoint.Intensity(level: level.title, value: value)
        }
        return intensities.isEmpty ? nil : RooflinePoint(title: name, rate: rate, intensities: intensities)
    }
}
