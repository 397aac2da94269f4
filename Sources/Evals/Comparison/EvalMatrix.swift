public import EvalLogs
public import Statistics

/// Comparisons of several runs, each with each other.
public struct EvalMatrix: Sendable {
    /// A run with its rows.
    public struct Entry: Sendable {
        public var run: EvalRun
        public var rows: [EvalRow]

        public init(_ run: EvalRun, _ rows: [EvalRow]) {
            self.run = run
            self.rows = rows
        }
    }

    /// Runs in the given order.
    public let runs: [EvalRun]
    /// Name of the measure; `nil` if the runs have none in common.
    public let measure: String?
    /// Title of the measure.
    public let title: String?
    /// Difference of run B from run A as [A][B]; `nil` on the diagonal and for runs without a common sample or score.
    ///
    /// p values and intervals are corrected for all pairs.
    public let cells: [[EvalDiffEstimate?]]
    /// Mean of each run over its own samples, with epochs reduced as in its task; `nil` without a value.
    public let means: [MeanEstimate?]
    /// Confidence intervals of the means.
    public let intervals: [Interval?]
    /// Whether a cell covers fewer samples than one of its runs has values for, so that it is not the difference of
    /// their means.
    public let isPartial: Bool

    /// Creates the matrix of the first 64 runs. O(runs² × samples).
    public init(
        _ entries: [Entry], measure: String? = nil, adjustment: Multiplicity.Adjustment = .holm,
        options: EvalDiffOptions = EvalDiffOptions()
    ) {
        let entries = Array(entries.prefix(64))
        runs = entries.map(\.run)
        var found: EvalMeasure?
        var options = options
        options.slices = []
        let none = [EvalDiffEstimate?](repeating: nil, count: entries.count)
        var cells = [[EvalDiffEstimate?]](repeating: none, count: entries.count)
        var compared: [(a: Int, b: Int)] = []
        for a in entries.indices {
            for b in entries.indices where b > a {
                let join = EvalJoin(entries[a].run, entries[a].rows, entries[b].run, entries[b].rows)
                guard let measure = try? join.measure(named: measure),
                    let estimate = EvalDiff(join, measure: measure, options: options).total
                else { continue }
                if found == nil { found = measure }
                cells[a][b] = estimate
                if estimate.p != nil { compared.append((a, b)) }
            }
        }
        let raw = compared.map { cells[$0.a][$0.b]?.p ?? 1 }
        for (place, factor) in zip(compared, Multiplicity.factors(raw, by: adjustment)) {
            cells[place.a][place.b]?.adjust(by: factor, level: options.level)
        }
        for a in entries.indices {
            for b in entries.indices where b < a { cells[a][b] = cells[b][a]?.mirrored }
        }
        self.cells = cells
        self.measure = found?.name ?? measure
        title = found?.title
        let own = entries.map { Self.mean($0, measure) }
        means = own.map { $0?.mean }
        intervals = own.map { $0?.interval }
        let counts = own.map { $0?.mean.count ?? 0 }
        isPartial = cells.enumerated().contains { a, row in
            row.enumerated().contains { b, cell in cell.map { $0.samples < max(counts[a], counts[b]) } ?? false }
        }
    }

    /// Returns the differences between a run and each other run: the run minus the run of the column.
    public func differences(of run: Int) -> [EvalDiffEstimate?] { cells.map { $0[run] } }

    private static func mean(_ entry: Entry, _ name: String?) -> (mean: MeanEstimate, interval: Interval?)? {
        let itself = EvalJoin(entry.run, entry.rows, entry.run, entry.rows)
        guard let measure = try? itself.measure(named: name) else { return nil }
        let pairing = EvalPairing(itself, measure, EvalDiffOptions(), [])
        let pairs = itself.samples.map { pairing.pair($0, isAlone: true) }.filter { !$0.valueA.isNaN }
        let values = pairs.map(\.valueA)
        let isClustered = pairs.contains { $0.cluster != nil }
        let mean =
            isClustered
            ? MeanEstimate(of: values, clusters: clusterNumbers(pairs.map(\.cluster))) : MeanEstimate(of: values)
        return mean.map { ($0, $0.interval(of: values)) }
    }
}

extension EvalDiffEstimate {
    /// The estimate with A and B exchanged.
    var mirrored: EvalDiffEstimate {
        var other = self
        (other.meanA, other.meanB) = (meanB, meanA)
        other.difference = -difference
        other.interval = interval.map(Self.mirrored)
        other.adjusted?.interval = adjusted?.interval.map(Self.mirrored)
        other.effectSize = effectSize.map { -$0 }
        (other.flips.fixed, other.flips.broken) = (flips.broken, flips.fixed)
        (other.flips.better, other.flips.worse) = (flips.worse, flips.better)
        return other
    }

    private static func mirrored(_ interval: Interval) -> Interval {
        Interval(lower: -interval.upper, upper: -interval.lower, level: interval.level)
    }
}
