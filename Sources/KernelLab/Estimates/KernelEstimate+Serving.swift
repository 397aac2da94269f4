extension KernelEstimate {
    /// Memory, prefill and decoding.
    static func serving(_ request: EstimateRequest) -> [EstimateLine] {
        let model = request.model
        let s = Double(request.sequence)
        let batch = Double(request.batch)
        let weights = model.parameters * request.weightBytes
        let cacheToken = 2 * Double(model.layers) * Double(model.kvHeads) * Double(model.headWidth) * request.cacheBytes
        let cache = cacheToken * s * batch
        let prefill = 2 * model.activeParameters * s
        let attention = 4 * Double(model.layers) * s * s * model.attentionWidth / (request.causal ? 2 : 1)
        let half = request.causal ? " / 2 (causal)" : ""
        var lines = [
            EstimateLine(
                "weights served", weights, "B",
                formula: "N × bytes = \(number(model.parameters)) × \(number(request.weightBytes))", source: "product"),
            EstimateLine(
                "KV cache per token", cacheToken, "B",
                formula: "2 × layers × KV heads × width × bytes = 2 × \(number(model.layers)) × "
                    + "\(number(model.kvHeads)) × \(number(model.headWidth)) × \(number(request.cacheBytes))",
                source: "keys and values of every layer"),
            EstimateLine(
                "KV cache", cache, "B",
                formula: "cache per token × tokens × batch = \(number(cacheToken)) × \(number(s)) × \(number(batch))",
                source: "product"),
            EstimateLine(
                "memory to serve", weights + cache, "B",
                formula: "weights + KV cache = \(number(weights)) + \(number(cache))", source: "sum",
                note: "without activations and fragmentation"),
            EstimateLine(
                "prefill of a sequence", prefill + attention, "FLOP",
                formula: "2 N s + 4 L s² w\(half) = 2 × \(number(model.activeParameters)) × \(number(s)) + "
                    + "\(request.causal ? 2 : 4) × \(number(model.layers)) × \(number(s))² × "
                    + number(model.attentionWidth),
                source: "Kaplan et al. 2020, forward pass"),
        ]
        lines += rates(request, prefill: prefill + attention, weights: weights, cache: cache)
        return lines
    }

    private static func rates(
        _ request: EstimateRequest, prefill: Double, weights: Double, cache: Double
    ) -> [EstimateLine] {
        let model = request.model
        let batch = Double(request.batch)
        let devices = Double(request.devices)
        let dividing = request.devices > 1 ? "devices × " : ""
        var lines: [EstimateLine] = []
        if let peak = request.peak {
            lines.append(
                EstimateLine(
                    "prefill time", prefill * batch / (devices * peak * request.utilization), "s",
                    formula:
                        "FLOP × batch / (\(dividing)peak × utilization) = \(number(prefill)) × \(number(batch)) / ("
                        + "\(number(devices * peak)) × \(number(request.utilization)))",
                    source: "quotient"))
        }
        guard let bandwidth = request.bandwidth else { return lines }
        // A mixture of experts reads what its batch chooses: at least the active weights, at most all.
        let read = min(weights, model.activeParameters * request.weightBytes * batch)
        let bytes = read + cache
        let bound = devices * bandwidth * batch / bytes
        lines.append(
            EstimateLine(
                "decoding, bound by bandwidth", bound, "tokens/s",
                formula: "\(dividing)bandwidth × batch / (weights + KV cache) = \(number(devices * bandwidth)) × "
                    + "\(number(batch)) / (\(number(read)) + \(number(cache)))",
                source: "each step reads all weights and the whole cache once",
                note: read < weights ? "only the experts of this batch, if no two tokens share an expert" : nil))
        if let peak = request.peak {
            let compute = devices * peak / (2 * model.activeParameters)
            lines.append(
                EstimateLine(
                    "decoding, bound by arithmetic", compute, "tokens/s",
                    formula: "\(dividing)peak / 2 N = \(number(devices * peak)) / (2 × "
                        + "\(number(model.activeParameters)))",
                    source: "quotient",
                    note: compute < bound ? "the lower of the two bounds" : "bandwidth is the lower of the two bounds"))
            lines.append(
                EstimateLine(
                    "batch at the ridge", peak / bandwidth * request.weightBytes / 2, "sequences",
                    formula: "peak / bandwidth × bytes / 2 = \(number(peak)) / \(number(bandwidth)) × "
                        + "\(number(request.weightBytes)) / 2",
                    source: "Williams et al. 2009: intensity 2 B / bytes meets the ridge", note: "without the KV cache")
            )
        }
        lines.append(
            EstimateLine(
                "bytes in flight", bandwidth * request.latency, "B",
                formula: "bandwidth × latency = \(number(bandwidth)) × \(number(request.latency))",
                source: "Little's law", note: "loads in flight at any time to saturate the memory of one device"))
        return lines
    }
}
