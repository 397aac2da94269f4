public import JSON
internal import Training

/// One measure of a layer over the run.
public struct LayerMeasure: Sendable, Equatable, JSONRepresentable {
    public var latest: Double
    public var step: Int
    /// Means over equal parts of the run, from left to right; parts without finite points are left out.
    public var trend: [Double]

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("latest") { $0.measure(latest) }
            json.member("step", step)
            json.member("trend", trend)
        }
    }
}

/// A parameter's norms.
public struct LayerRow: Sendable, Equatable, Identifiable, JSONRepresentable {
    /// The parameter's name.
    public var name: String
    /// The parameter's name, which is unique in a table.
    public var id: String { name }
    public var gradientNorm: LayerMeasure?
    public var parameterNorm: LayerMeasure?
    /// ‖change of one step‖ / ‖parameter‖; healthy runs lie near 1e-3.
    public var updateRatio: LayerMeasure?

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("gradient_norm", gradientNorm)
            json.member("parameter_norm", parameterNorm)
            json.member("update_ratio", updateRatio)
        }
    }
}

/// The norms of a run by parameter, in the order in which the run named them.
public struct LayerTable: Sendable, Equatable, JSONRepresentable {
    public var run: Int64
    public var layers: [LayerRow]

    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("run", run)
            json.member("layers", layers)
        }
    }
}

extension RunStore {
    /// The norms of a run by parameter, with trends that have a given number of columns.
    public func layers(of run: Int64, columns: Int = 16) throws -> LayerTable {
        let measures: [(prefix: String, place: WritableKeyPath<LayerRow, LayerMeasure?>)] = [
            (RunSeries.gradientNorm(of: ""), \.gradientNorm), (RunSeries.parameterNorm(of: ""), \.parameterNorm),
            (RunSeries.updateRatio(of: ""), \.updateRatio),
        ]
        let series = try self.series(of: run)
        let wanted = series.filter { one in measures.contains { one.name.hasPrefix($0.prefix) } }
        let curves = try self.curves(
            wanted.map { CurveSource(run: run, series: $0.name) }, CurveRequest(columns: columns))
        let trends = Dictionary(curves.map { ($0.series, $0) }, uniquingKeysWith: { first, _ in first })
        var rows: [LayerRow] = []
        var places: [String: Int] = [:]
        for one in wanted {
            guard let measure = measures.first(where: { one.name.hasPrefix($0.prefix) }) else { continue }
            let name = String(one.name.dropFirst(measure.prefix.count))
            let place = places[name] ?? rows.count
            if place == rows.count {
                places[name] = place
                rows.append(LayerRow(name: name, gradientNorm: nil, parameterNorm: nil, updateRatio: nil))
            }
            let trend = trends[one.name]?.buckets.map(\.mean).filter(\.isFinite) ?? []
            rows[place][keyPath: measure.place] = LayerMeasure(
                latest: one.last.value, step: one.last.step, trend: trend)
        }
        return LayerTable(run: run, layers: rows)
    }
}
