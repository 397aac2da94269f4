internal import EvalLogs
public import JSON
internal import Statistics

extension EvalMatrix: JSONRepresentable {
    /// Writes the runs with their means, and the difference of every pair, column minus row: A is the run of the row
    /// (`mean_a`), B is the run of the column (`mean_b`). Undefined values are null.
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("measure", ifPresent: measure)
            json.member("title", ifPresent: title)
            json.member("runs") { json in
                json.array { json in
                    for (place, run) in runs.enumerated() {
                        json.object {
                            $0.member("name", run.name)
                            $0.member("model", run.model)
                            $0.member("mean", means[place]?.mean)
                            $0.member("standard_error", ifPresent: means[place]?.standardError)
                            $0.member("lower", ifPresent: intervals[place]?.lower)
                            $0.member("upper", ifPresent: intervals[place]?.upper)
                            $0.member("samples", means[place]?.count ?? 0)
                            $0.member("errors", ifPresent: run.errors)
                        }
                    }
                }
            }
            json.member("differences", cells)
        }
    }
}
