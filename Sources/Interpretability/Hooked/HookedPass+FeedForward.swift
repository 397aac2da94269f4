internal import Models
internal import Tensors
internal import Training

extension HookedPass {
    /// What the feed-forward makes of normed rows.
    func feedForward(_ layer: Int, _ block: HookedWeights<Scalar>.Block, _ x: Row) throws -> Row {
        if let experts = block.experts, case .experts(let mixture) = configuration.feedForward {
            return try mix(layer, experts, mixture, x)
        }
        guard let part = block.feedForward else { return x }
        let linear = try projected(x, part.input, part.inputBias)
        guard let gate = part.gate else {
            let post = try curve(show(.feedForwardPre(layer: layer), linear))
            return try projected(show(.feedForwardPost(layer: layer), post), part.output, part.outputBias)
        }
        let pre = try show(.feedForwardPre(layer: layer), projected(x, gate, part.gateBias))
        var post = try curve(pre) * show(.feedForwardLinear(layer: layer), linear)
        if let bias = part.productBias { post = try post + Row(bias) }
        return try projected(show(.feedForwardPost(layer: layer), post), part.output, part.outputBias)
    }

    /// Every token goes through its best experts, and their outputs are summed by weight: softmax of the router's
    /// logits, the largest k of them, divided by their sum where the model does so.
    ///
    /// - Source: Shazeer et al. 2017; Jiang et al. 2024, section 2.1.
    private func mix(
        _ layer: Int, _ experts: HookedWeights<Scalar>.Experts, _ mixture: ExpertConfiguration, _ x: Row
    ) throws -> Row {
        let logits = try show(.expertLogits(layer: layer), projected(x, experts.router, experts.routerBias))
        let shares = try softmax(logits)
        let others = try Self.unchosen(shares.value, used: mixture.used)
        var weights = try shares.filled(where: others, with: 0)
        if mixture.normalizesWeights { weights = try weights / weights.sum(-1, keepingAxes: true) }
        weights = try show(.expertWeights(layer: layer), weights)
        var sum = Row(try Tensor(repeating: 0, shape: x.shape))
        for (number, expert) in experts.experts.enumerated() {
            let share = try weights.sliced(axis: 1, number..<number + 1)
            guard share.value.elements.contains(where: { $0 != 0 }), let gate = expert.gate else { continue }
            let inner = try curve(projected(x, gate, expert.gateBias)) * projected(x, expert.input, expert.inputBias)
            sum = try sum + share * projected(inner, expert.output, expert.outputBias)
        }
        return sum
    }

    /// `[T, experts]`: true for all but the best of each row; of equals the first are better.
    private static func unchosen(_ shares: Tensor<Scalar>, used: Int) throws -> Tensor<Bool> {
        let (rows, count, numbers) = (shares.shape[0], shares.shape[1], shares.elements)
        return try Tensor(shape: [rows, count]) { mask in
            mask.update(repeating: true)
            for row in 0..<rows {
                let line = numbers[row * count..<(row + 1) * count]
                let best = line.indices.sorted { line[$0] != line[$1] ? line[$0] > line[$1] : $0 < $1 }
                for place in best.prefix(used) { mask[place] = false }
            }
        }
    }

    private func projected(_ x: Row, _ weight: Tensor<Scalar>, _ bias: Tensor<Scalar>?) throws -> Row {
        let product = try matmul(x, Row(weight))
        return try bias.map { try product + Row($0) } ?? product
    }

    private func curve(_ x: Row) throws -> Row {
        switch configuration.activation {
        case .silu: try silu(x)
        case .geluTanh: try gelu(x, .tanh)
        case .gelu: try gelu(x)
        case .relu: try relu(x)
        }
    }
}
