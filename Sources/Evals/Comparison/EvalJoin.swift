public import EvalLogs

/// Two runs with their samples joined by name, and the samples of one run only.
public struct EvalJoin: Sendable {
    /// A sample of both runs.
    public struct Sample: Hashable, Sendable {
        /// Name in both runs.
        public var id: String
        /// Indices of its epochs in `rowsA` and `rowsB`, in order; at least one each.
        public var a: [Int]
        public var b: [Int]
    }

    /// Run A, the baseline; run B is the candidate.
    public let a: EvalRun
    public let b: EvalRun
    /// All rows of each run, in order.
    public let rowsA: [EvalRow]
    public let rowsB: [EvalRow]
    /// Joined samples in A's order.
    public private(set) var samples: [Sample] = []
    /// Indices of rows whose sample the other run lacks.
    public private(set) var onlyA: [Int] = []
    public private(set) var onlyB: [Int] = []
    /// Number of joined samples with different epochs; each run's mean covers its own epochs.
    public private(set) var unevenEpochs = 0
    /// Number of rows left out because an earlier row has the same name and epoch.
    public private(set) var repeated = 0
    /// Number of joined samples with another input in B; estimated for some logs.
    public private(set) var otherInputs = 0
    /// Whether `otherInputs` is estimated from a part of the samples.
    private(set) var isEstimated = false

    /// Joins rows by (id, epoch). O(rows).
    public init(_ a: EvalRun, _ rowsA: [EvalRow], _ b: EvalRun, _ rowsB: [EvalRow]) {
        self.a = a
        self.b = b
        self.rowsA = rowsA
        self.rowsB = rowsB
        var places = [String: Int](minimumCapacity: rowsA.count)
        var met = Set<Asking>(minimumCapacity: rowsA.count)
        for (place, row) in rowsA.enumerated() {
            let number = places[row.id] ?? samples.count
            if number == samples.count {
                places[row.id] = number
                samples.append(Sample(id: row.id, a: [], b: []))
            }
            if met.insert(Asking(sample: number, epoch: row.epoch)).inserted {
                samples[number].a.append(place)
            } else {
                repeated += 1
            }
        }
        met.removeAll(keepingCapacity: true)
        for (place, row) in rowsB.enumerated() {
            // Samples that A lacks have numbers above those of A.
            let number = places[row.id] ?? places.count
            if number == places.count { places[row.id] = number }
            guard met.insert(Asking(sample: number, epoch: row.epoch)).inserted else {
                repeated += 1
                continue
            }
            if number < samples.count { samples[number].b.append(place) } else { onlyB.append(place) }
        }
        onlyA = samples.flatMap { $0.b.isEmpty ? $0.a : [] }
        samples.removeAll { $0.b.isEmpty }
        unevenEpochs = samples.count { sample in
            if sample.a.count == 1, sample.b.count == 1 {
                return rowsA[sample.a[0]].epoch != rowsB[sample.b[0]].epoch
            }
            return Set(sample.a.map { rowsA[$0].epoch }) != Set(sample.b.map { rowsB[$0].epoch })
        }
        otherInputs = samples.count { hasOtherRow($0) }
    }

    /// Reads both logs completely.
    public init(
        _ a: any EvalLog, _ b: any EvalLog, isCancelled: @Sendable () -> Bool = { false }
    ) throws(EvalLogError) {
        let rowsA = try a.allRows(isCancelled)
        let rowsB = try b.allRows(isCancelled)
        self.init(a.run, rowsA, b.run, rowsB)
        let (count, isEstimated) = try otherQuestions(a, b, isCancelled)
        otherInputs = count
        self.isEstimated = isEstimated
    }

    /// Number of indices to read at once.
    static let window = 8192

    /// One attempt at a sample.
    private struct Asking: Hashable {
        var sample: Int
        var epoch: Int
    }
}

extension EvalLog {
    /// Returns all rows so far.
    ///
    /// Windows are ranges of indices, and a run that was cut off or is in progress has indices without rows: only the
    /// run's own total says where it ends. The head of another program's log may be wrong; there, the first window
    /// without rows is the end.
    public func allRows(_ isCancelled: @Sendable () -> Bool = { false }) throws(EvalLogError) -> [EvalRow] {
        let run = run
        let end = run.path == nil ? run.total.map { max($0, 0) } : nil
        var rows: [EvalRow] = []
        var place = 0
        while place < end ?? .max - EvalJoin.window {
            let next = min(place + EvalJoin.window, end ?? .max)
            let more = try self.rows(place..<next, isCancelled: isCancelled)
            rows += more
            if more.isEmpty, end == nil { break }
            place = next
        }
        return rows
    }
}
