internal import Models
internal import Tensors

extension TrainableTransformer {
    /// A mixture of experts: each token goes through the best few, and their outputs are summed by weight.
    ///
    /// - Source: Shazeer et al., "Outrageously large neural networks", 2017; Jiang et al., "Mixtral of experts", 2024,
    ///   section 2.1.
    func mixture(
        _ block: TransformerBlock<Scalar>, _ x: Variable<Scalar>, _ pass: Pass
    ) throws(TensorError) -> Variable<Scalar> {
        guard let router = block.router, let experts = configuration.experts else {
            throw missing("blk.\(block.layer).ffn_gate_inp.weight")
        }
        let routing = try ExpertRouting(
            project([router], x, pass), used: experts.used, normalizes: experts.normalizesWeights)
        var outputs: [Variable<Scalar>] = []
        var places: [(expert: Int, rows: Tensor<Int32>)] = []
        for (number, expert) in block.experts.enumerated() where !routing.rows[number].isEmpty {
            let rows = try Tensor(routing.rows[number])
            let input = try embedding(x, rows)
            let inner = try gated(
                project([expert.gate], input, pass), project([expert.up], input, pass), configuration.activation.curve)
            outputs.append(try project([expert.down], inner, pass))
            places.append((number, rows))
        }
        return try routing.combined(outputs, places)
    }
}

/// Which experts each token goes to, and with what weight.
struct ExpertRouting<Scalar: FloatingAccumulator> {
    /// `[tokens, experts]`: 0 for those that were not chosen.
    let weights: Variable<Scalar>
    /// The tokens of each expert, in their order.
    let rows: [[Int32]]

    /// weights = softmax(logits), the largest k of them; divided by their sum where the model does so.
    ///
    /// The gradient reaches the logits of the chosen through their weights; where weights are divided by their sum
    /// that is the softmax over the chosen alone.
    init(_ logits: Variable<Scalar>, used: Int, normalizes: Bool) throws(TensorError) {
        let (tokens, experts) = (logits.shape[0], logits.shape[1])
        let shares = try softmax(logits.value, axis: -1).contiguous()
        var rows = [[Int32]](repeating: [], count: experts)
        let chosen = try Tensor<Scalar>(shape: [tokens, experts]) { weights throws(TensorError) in
            weights.update(repeating: 0)
            for token in 0..<tokens {
                let first = token * experts
                let line = (0..<experts).map { shares.base[first + $0] }
                // Of equals the first.
                let best = line.indices.sorted { line[$0] != line[$1] ? line[$0] > line[$1] : $0 < $1 }.prefix(used)
                let sum = normalizes ? best.reduce(Scalar(0)) { $0 + line[$1] } : 1
                for expert in best {
                    weights[first + expert] = line[expert] / sum
                    rows[expert].append(Int32(token))
                }
            }
        }
        withExtendedLifetime(shares) {}
        self.rows = rows
        weights = .made(by: "routing", chosen, from: [logits], isTwiceDifferentiable: false) {
            back throws(TensorError) in
            let gradient = try back.gradient.value.contiguous()
            defer { withExtendedLifetime((gradient, chosen, shares)) {} }
            let change = try Tensor<Scalar>(shape: [tokens, experts]) { change throws(TensorError) in
                for token in 0..<tokens {
                    let first = token * experts
                    var mean: Scalar = 0
                    for place in first..<first + experts { mean += gradient.base[place] * chosen.base[place] }
                    for place in first..<first + experts {
                        let isChosen = chosen.base[place] != 0
                        let slope = (isChosen ? gradient.base[place] : 0) - mean
                        change[place] = normalizes ? chosen.base[place] * slope : shares.base[place] * slope
                    }
                }
            }
            return [Variable(change)]
        }
    }

    /// Σ w · output over a token's experts, `[tokens, width]`.
    ///
    /// - Parameters:
    ///   - outputs: of each expert that has tokens, `[its tokens, width]`.
    func combined(
        _ outputs: [Variable<Scalar>], _ places: [(expert: Int, rows: Tensor<Int32>)]
    ) throws(TensorError) -> Variable<Scalar> {
        let (tokens, experts) = (weights.shape[0], weights.shape[1])
        guard let width = outputs.first?.shape[1] else {
            throw TensorError("experts", weights.shape, problem: "routes no tokens to any expert")
        }
        let factors = try weights.value.contiguous()
        let values = outputs.map { $0.value }
        let sum = try Tensor<Scalar>(shape: [tokens, width]) { sum throws(TensorError) in
            sum.update(repeating: 0)
            for (value, place) in zip(values, places) {
                let value = try value.contiguous()
                for (row, token) in place.rows.elements.enumerated() {
                    RowLoops.add(
                        factors.base[Int(token) * experts + place.expert], times: value.base + row * width,
                        to: sum.baseAddress! + Int(token) * width, count: width)
                }
                withExtendedLifetime(value) {}
            }
        }
        return .made(
            by: "experts", sum, from: [weights] + outputs, saving: outputs.map { $0.detached },
            isTwiceDifferentiable: false
        ) { back throws(TensorError) in
            let gradient = try back.gradient.value.contiguous()
            defer { withExtendedLifetime((gradient, factors)) {} }
            var ofWeights = try Tensor<Scalar>(repeating: 0, shape: [tokens, experts])
            var ofOutputs: [Variable<Scalar>?] = []
            for (saved, place) in zip(back.saved, places) {
                let value = try saved.value.contiguous()
                var slopes: [(Int, Scalar)] = []
                let change = try Tensor<Scalar>(shape: value.shape) { change throws(TensorError) in
                    change.update(repeating: 0)
                    for (row, token) in place.rows.elements.enumerated() {
                        let (upstream, slot) = (gradient.base + Int(token) * width, Int(token) * experts + place.expert)
                        RowLoops.add(
                            factors.base[slot], times: upstream, to: change.baseAddress! + row * width, count: width)
                        slopes.append((slot, RowLoops.dot(upstream, value.base + row * width, count: width)))
                    }
                }
                try ofWeights.withMutableElements { target throws(TensorError) in
                    for (slot, slope) in slopes { target[slot] = slope }
                }
                ofOutputs.append(Variable(change))
                withExtendedLifetime(value) {}
            }
            return [Variable(ofWeights)] + ofOutputs
        }
    }
}
