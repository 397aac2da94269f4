public import Kernels

extension Ceilings {
    /// The ceilings measured with exactly this many threads; nil if there are none.
    public func set(threads: Int) -> ThreadSet? { sets.first { $0.threads == threads } }

    /// The roof for kernels of one arithmetic with this many threads; nil if that number was not measured.
    ///
    /// Its horizontal lines are the peaks of that arithmetic; where the processor has no instructions for it, those of
    /// float32, into which kernels then convert. Its slopes are the bandwidths of one kernel: reading, unless the
    /// kernels under it write as much as they read.
    ///
    /// - Parameter best: whether to take the best samples instead of the medians.
    public func roofline(
        threads: Int, arithmetic: KernelArithmetic, bandwidth kernel: BandwidthKernel = .read, best: Bool = false
    ) -> Roofline? {
        guard let set = set(threads: threads) else { return nil }
        func value(_ rate: MeasuredRate) -> Double { best ? rate.best : rate.median }
        let compute = set.peaks(of: arithmetic).map { Roofline.ComputeRoof(name: $0.name, rate: value($0.rate)) }
        let memory = set.memory.filter { $0.kernel == kernel }
            .map { Roofline.MemoryRoof(name: $0.level.rawValue, bandwidth: value($0.rate)) }
        return Roofline(
            title: Roofline.title(threads: threads),
            compute: compute.sorted { $0.rate > $1.rate }, memory: memory.sorted { $0.bandwidth > $1.bandwidth },
            source: "measured on this machine (\(conditions.sentence)); slopes: \(kernel.rawValue)")
    }

    /// The peak of an arithmetic with this many threads, as shares refer to it; nil if that number was not measured.
    ///
    /// - Parameter intensity: operations per byte of the slowest memory. If that memory's bandwidth allows less than
    ///   the peak, it is the ceiling.
    public func ceiling(
        threads: Int, arithmetic: KernelArithmetic, intensity: Double = .infinity
    ) -> RoofShare.Ceiling? {
        guard let set = set(threads: threads),
            let peak = set.peaks(of: arithmetic).max(by: { $0.rate.median < $1.rate.median })
        else { return nil }
        let bandwidths = set.memory.filter { $0.kernel == .read }
        if let memory = bandwidths.min(by: { $0.rate.median < $1.rate.median }),
            memory.rate.median * intensity < peak.rate.median
        {
            return RoofShare.Ceiling(
                name: "\(memory.level.rawValue) \(memory.kernel.rawValue)", threads: threads,
                rate: memory.rate.median * intensity)
        }
        return RoofShare.Ceiling(name: peak.name, threads: threads, rate: peak.rate.median)
    }
}

extension Ceilings.ThreadSet {
    /// The peaks of an arithmetic, or of float32 if the processor has no instructions for it.
    func peaks(of arithmetic: KernelArithmetic) -> [Ceilings.Compute] {
        let own = compute.filter { $0.arithmetic == arithmetic }
        return own.isEmpty ? compute.filter { $0.arithmetic == .float32 } : own
    }
}

extension Roofline {
    /// `this machine, 1 thread`.
    static func title(threads: Int) -> String { "this machine, \(threads) thread\(threads == 1 ? "" : "s")" }
}
