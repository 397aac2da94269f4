public import JSON

extension DictionaryProgress: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("step", step)
            json.member("steps", steps)
            json.member("loss", loss.total)
            json.member("reconstruction", loss.reconstruction)
            json.member("sparsity", loss.sparsity)
            json.member("auxiliary", loss.auxiliary)
            json.member("l0", loss.meanActive)
            json.member("explained_variance", loss.explainedVariance)
            json.member("dead", deadCount)
            json.member("log10_density_quantiles", densityQuantiles)
            json.member("rows_per_second", rowsPerSecond)
        }
    }
}
