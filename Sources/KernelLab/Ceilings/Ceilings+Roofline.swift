public import Kernels

extension Ceilings {
    /// The set of so many threads; the nearest smaller one where that was not measured; nil without any.
    public func set(threads: Int) -> ThreadSet? {
        sets.last { $0.threads <= threads } ?? sets.first
    }

    /// The roof over kernels of one arithmetic.
    ///
    /// Its horizontal lines are the peaks of that arithmetic; where the processor has no instructions for it, those of
    /// float32, into which kernels then convert. Its slopes are the bandwidths of one kernel: reading, unless the
    /// kernels under it write as much as they read.
    ///
    /// - Parameters:
    ///   - threads: of the set that is taken; the nearest smaller one stands in.
    ///   - best: whether the best samples are taken rather than the medians.
    public func roofline(
        threads: Int, arithmetic: KernelArithmetic, bandwidth kernel: BandwidthKernel = .read, best: Bool = false
    ) -> Roofline {
        let set = set(threads: threads) ?? ThreadSet(threads: threads, compute: [], memory: [])
        func value(_ rate: MeasuredRate) -> Double { best ? rate.best : rate.median }
        var peaks = set.compute.filter { $0.arithmetic == arithmetic }
        if peaks.isEmpty { peaks = set.compute.filter { $0.arithmetic == .float32 } }
        let compute = peaks.map { Roofline.ComputeRoof(name: $0.name, rate: value($0.rate)) }
        let memory = set.memory.filter { $0.kernel == kernel }
            .map { Roofline.MemoryRoof(name: $0.level.rawValue, bandwidth: value($0.rate)) }
        return Roofline(
            title: "this machine, \(set.threads) thread\(set.threads == 1 ? "" : "s")",
            compute: compute.sorted { $0.rate > $1.rate }, memory: memory.sorted { $0.bandwidth > $1.bandwidth },
            source: "measured here (\(conditions.sentence)); slopes: \(kernel.rawValue)")
    }
}
