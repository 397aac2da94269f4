public import JSON
internal import Kernels

/// One measured rung as the workspace keeps it.
public struct KernelRun: Hashable, Sendable, Identifiable {
    /// 0 before it is in a workspace.
    public var id: Int64
    public var operation: String
    public var variant: String
    /// `m=512 n=512 k=512`.
    public var shape: String
    /// Threads that the variant used: 1 for a serial variant, whatever number was requested.
    public var threads: Int
    /// `Machine.identity`.
    public var machine: String
    /// The commit that was checked out, even if files differed from it; `nil` if that is not known.
    public var commit: String?
    /// Says whether two runs had the same source text of the kernel.
    public var sourceDigest: String
    /// Seconds since 1970.
    public var measuredAt: Double
    /// The ceiling that `share` is a part of: `FMA f32 AVX-512`, `L2 copy`.
    public var ceiling: String
    /// The ceiling's rate measured next to the kernel, in operations or bytes per second; nil for runs of earlier
    /// versions, which did not record it.
    public var ceilingRate: Double?
    /// The median of the ratios to what was attainable at the same moment; of a run that was low and measured again,
    /// the mean of both medians.
    public var share: Double
    /// Its 10th and 90th percentile.
    public var shareLow: Double
    public var shareHigh: Double
    /// Operations a second, median and best.
    public var rate: Double
    public var best: Double
    /// Bytes a second of the compulsory traffic.
    public var bytesPerSecond: Double
    public var samples: Int
    /// Whether the figures can be trusted at all.
    public var standing: MeasurementConditions.Standing
    /// Whether they are good enough to be compared with other days.
    public var isReliable: Bool
    public var verdict: Verdict
    /// The expected share, and the drop at which it would be a regression; nil if not judged.
    public var baseline: Double?
    public var threshold: Double?
    /// The ratios of all samples, in order, to four decimals.
    public var rounds: [Double]

    public enum Verdict: String, CaseIterable, Hashable, Sendable {
        /// There was too little to compare with, or the machine was too busy.
        case unjudged
        case good
        /// Lower than noise explains, but measured only once.
        case suspected
        /// Lower than noise explains, twice.
        case regressed
        /// The new level is wanted: what comes after is compared with it.
        case accepted
    }

    /// Share of the ceiling; nil if the ceiling was measured with another number of threads.
    ///
    /// Earlier versions compared serial variants with the ceiling of all threads.
    public var roofShare: RoofShare? {
        if ceilingRate == nil, threads > 1, !isParallel { return nil }
        let ceiling = RoofShare.Ceiling(name: ceiling, threads: threads, rate: ceilingRate)
        return RoofShare(
            median: share, low: shareLow, high: shareHigh, samples: samples, of: ceiling, threads: threads)
    }

    /// Whether the catalog lists the variant as parallel.
    private var isParallel: Bool {
        KernelCatalog.operations.first { $0.name == operation }?.variants.first { $0.name == variant }?.isParallel
            ?? false
    }

    /// Whether the run measured another version of a source with this digest.
    ///
    /// False if either version is unknown: built-in kernels, and runs of programs that did not record it.
    public func isOutdated(by source: String?) -> Bool {
        guard let source, sourceDigest != digest("") else { return false }
        return source != sourceDigest
    }

    /// How much lower than expected, as a part: 0.048; nil if not judged.
    public var drop: Double? { baseline.map { 1 - share / $0 } }

    /// Whether it can be compared with other runs at all.
    var isComparable: Bool { isReliable && standing != .void }

    /// Whether it stands for what the kernel can do, so that later runs are compared with it.
    var isBaseline: Bool { isComparable && verdict != .regressed && verdict != .suspected }
}

extension KernelRun {
    /// The run of a rung of a report; `nil` if it was not measured.
    init?(_ rung: KernelReport.Rung, of report: KernelReport, commit: String?, sourceDigest: String) {
        guard let figures = rung.figures, let share = report.share(of: rung) else { return nil }
        self.init(
            id: 0, operation: report.operation, variant: rung.name, shape: report.shape.description,
            threads: rung.threads, machine: report.machine.identity, commit: commit, sourceDigest: sourceDigest,
            measuredAt: report.measuredAt, ceiling: share.ceiling.name, ceilingRate: share.ceiling.rate,
            share: figures.shareOfAttainable, shareLow: figures.shareLow, shareHigh: figures.shareHigh,
            rate: figures.rate.median,
            best: figures.rate.best, bytesPerSecond: figures.bytesPerSecond, samples: figures.samples,
            standing: report.conditions.standing, isReliable: figures.isReliable, verdict: .unjudged, baseline: nil,
            threshold: nil, rounds: CompactRatios.decode(CompactRatios.encode(figures.rounds.map(\.share))))
    }
}

extension KernelRun: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("operation", operation)
            json.member("variant", variant)
            json.member("shape", shape)
            json.member("threads", threads)
            json.member("machine", machine)
            json.member("commit", commit)
            json.member("source_digest", sourceDigest)
            json.member("measured_at", measuredAt)
            json.member("ceiling", ceiling)
            json.member("roof", roofShare)
            json.member("share", share)
            json.member("share_p10", shareLow)
            json.member("share_p90", shareHigh)
            json.member("operations_per_second", rate)
            json.member("best_operations_per_second", best)
            json.member("bytes_per_second", bytesPerSecond)
            json.member("samples", samples)
            json.member("standing", standing.rawValue)
            json.member("reliable", isReliable)
            json.member("verdict", verdict.rawValue)
            json.member("baseline", baseline)
            json.member("threshold", threshold)
        }
    }
}

/// Ratios as a line of ten-thousandths, far finer than their noise: `9213 9187 9240`.
package enum CompactRatios {
    package static func encode(_ ratios: [Double]) -> String {
        ratios.map { String(Int(max(0, min(1e9, ($0.isFinite ? $0 : 0) * 10_000)).rounded())) }
            .joined(separator: " ")
    }

    package static func decode(_ text: String) -> [Double] {
        text.split(separator: " ").map { (Double(String($0)) ?? 0) / 10_000 }
    }
}
