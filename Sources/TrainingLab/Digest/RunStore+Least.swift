internal import GRDB
internal import Workspace

extension RunStore {
    /// The smallest finite value of each of some curves with its step: what a loss was at its best. Curves that the run
    /// does not have, or that never had a finite value, are left out.
    ///
    /// One block of each curve is decoded, and the journal: the time does not grow with the run.
    public func least(of run: Int64, _ series: [String]) throws -> [SeriesValue] {
        try workspace.read { db in
            let readings = try Self.readings(series.map { CurveSource(run: run, series: $0) }, .step, db)
            let reader = try BlockReader(db)
            return try readings.compactMap { reading in
                var points = SeriesPoints()
                let best = reading.blocks.filter { $0.finite > 0 }.min { $0.minimum < $1.minimum }
                if let best { try reader.read(series: reading.series, number: best.number, into: &points) }
                points.append(reading.recent)
                let least = points.values.indices.filter { points.values[$0].isFinite }
                    .min { points.values[$0] < points.values[$1] }
                return least.map { index in
                    SeriesValue(
                        series: reading.source.series, step: Int(points.steps[index]), value: points.values[index])
                }
            }
        }
    }
}
