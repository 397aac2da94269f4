package import Kernels

/// One timed run of some calls of a rung, next to the ceilings of the same moment.
package struct KernelSample: Hashable, Sendable {
    package var round: Int
    package var calls: Int
    /// On the wall.
    package var seconds: Double
    /// Of all threads of the process.
    package var processorSeconds: Double
    /// Operations a second that the peak loop reached.
    package var peak: Double
    /// Bytes a second that the bandwidth loop reached.
    package var bandwidth: Double

    package init(
        round: Int, calls: Int, seconds: Double, processorSeconds: Double, peak: Double, bandwidth: Double
    ) {
        self.round = round
        self.calls = calls
        self.seconds = seconds
        self.processorSeconds = processorSeconds
        self.peak = peak
        self.bandwidth = bandwidth
    }

    /// Seconds of a perfect call: those that its arithmetic takes at the peak, or its bytes at the bandwidth, whichever
    /// is longer. The same roof as min(peak, intensity × bandwidth), and right for calls without arithmetic too.
    func perfectSeconds(_ cost: KernelCost) -> Double {
        max(peak > 0 ? cost.flops / peak : 0, bandwidth > 0 ? cost.bytes / bandwidth : 0)
    }

    func share(_ cost: KernelCost) -> Double { perfectSeconds(cost) * Double(calls) / seconds }

    func shareOfPeak(_ cost: KernelCost) -> Double {
        peak > 0 ? cost.flops * Double(calls) / seconds / peak : 0
    }
}

extension KernelFigures {
    /// The figures of samples; nil without any.
    ///
    /// - Parameter counted: what the hardware counted in one more call.
    package init?(
        samples: [KernelSample], cost: KernelCost, traffic: Double?, interrupted: Int, agreement: KernelAgreement,
        counted: HardwareCounters.Count = HardwareCounters.Count()
    ) {
        let samples = samples.filter { $0.seconds > 0 }
        guard !samples.isEmpty else { return nil }
        let secondsPerCall = samples.map { $0.seconds / Double($0.calls) }
        let processorSeconds = samples.map { $0.processorSeconds / Double($0.calls) }
        let shares = samples.map { $0.share(cost) }
        let sorted = shares.sorted()
        guard let rate = MeasuredRate(work: cost.flops, seconds: secondsPerCall) else { return nil }
        let moved = traffic ?? cost.bytes
        // By the same median as the rate, so that the two say the same.
        let bytesPerSecond =
            cost.flops > 0 ? rate.median * cost.bytes / cost.flops : cost.bytes / median(secondsPerCall)
        self.init(
            rate: rate, bytesPerSecond: bytesPerSecond, traffic: moved,
            intensity: moved > 0 ? cost.flops / moved : .infinity, shareOfAttainable: median(shares),
            shareOfPeak: median(samples.map { $0.shareOfPeak(cost) }), shareLow: quantile(0.1, ofSorted: sorted),
            shareHigh: quantile(0.9, ofSorted: sorted),
            rounds: zip(samples, shares).map { Round(round: $0.round, share: $1) },
            secondsPerCall: median(secondsPerCall), processorSecondsPerCall: median(processorSeconds),
            calls: samples.reduce(0) { $0 + $1.calls }, interrupted: interrupted, agreement: agreement,
            cyclesPerCall: counted.cycles, instructionsPerCall: counted.instructions)
    }
}
