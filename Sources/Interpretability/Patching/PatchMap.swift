internal import System

/// How much each of many changes of a run moved a metric: a grid that is drawn, exported, and chosen from.
///
/// Scores are not clipped: below 0 a change made things worse, above 1 more than whole. Draw them on a scale that
/// diverges from 0.
public struct PatchMap: Equatable, Sendable {
    /// What one side of the grid counts.
    public struct Axis: Hashable, Sendable {
        /// `layer`, `head`, `position`.
        public var name: String
        public var labels: [String]

        public init(_ name: String, _ labels: [String]) {
            self.name = name
            self.labels = labels
        }
    }

    /// What was changed, and how: `resid_pre by layer and position, denoising`.
    public var title: String
    public var rows: Axis
    public var columns: Axis
    /// Metric with each change, row-major; NaN if not run.
    public var values: [Double]
    /// Result of `formula` for each value; NaN if not run.
    public var scores: [Double]
    /// The metric of the clean run.
    public var clean: Double
    /// Metric of the corrupted run; `nil` if there is none, as for ablations.
    public var corrupt: Double?
    /// The metric in words.
    public var metric: String
    /// How a score comes of a value.
    public var formula: String
    /// Whether every cell that can be run was run; `false` after an early stop.
    public var isComplete = false

    /// A grid of which nothing was run.
    public init(
        title: String, rows: Axis, columns: Axis, clean: Double, corrupt: Double?, metric: String, formula: String
    ) {
        self.title = title
        self.rows = rows
        self.columns = columns
        values = [Double](repeating: .nan, count: rows.labels.count * columns.labels.count)
        scores = values
        self.clean = clean
        self.corrupt = corrupt
        self.metric = metric
        self.formula = formula
    }

    /// Score of a cell; NaN if it was not run or does not exist.
    public subscript(row: Int, column: Int) -> Double {
        guard rows.labels.indices.contains(row), columns.labels.indices.contains(column) else { return .nan }
        return scores[row * columns.labels.count + column]
    }

    /// Largest |score|, the limit of a diverging scale; 0 if nothing was run.
    public var greatestMagnitude: Double { scores.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 } }

    /// The cells of greatest |score|, that of the greatest first.
    public func strongest(_ count: Int) -> [(row: Int, column: Int, score: Double)] {
        scores.indices.filter { scores[$0].isFinite }
            .sorted { abs(scores[$0]) > abs(scores[$1]) }
            .prefix(max(0, count))
            .map { ($0 / columns.labels.count, $0 % columns.labels.count, scores[$0]) }
    }
}

extension PatchMap {
    /// Fills the cells one after the other until canceled.
    ///
    /// - Parameters:
    ///   - cells: Those that can be run, in the order in which they are.
    ///   - score: Returns the score of a value.
    ///   - value: Returns the metric of a cell, by running it.
    mutating func fill(
        _ cells: [(row: Int, column: Int)], progress: (PatchProgress) -> Void, isCancelled: () -> Bool,
        score: (Double) -> Double, value: (_ row: Int, _ column: Int) throws(Problem) -> Double
    ) throws(Problem) {
        let start = ContinuousClock.now
        for (done, cell) in cells.enumerated() {
            if isCancelled() { return }
            let value = try value(cell.row, cell.column)
            let place = cell.row * columns.labels.count + cell.column
            (values[place], scores[place]) = (value, score(value))
            progress(
                PatchProgress(
                    done: done + 1, total: cells.count, seconds: (ContinuousClock.now - start) / .seconds(1),
                    row: cell.row, column: cell.column, score: scores[place]))
        }
        isComplete = true
    }
}
