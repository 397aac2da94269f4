internal import Kernels

/// A mixture of experts: a router sends each token through the feed-forwards of its best experts, and their outputs are
/// summed by weight.
///
/// weights = softmax(router x), the largest k of them; divided by their sum where the model does so.
///
/// - Source: Shazeer et al., "Outrageously large neural networks", 2017; Jiang et al., "Mixtral of experts", 2024,
///   section 2.1 (softmax over the chosen logits, which is the same as dividing by the sum).
struct ExpertFeedForward: Sendable {
    let layer: Int
    let router: Projection
    let experts: [DenseFeedForward]
    let configuration: ExpertConfiguration

    func callAsFunction(_ pass: ForwardPass) throws(ModelError) {
        let (rows, width, count) = (pass.rows, pass.width, experts.count)
        let normalized = try pass.floats(.normalized, rows * width)
        let delta = try pass.floats(.delta, rows * width)
        let routed = try pass.floats(.routed, 2 * rows * count)
        let (logits, weights) = (routed, routed + rows * count)
        try router(pass, normalized, xStride: width, rows: rows, into: logits)
        try pass.visit(.expertLogits(layer: layer), logits, stride: count, shape: [count])
        choose(pass, logits, weights, rows: rows)
        try pass.visit(.expertWeights(layer: layer), weights, stride: count, shape: [count])

        delta.update(repeating: 0, count: rows * width)
        for (index, expert) in experts.enumerated() {
            try run(pass, expert, weights + index, normalized, delta)
        }
    }

    /// Logits become the weights of the chosen experts, and 0 for the others.
    private func choose(
        _ pass: ForwardPass, _ logits: UnsafeMutablePointer<Float>, _ weights: UnsafeMutablePointer<Float>, rows: Int
    ) {
        let count = experts.count
        Rows.softmax(logits, into: logits, rows: rows, columns: count, pool: pass.pool)
        for row in 0..<rows {
            let probabilities = UnsafeMutableBufferPointer(start: logits + row * count, count: count)
            let chosen = UnsafeMutableBufferPointer(start: weights + row * count, count: count)
            chosen.update(repeating: 0)
            var sum: Float = 0
            for _ in 0..<min(configuration.used, count) {
                // The best that is not chosen yet; of equals the first.
                var best = -1
                for expert in 0..<count where chosen[expert] == 0 {
                    if best < 0 || probabilities[expert] > probabilities[best] { best = expert }
                }
                chosen[best] = max(probabilities[best], .leastNonzeroMagnitude)
                sum += chosen[best]
            }
            if configuration.normalizesWeights {
                for expert in 0..<count { chosen[expert] /= sum }
            }
            pass.expertLoad?.add(
                layer: layer, weights: UnsafeBufferPointer(chosen), probabilities: UnsafeBufferPointer(probabilities))
        }
    }

    /// Adds what one expert makes of the rows that chose it.
    private func run(
        _ pass: ForwardPass, _ expert: DenseFeedForward, _ weights: UnsafePointer<Float>,
        _ normalized: UnsafePointer<Float>, _ delta: UnsafeMutablePointer<Float>
    ) throws(ModelError) {
        let (rows, width, count) = (pass.rows, pass.width, experts.count)
        let chosen = (0..<rows).reduce(0) { $0 + (weights[$1 * count] != 0 ? 1 : 0) }
        guard chosen > 0 else { return }
        let input = try pass.floats(.expertInput, rows * width)
        let hidden = try pass.floats(.expertHidden, rows * expert.up.outputs)
        let output = try pass.floats(.expertOutput, rows * width)
        var next = 0
        for row in 0..<rows where weights[row * count] != 0 {
            (input + next * width).update(from: normalized + row * width, count: width)
            next += 1
        }
        try expert.up(pass, input, xStride: width, rows: chosen, into: hidden)
        expert.activate(pass, hidden, rows: chosen)
        try expert.down(pass, hidden, xStride: expert.up.outputs, rows: chosen, into: output)
        next = 0
        for row in 0..<rows where weights[row * count] != 0 {
            Elementwise.add(weights[row * count], times: output + next * width, to: delta + row * width, count: width)
            next += 1
        }
    }
}
