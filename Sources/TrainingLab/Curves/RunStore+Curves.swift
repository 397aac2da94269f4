internal import GRDB
internal import Workspace

extension RunStore {
    /// A curve for a chart; `nil` if the run has no such series.
    ///
    /// Without smoothing only blocks at the borders of columns are decoded: a million points open in milliseconds.
    /// Smoothing reads every point up to the right edge of the range.
    public func curve(of run: Int64, _ series: String, _ request: CurveRequest) throws -> RunCurve? {
        try curves([CurveSource(run: run, series: series)], request).first
    }

    /// Curves over one common range, so that they lie over each other in a chart; those that do not exist are left out.
    public func curves(_ sources: [CurveSource], _ request: CurveRequest) throws -> [RunCurve] {
        try workspace.read { db in
            let readings = try Self.readings(sources, request.axis, db)
            let range = request.range ?? Self.common(readings.compactMap(\.extent))
            let reader = try BlockReader(db)
            return try readings.map { try $0.curve(over: range, request, reader) }
        }
    }

    /// All points of a series, or those of some steps, in the order of their steps; `nil` if there is no such series.
    public func points(
        of run: Int64, _ series: String, steps: ClosedRange<Int>? = nil
    ) throws -> SeriesPoints? {
        try workspace.read { db in
            guard
                let reading = try Self.readings([CurveSource(run: run, series: series)], .step, db).first
            else { return nil }
            let reader = try BlockReader(db)
            return try reading.points(steps: steps, reader)
        }
    }

    static func readings(_ sources: [CurveSource], _ axis: CurveAxis, _ db: Database) throws -> [SeriesReading] {
        let find = try Workspace.Statement(
            db,
            """
            SELECT s.id, ifnull(r.origin, r.created), r.batch FROM training_series s
            JOIN training_run r ON r.id = s.run WHERE s.run = ? AND s.name = ?
            """)
        var readings: [SeriesReading] = []
        for source in sources {
            find.bind(1, source.run)
            find.bind(2, source.series)
            if try find.step() {
                readings.append(
                    SeriesReading(
                        source: source, series: find.int64(0), axis: axis, origin: find.int64(1), batch: find.int(2)))
            }
            find.reset()
        }
        // A journal holds all series of its run: it is read once.
        for (run, places) in Dictionary(grouping: readings.indices, by: { readings[$0].source.run }) {
            let recent = try Journal.points(of: run, only: Set(places.map { readings[$0].series }), db)
            for place in places { readings[place].recent = recent[readings[place].series] ?? SeriesPoints() }
        }
        for place in readings.indices { readings[place].blocks = try SeriesBlock.all(of: readings[place].series, db) }
        return readings
    }

    private static func common(_ extents: [ClosedRange<Double>]) -> ClosedRange<Double> {
        let low = extents.map(\.lowerBound).min() ?? 0
        let high = extents.map(\.upperBound).max() ?? 0
        return low...max(low, high)
    }
}
