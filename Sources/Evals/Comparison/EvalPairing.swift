internal import EvalLogs
internal import Statistics

/// Makes a pair from a joined sample: reduces epochs as the task does, and determines the change.
struct EvalPairing {
    let join: EvalJoin
    let measure: EvalMeasure
    let options: EvalDiffOptions
    /// Indices of the slices in A and in B.
    let slices: [(a: Int, b: Int)]
    private let kind: EvalScoreKind
    private let reducers: (a: EpochReducer, b: EpochReducer)

    init(_ join: EvalJoin, _ measure: EvalMeasure, _ options: EvalDiffOptions, _ sliceNames: [String]) {
        self.join = join
        self.measure = measure
        self.options = options
        slices = sliceNames.map { (join.a.slices.firstIndex(of: $0) ?? 0, join.b.slices.firstIndex(of: $0) ?? 0) }
        kind = measure.kind
        // Resources have no passing threshold, so their epochs are averaged.
        reducers = measure.passesAt == nil ? (.mean, .mean) : (join.a.reducer, join.b.reducer)
    }

    /// - Parameter isAlone: Whether A and B are the same run.
    func pair(_ sample: EvalJoin.Sample, isAlone: Bool = false) -> EvalPair {
        let a = side(sample.a, isB: false)
        var b = side(sample.b, isB: true)
        let isCopy = !isAlone && join.isCopy(sample)
        // The resources of a reused answer were not measured again.
        let isUnmeasured = isCopy && measure.passesAt == nil
        if isUnmeasured { b.value = .nan }
        let first = join.rowsA[sample.a[0]]
        let other = join.rowsB[sample.b[0]]
        let isScored = !a.value.isNaN && !b.value.isNaN
        let gain = isScored ? (measure.moreIsBetter ? b.value - a.value : a.value - b.value) : 0
        let change: EvalChange =
            if !isScored {
                a.value.isNaN || isUnmeasured ? .unscored : .lost
            } else if !measure.hasThreshold {
                gain < 0 ? .worse : gain > 0 ? .better : .same
            } else if a.passes {
                b.passes ? .bothPass : .broken
            } else {
                b.passes ? .fixed : .bothFail
            }
        var pair = EvalPair(
            id: sample.id, change: change, valueA: a.value, valueB: b.value, gain: gain,
            rowA: join.rowsA[a.best].index, rowB: join.rowsB[b.worst].index, cluster: first.cluster ?? other.cluster,
            slices: slices.map { place in
                let value = place.a < first.slices.count ? first.slices[place.a] : ""
                return value.isEmpty && place.b < other.slices.count ? other.slices[place.b] : value
            }, input: first.input)
        pair.isCopy = isCopy
        return pair
    }

    private func side(_ places: [Int], isB: Bool) -> (value: Double, passes: Bool, best: Int, worst: Int) {
        if places.count == 1 {
            // Fast path: nearly all runs have one epoch.
            guard let value = value(isB ? join.rowsB[places[0]] : join.rowsA[places[0]], isB: isB) else {
                return (.nan, false, places[0], places[0])
            }
            return side([value], isB: isB, best: places[0], worst: places[0])
        }
        var values: [Double] = []
        var (best, worst) = ((place: places[0], value: Double.nan), (place: places[0], value: Double.nan))
        for place in places {
            guard let value = value(isB ? join.rowsB[place] : join.rowsA[place], isB: isB) else { continue }
            values.append(value)
            let worth = measure.higherIsBetter ? value : -value
            if !(worth <= best.value) { best = (place, worth) }
            if !(worth >= worst.value) { worst = (place, worth) }
        }
        return side(values, isB: isB, best: best.place, worst: worst.place)
    }

    private func side(
        _ values: [Double], isB: Bool, best: Int, worst: Int
    ) -> (value: Double, passes: Bool, best: Int, worst: Int) {
        let reducer = isB ? reducers.b : reducers.a
        guard
            let value = reducer.reduce(values, higherIsBetter: measure.higherIsBetter, passes: { kind.passes($0) })
        else { return (.nan, false, best, worst) }
        let passed = values.count { kind.passes($0) }
        let passes =
            switch reducer {
            case .mean: 2 * passed >= values.count
            case .atLeast, .passAt, .passAll: value >= 0.5
            case .median, .mode, .max: kind.passes(value)
            }
        guard measure.isPassing else { return (value, passes, best, worst) }
        // As in the metric `accuracy`: the share of epochs for the mean, otherwise whether the reduced value passes.
        let share: Double =
            switch reducer {
            case .mean: Double(passed) / Double(values.count)
            case .atLeast, .passAt, .passAll: value >= 1 ? 1 : 0
            case .median, .mode, .max: kind.passes(value) ? 1 : 0
            }
        return (share, passes, best, worst)
    }

    private func value(_ row: EvalRow, isB: Bool) -> Double? {
        if let value = measure.value(row, isB: isB) { return value }
        let counts = options.countsErrorsAsFailures && measure.passesAt != nil && measure.higherIsBetter
        return counts && row.outcome == .error ? 0 : nil
    }
}
