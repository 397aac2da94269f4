internal import Console
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
    var history: [String: [PastRun]]
    /// Its number among the workspace's kernel uses, or among the person's own kernels.
    var use: Int64?
    var arithmetic: KernelArithmetic
    /// Whether bytes rather than operations are what it is measured by.
    var isStreaming: Bool
    /// What it costs, in words.
    var cost: String
    /// Why the last measurement failed; nil where it did not.
    var fault: String?

    struct Source: Sendable {
        var path: String
        var text: String
    }

    struct PastRun: Sendable {
        /// Seconds since 1970.
        var when: Double
        var commit: String
        /// Median of the ratios to the ceiling.
        var share: Double
        var rate: Double
        /// Bytes a second.
        var bandwidth: Double
        /// `slower than before`; nil where it is not.
        var regression: String?
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

    var chart: HistoryChart { HistoryChart(runs: selected.flatMap { history[$0.name] } ?? []) }

    var selected: Ladder.Rung? { ladder.rungs.indices.contains(list.selection) ? ladder.rungs[list.selection] : nil }
}
