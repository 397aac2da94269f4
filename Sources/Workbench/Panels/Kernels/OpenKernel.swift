internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels

/// A kernel that is looked at: its ladder at one shape, with the rung under the cursor.
struct OpenKernel: Sendable {
    var subject: KernelSubject
    var title: String
    /// The sizes as text: `m=1024 n=1024 k=1024`.
    var shape: String
    var threads: Int
    var ladder: Ladder
    var list: ListView
    /// Text of a rung's sources, by rung.
    var sources: [String: [Source]]
    /// Earlier runs of each rung, oldest first.
    var history: [String: [KernelRun]]
    /// Its number among the workspace's kernel uses, or among the person's own kernels.
    var use: Int64?
    var arithmetic: KernelArithmetic
    /// Whether bytes rather than operations are what it is measured by.
    var isStreaming: Bool
    /// What it costs, in words.
    var cost: String
    /// Ceilings of the machine that measured the ladder; `nil` if they were not measured.
    var ceilings: Ceilings?
    /// Why the last measurement failed; `nil` if it succeeded.
    var fault: String?

    struct Source: Sendable {
        var path: String
        var text: String
    }

    /// Where to stand before anything was measured: on the textbook, or on the person's own function.
    var firstRung: Int {
        if case .own = subject { ladder.rungs.count - 1 } else { 0 }
    }

    /// The files of a person's kernel: whatever of them is saved, it is measured again.
    var files: [String] {
        guard case .own(let path) = subject else { return [] }
        return [path] + Set(sources.values.joined().map(\.path)).sorted()
    }

    /// Earlier runs of the selected rung with its current number of threads, oldest first.
    var past: [KernelRun] {
        selected.map { rung in (history[rung.name] ?? []).filter { $0.threads == rung.threads } } ?? []
    }

    /// Returns the rate of figures as text: bytes/s for a kernel that only moves data, otherwise operations/s.
    func rate(_ figures: Ladder.Figures) -> String { rate(figures.rate, figures.bandwidth) }

    func rate(_ operations: Double, _ bytes: Double) -> String {
        isStreaming
            ? Format.rate(bytesPerSecond: bytes)
            : Format.rate(operationsPerSecond: operations, isFloatingPoint: arithmetic.isFloatingPoint)
    }

    /// Shares of the ceiling over earlier runs, with regressions marked.
    var chart: SpreadChart {
        let values = past.map { run in
            let value = run.roofShare.map { SpreadChart.Value($0.median, in: $0.low...max($0.low, $0.high)) }
            return (value: value, isMarked: run.verdict.regression != nil)
        }
        return SpreadChart(values, titles: ("the ceiling", "run"))
    }

    /// Roof of the selected rung for its number of threads, with the ceiling measured during the run.
    ///
    /// `nil` if no ceiling for that number of threads was measured.
    var roofline: Roofline? {
        let threads = selected?.threads ?? self.threads
        var roofline = ceilings?.roofline(
            threads: threads, arithmetic: arithmetic, bandwidth: isStreaming ? .copy : .read)
        if let share = ladder.figures(list.selection)?.share, share.ceiling.rate != nil {
            roofline = (roofline ?? .unmeasured(threads: threads)).adopting(share.ceiling)
        }
        if let processor = ladder.processor { roofline?.title = "\(processor), \(Format.count(threads, "thread"))" }
        return roofline
    }

    /// Why this roof differs from the measured ceilings; `nil` if both agree within a tenth.
    var drift: String? {
        guard let ceiling = ladder.figures(list.selection)?.share?.ceiling, let rate = ceiling.rate,
            let before = ceilings?.roofline(
                threads: ceiling.threads, arithmetic: arithmetic, bandwidth: isStreaming ? .copy : .read)?
                .rate(of: ceiling), before > 0, abs(rate / before - 1) > 0.1
        else { return nil }
        let change = Format.percent(abs(rate / before - 1), digits: 0)
        return
            "during this run, \(ceiling.name) reached \(change) \(rate < before ? "less" : "more") than when the ceilings "
            + "were measured: c measures them again"
    }

    var selected: Ladder.Rung? { ladder.rungs.indices.contains(list.selection) ? ladder.rungs[list.selection] : nil }
}
