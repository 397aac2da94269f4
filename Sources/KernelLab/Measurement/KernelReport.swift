public import Kernels

/// What a measurement of an operation found: the roof of this moment and every rung of the ladder under it.
public struct KernelReport: Hashable, Sendable {
    public var operation: String
    public var title: String
    public var shape: KernelShape
    public var threads: Int
    public var machine: Machine
    /// Seconds since 1970.
    public var measuredAt: Double
    /// FLOPs and compulsory bytes of a call.
    public var cost: KernelCost
    /// Bytes of inputs and output together.
    public var workingSet: Int
    /// Where they lie.
    public var level: MemoryLevel
    /// The peak of the arithmetic, measured between the rungs: operations a second.
    public var peak: Roof
    /// The bandwidth of the level where the data lie, measured between the rungs: bytes per second.
    public var bandwidth: Roof
    public var rungs: [Rung]
    public var conditions: MeasurementConditions
    /// Whether there are hardware counters, and if not why.
    public var counters: String
    public var notes: [String]
    /// Ceilings of one thread, if some rungs use one and others use `threads`.
    public var oneThread: Roofs?

    /// Ceilings for a number of threads.
    public struct Roofs: Hashable, Sendable {
        public var threads: Int
        /// Memory level of the data with this many threads.
        public var level: MemoryLevel
        public var peak: Roof
        public var bandwidth: Roof

        public init(threads: Int, level: MemoryLevel, peak: Roof, bandwidth: Roof) {
            self.threads = threads
            self.level = level
            self.peak = peak
            self.bandwidth = bandwidth
        }
    }

    /// A ceiling as it was while the kernels ran.
    public struct Roof: Hashable, Sendable {
        /// `FMA f32 AVX-512`, `L2 read`.
        public var name: String
        public var rate: MeasuredRate

        public init(name: String, rate: MeasuredRate) {
            self.name = name
            self.rate = rate
        }
    }

    /// What keeps a perfect kernel from being faster.
    public enum Bound: String, Hashable, Sendable {
        case compute
        case memory
    }

    /// One way to compute the operation.
    public struct Rung: Hashable, Sendable {
        public var name: String
        public var idea: String
        /// The threads that it used.
        public var threads: Int
        public var outcome: Outcome

        public init(name: String, idea: String, threads: Int, outcome: Outcome) {
            self.name = name
            self.idea = idea
            self.threads = threads
            self.outcome = outcome
        }

        public var figures: Figures? {
            if case .measured(let figures) = outcome { figures } else { nil }
        }
    }

    public enum Outcome: Hashable, Sendable {
        case measured(Figures)
        /// What this machine lacks.
        case unavailable(String)
        /// Its numbers are wrong: where, and by how much. It was not timed.
        case disagrees(String)
    }

    public init(
        operation: String, title: String, shape: KernelShape, threads: Int, machine: Machine, measuredAt: Double,
        cost: KernelCost, workingSet: Int, level: MemoryLevel, peak: Roof, bandwidth: Roof, rungs: [Rung],
        conditions: MeasurementConditions, counters: String, notes: [String], oneThread: Roofs? = nil
    ) {
        self.operation = operation
        self.title = title
        self.shape = shape
        self.threads = threads
        self.machine = machine
        self.measuredAt = measuredAt
        self.cost = cost
        self.workingSet = workingSet
        self.level = level
        self.peak = peak
        self.bandwidth = bandwidth
        self.rungs = rungs
        self.conditions = conditions
        self.counters = counters
        self.notes = notes
        self.oneThread = oneThread
    }

    /// The rung that calls the library which people compare with; `nil` if it was not measured.
    public var library: Rung? { rungs.first { $0.name == Self.libraryName && $0.figures != nil } }

    /// The name under which ladders have that rung.
    public static let libraryName = "openblas"

    /// The measured rung with the highest rate.
    public var fastest: Rung? {
        rungs.filter { $0.figures != nil }
            .max { ($0.figures?.rate.median ?? 0) < ($1.figures?.rate.median ?? 0) }
    }

    /// Operations a second that a perfect kernel would reach: min(peak, intensity × bandwidth).
    ///
    /// The intensity is that of the compulsory traffic: a rung that moves more bytes falls short of the roof.
    public var attainable: Double { roofs.attainable(cost) }

    public var bound: Bound { roofs.bound(cost) }

    /// The ceilings for the requested number of threads.
    public var roofs: Roofs { Roofs(threads: threads, level: level, peak: peak, bandwidth: bandwidth) }

    /// The ceilings for a rung's number of threads; nil if those were not measured.
    public func roofs(of rung: Rung) -> Roofs? {
        [roofs, oneThread].compactMap(\.self).first { $0.threads == rung.threads }
    }

    /// A rung's share of its roof; nil if the rung or the ceiling for its threads was not measured.
    public func share(of rung: Rung) -> RoofShare? {
        guard let figures = rung.figures, let roofs = roofs(of: rung) else { return nil }
        return RoofShare(
            median: figures.shareOfAttainable, low: figures.shareLow, high: figures.shareHigh,
            samples: figures.samples, of: roofs.ceiling(cost), threads: rung.threads)
    }

    /// A rung's share of the peak of its arithmetic.
    public func shareOfPeak(of rung: Rung) -> RoofShare? {
        guard let figures = rung.figures, let roofs = roofs(of: rung) else { return nil }
        // If the peak is the roof, both shares are the same figure with the same spread.
        if roofs.bound(cost) == .compute { return share(of: rung) }
        let ceiling = RoofShare.Ceiling(name: roofs.peak.name, threads: roofs.threads, rate: roofs.peak.rate.median)
        return RoofShare(ratios: [figures.shareOfPeak], of: ceiling, threads: rung.threads)
    }

    public subscript(rung name: String) -> Rung? { rungs.first { $0.name == name } }

    /// How many times as fast one rung is as another: the median of their ratios within a round, in which both stood
    /// next to the same ceiling, so that a drifting clock cancels. Rungs that share less than three rounds are compared
    /// by their medians, and those that stood next to ceilings of different numbers of threads by the seconds of a call.
    public func ratio(of name: String, to other: String) -> Double? {
        guard let first = self[rung: name], let second = self[rung: other], let one = first.figures,
            let two = second.figures
        else { return nil }
        guard first.threads == second.threads else {
            return one.secondsPerCall > 0 ? two.secondsPerCall / one.secondsPerCall : nil
        }
        let shares = Dictionary(two.rounds.map { ($0.round, $0.share) }, uniquingKeysWith: { first, _ in first })
        let ratios = one.rounds.compactMap { round in shares[round.round].map { round.share / $0 } }
        return ratios.count >= 3 ? median(ratios) : one.shareOfAttainable / two.shareOfAttainable
    }

    /// The roof of this measurement alone: one peak, one slope.
    public var roofline: Roofline { roofline(of: roofs) }

    /// The roof over a rung from this measurement alone, for the rung's threads.
    public func roofline(of rung: Rung) -> Roofline? { roofs(of: rung).map(roofline) }

    private func roofline(of roofs: Roofs) -> Roofline {
        Roofline(
            title: Roofline.title(threads: roofs.threads),
            compute: [Roofline.ComputeRoof(name: roofs.peak.name, rate: roofs.peak.rate.median)],
            memory: [Roofline.MemoryRoof(name: roofs.level.rawValue, bandwidth: roofs.bandwidth.rate.median)],
            source: "measured between the kernels (\(conditions.sentence))")
    }

    /// The dot of a rung: its rate over the intensity of its own traffic at the level where the data lie.
    public func point(of rung: Rung) -> RooflinePoint? {
        guard let figures = rung.figures else { return nil }
        let level = roofs(of: rung)?.level ?? level
        return RooflinePoint(
            title: "\(operation)/\(rung.name)", rate: figures.rate.median,
            intensities: [RooflinePoint.Intensity(level: level.rawValue, value: figures.intensity)])
    }
}

extension KernelReport.Roofs {
    /// Operations per second of a perfect call under these ceilings.
    public func attainable(_ cost: KernelCost) -> Double {
        Roofline.attainable(intensity: cost.intensity, peak: peak.rate.median, bandwidth: bandwidth.rate.median)
    }

    public func bound(_ cost: KernelCost) -> KernelReport.Bound {
        cost.intensity * bandwidth.rate.median < peak.rate.median ? .memory : .compute
    }

    /// The ceiling that shares refer to.
    public func ceiling(_ cost: KernelCost) -> RoofShare.Ceiling {
        let roof = bound(cost) == .compute ? peak : bandwidth
        return RoofShare.Ceiling(name: roof.name, threads: threads, rate: roof.rate.median)
    }
}

/// How fast a rung is, and how far from the roof.
public struct KernelFigures: Hashable, Sendable {
    /// Operations a second.
    public var rate: MeasuredRate
    /// Bytes a second of the compulsory traffic.
    public var bytesPerSecond: Double
    /// Bytes that a call of this rung moves: more than the compulsory ones where it says so.
    public var traffic: Double
    /// Operations a byte of that traffic.
    public var intensity: Double
    /// The part of the attainable rate and of the peak: medians of the ratios to the ceilings of the same moment.
    public var shareOfAttainable: Double
    public var shareOfPeak: Double
    /// The 10th and 90th percentile of the share of the attainable.
    public var shareLow: Double
    public var shareHigh: Double
    /// One a sample, in order.
    public var rounds: [Round]
    /// Medians, on the wall and of all processors together.
    public var secondsPerCall: Double
    public var processorSecondsPerCall: Double
    /// All calls within the samples.
    public var calls: Int
    /// Samples during which the thread lost its processor, next to those that count.
    public var interrupted: Int
    /// How far its numbers are from the reference.
    public var agreement: KernelAgreement
    /// Cycles and instructions of a call on the calling thread, in user mode: counted in a call that was not timed, nil
    /// where the system has no such counters.
    public var cyclesPerCall: Int?
    public var instructionsPerCall: Int?

    /// A sample next to its ceilings.
    public struct Round: Hashable, Sendable {
        public var round: Int
        /// Of the attainable rate of that moment.
        public var share: Double

        public init(round: Int, share: Double) {
            self.round = round
            self.share = share
        }
    }

    public init(
        rate: MeasuredRate, bytesPerSecond: Double, traffic: Double, intensity: Double, shareOfAttainable: Double,
        shareOfPeak: Double, shareLow: Double, shareHigh: Double, rounds: [Round], secondsPerCall: Double,
        processorSecondsPerCall: Double, calls: Int, interrupted: Int, agreement: KernelAgreement,
        cyclesPerCall: Int? = nil, instructionsPerCall: Int? = nil
    ) {
        self.rate = rate
        self.bytesPerSecond = bytesPerSecond
        self.traffic = traffic
        self.intensity = intensity
        self.shareOfAttainable = shareOfAttainable
        self.shareOfPeak = shareOfPeak
        self.shareLow = shareLow
        self.shareHigh = shareHigh
        self.rounds = rounds
        self.secondsPerCall = secondsPerCall
        self.processorSecondsPerCall = processorSecondsPerCall
        self.calls = calls
        self.interrupted = interrupted
        self.agreement = agreement
        self.cyclesPerCall = cyclesPerCall
        self.instructionsPerCall = instructionsPerCall
    }

    public var samples: Int { rounds.count }

    /// Whether there were enough samples, few enough of them interrupted, to compare this with another day: a kernel
    /// that shares its processor finds its data gone from the caches, which its ceiling does not feel.
    public var isReliable: Bool { samples >= Self.fewestSamples && Double(interrupted) <= 0.2 * Double(samples) }

    static let fewestSamples = 8
}

extension KernelReport {
    public typealias Figures = KernelFigures
}
