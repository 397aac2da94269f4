/// A series on its way to a chart: its blocks, and what is in the journal still.
struct SeriesReading {
    let source: CurveSource
    let series: Int64
    /// `.step` where the run does not know its units.
    let axis: CurveAxis
    let origin: Int64
    let batch: Int
    var blocks: [SeriesBlock] = []
    var recent = SeriesPoints()

    init(source: CurveSource, series: Int64, axis: CurveAxis, origin: Int64, batch: Int) {
        self.source = source
        self.series = series
        self.axis = axis == .units && batch <= 0 ? .step : axis
        self.origin = origin
        self.batch = batch
    }

    // MARK: The axis

    @inline(__always)
    private func x(step: Int64, time: Int64) -> Double {
        switch axis {
        case .step: Double(step)
        case .time: Double(time &- origin) * 1e-9
        case .units: Double(step) * Double(batch)
        }
    }

    private func leastX(_ block: SeriesBlock) -> Double { x(step: block.leastStep, time: block.leastTime) }

    private func greatestX(_ block: SeriesBlock) -> Double { x(step: block.greatestStep, time: block.greatestTime) }

    /// From the first point to the last; `nil` if there is none.
    var extent: ClosedRange<Double>? {
        var low = Double.infinity
        var high = -Double.infinity
        for block in allBlocks {
            low = min(low, leastX(block))
            high = max(high, greatestX(block))
        }
        return low <= high ? low...high : nil
    }

    private var allBlocks: [SeriesBlock] {
        recent.count > 0 ? blocks + [SeriesBlock(number: -1, recent)] : blocks
    }

    /// Whether the points stand in the order of the axis as they were written.
    ///
    /// Clocks are set back, and foreign logs go back to an earlier step when a run was started again.
    var isOrdered: Bool {
        var before = -Double.infinity
        for block in allBlocks {
            let rises = axis == .time ? block.hasOrderedTimes : block.hasOrderedSteps
            guard rises, leastX(block) >= before else { return false }
            before = greatestX(block)
        }
        return true
    }

    // MARK: Reading

    func curve(
        over range: ClosedRange<Double>, _ request: CurveRequest, _ reader: BlockReader
    ) throws -> RunCurve {
        var buckets = CurveBuckets(range: range, columns: request.columns, smoothing: request.smoothing)
        if isOrdered {
            try sort(into: &buckets, isSmoothed: request.smoothing > 0, reader)
        } else {
            var points = SeriesPoints()
            for block in blocks { try reader.read(series: series, number: block.number, into: &points) }
            points.append(recent)
            let places = points.steps.indices.map { x(step: points.steps[$0], time: points.times[$0]) }
            for index in places.indices.sorted(by: { (places[$0], $0) < (places[$1], $1) }) {
                buckets.add(places[index], points.values[index])
            }
        }
        return RunCurve(
            run: source.run, series: source.series, axis: axis, range: range, columns: request.columns,
            buckets: buckets.buckets, first: buckets.first, last: buckets.last, pointCount: buckets.pointCount)
    }

    private func sort(into buckets: inout CurveBuckets, isSmoothed: Bool, _ reader: BlockReader) throws {
        var points = SeriesPoints()
        for block in blocks {
            let (low, high) = (leastX(block), greatestX(block))
            if low > buckets.range.upperBound { break }
            if !isSmoothed {
                if high < buckets.range.lowerBound { continue }
                // The axis is monotonic: with both ends in a column, all points are.
                if let column = buckets.column(low), column == buckets.column(high) {
                    buckets.add(block, in: column, from: low, to: high)
                    continue
                }
            }
            points.removeAll()
            try reader.read(series: series, number: block.number, times: axis == .time, into: &points)
            add(points, to: &buckets)
        }
        add(recent, to: &buckets)
    }

    private func add(_ points: SeriesPoints, to buckets: inout CurveBuckets) {
        for index in points.values.indices {
            buckets.add(x(step: points.steps[index], time: points.times[index]), points.values[index])
        }
    }

    func points(steps: ClosedRange<Int>?, _ reader: BlockReader) throws -> SeriesPoints {
        let range = steps.map { Int64($0.lowerBound)...Int64($0.upperBound) }
        var points = SeriesPoints()
        for block in blocks {
            if let range, block.greatestStep < range.lowerBound || block.leastStep > range.upperBound { continue }
            try reader.read(series: series, number: block.number, into: &points)
        }
        points.append(recent)
        if let range { points = points.filtered { range.contains($0) } }
        return points.isOrdered ? points : points.sortedByStep()
    }
}
