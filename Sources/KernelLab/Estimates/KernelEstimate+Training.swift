extension KernelEstimate {
    /// Operations and time of a whole training.
    static func training(_ request: EstimateRequest) -> [EstimateLine] {
        let model = request.model
        let n = model.activeParameters
        let d = request.trainingTokens
        let full = request.recompute == .full
        // Scores and mix are 2 × 2 s w each token and layer forward, and twice that backward.
        let attentionFactor = (request.causal ? 6.0 : 12.0) * (full ? 4.0 / 3 : 1)
        let attention = attentionFactor * Double(model.layers) * model.attentionWidth * Double(request.sequence) * d
        let weights = (full ? 8.0 : 6.0) * n * d
        let total = weights + attention
        let half = request.causal ? " / 2 (causal)" : ""
        var lines = [
            EstimateLine(
                "products with weights", weights, "FLOP",
                formula: "\(full ? 8 : 6) N D = \(full ? 8 : 6) × \(number(n)) × \(number(d))",
                source: "Kaplan et al. 2020: 2 N forward and 4 N backward per token",
                note: full ? "full recomputation adds a forward pass" : nil),
            EstimateLine(
                "attention scores and mix", attention, "FLOP",
                formula: "12 L w s D\(half)\(full ? " × 4/3" : "") = \(number(attentionFactor)) × "
                    + "\(number(model.layers)) × \(number(model.attentionWidth)) × \(number(request.sequence)) × "
                    + number(d),
                source: "Kaplan et al. 2020; PaLM, appendix B"),
            EstimateLine(
                "training", total, "FLOP", formula: "\(number(weights)) + \(number(attention))", source: "sum"),
        ]
        if let peak = request.peak {
            let rate = Double(request.devices) * peak * request.utilization
            lines.append(
                EstimateLine(
                    "training time", total / rate, "s",
                    formula: "FLOP / (devices × peak × utilization) = \(number(total)) / (\(number(request.devices)) × "
                        + "\(number(peak)) × \(number(request.utilization)))",
                    source: "PaLM, appendix B: model FLOPs utilization",
                    note: full ? "the utilization includes the recomputed pass" : nil))
            lines.append(
                EstimateLine(
                    "training rate", d / (total / rate), "tokens/s",
                    formula: "D / time = \(number(d)) / \(number(total / rate))", source: "quotient"))
        }
        return lines
    }

    /// Bytes of one device during training.
    static func trainingMemory(_ request: EstimateRequest) -> [EstimateLine] {
        let n = request.model.parameters
        let shards = Double(request.devices)
        let stage = request.zeroStage
        let isMixed = request.precision == .mixed
        let elementBytes = isMixed ? 2.0 : 4.0
        func divided(_ from: Int) -> Double { stage >= from ? shards : 1 }
        func line(_ name: String, _ bytes: Double, _ divisor: Double, _ what: String) -> EstimateLine {
            let over = divisor > 1 ? " / \(number(divisor))" : ""
            return EstimateLine(
                name, bytes * n / divisor, "B",
                formula: "\(number(bytes)) N\(over) = \(number(bytes)) × \(number(n))\(over)",
                source: "Rajbhandari et al. 2020 (ZeRO)", note: what)
        }
        let stateBytes = request.optimizer.bytesPerParameter + (isMixed ? 4 : 0)
        let weights = line("weights", elementBytes, divided(3), "\(number(elementBytes)) bytes per parameter")
        let gradients = line("gradients", elementBytes, divided(2), "\(number(elementBytes)) bytes per parameter")
        let master = isMixed ? ", with a master copy in f32" : ""
        let states = line("optimizer states", stateBytes, divided(1), "\(request.optimizer.name)\(master)")
        let kept = activations(request)
        let total = [weights, gradients, states, kept].reduce(0) { $0 + $1.value }
        return [
            weights, gradients, states, kept,
            EstimateLine(
                "training memory", total, "B",
                formula: [weights, gradients, states, kept].map { number($0.value) }.joined(separator: " + "),
                source: "sum", note: "without fragmentation, communication buffers, and logits"),
        ]
    }

    /// s b h L (34 + 5 a s / h) bytes of f16; without the second term where scores are not kept.
    private static func activations(_ request: EstimateRequest) -> EstimateLine {
        let model = request.model
        let s = Double(request.sequence)
        let b = Double(request.microBatch)
        let h = Double(model.hidden)
        let l = Double(model.layers)
        let scale = request.precision == .mixed ? 1.0 : 2.0
        let source = "Korthikanti et al. 2022, equations 1 and 2"
        let wide = scale == 1 ? "" : " × 2 (f32)"
        if request.recompute == .full {
            return EstimateLine(
                "activations", 2 * scale * s * b * h * l, "B",
                formula: "2 s b h L\(wide) = 2 × \(number(s)) × \(number(b)) × \(number(h)) × \(number(l))",
                source: source, note: "only the input of each layer is stored")
        }
        let scores =
            request.flashAttention || request.recompute == .selective
            ? 0 : 5 * Double(model.heads) * s / h
        let value = scale * s * b * h * l * (34 + scores)
        let numbers = "\(number(s)) × \(number(b)) × \(number(h)) × \(number(l))"
        return EstimateLine(
            "activations", value, "B",
            formula: scores == 0
                ? "34 s b h L\(wide) = 34 × \(numbers)"
                : "s b h L (34 + 5 a s / h)\(wide) = \(numbers) × (34 + 5 × \(number(model.heads)) × \(number(s)) / "
                    + "\(number(h)))",
            source: source,
            note: scores == 0 ? "attention scores are not stored" : "derived for an MLP of width 4 h with GELU")
    }
}
