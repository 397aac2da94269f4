internal import Glibc
internal import Models
internal import Tensors
internal import Training

extension HookedPass {
    /// softmax(mask(q kᵀ · scale)) v of every head, and their sum through W_O.
    ///
    /// - Source: Vaswani et al. 2017, equation 1.
    func attend(_ layer: Int, _ block: HookedWeights<Scalar>.Block, _ x: Row) throws -> Row {
        let c = configuration
        let (count, groups) = (tokens.count, c.headCount / c.kvHeadCount)
        var q = try heads(x, block.query, block.queryBias)
        var k = try heads(x, block.key, block.keyBias)
        var v = try heads(x, block.value, block.valueBias)
        q = try turned(show(.query(layer: layer), q), layer, block.queryNorm, .rotatedQuery(layer: layer))
        k = try turned(show(.key(layer: layer), k), layer, block.keyNorm, .rotatedKey(layer: layer))
        v = try show(.value(layer: layer), v)

        // [kvHeads, heads of each, T, W] against [kvHeads, 1, W, T]
        let queries = try q.permuted([1, 0, 2]).reshaped([c.kvHeadCount, groups, count, c.headWidth])
        let keys = try k.permuted([1, 2, 0]).expanded(at: 1)
        var scores = try matmul(queries, keys).reshaped([c.headCount, count, count]) * Scalar(c.attentionScale)
        if let cap = c.attentionSoftcap { scores = try capped(scores, at: cap) }
        if c.positions == .alibi { scores = try scores + Row(distances()) }
        scores = try scores.filled(where: hidden(layer), with: -.infinity)
        scores = try show(.scores(layer: layer), scores)
        let pattern = try show(.pattern(layer: layer), softmax(scores))

        let values = try v.permuted([1, 0, 2]).expanded(at: 1)
        let gathered = try matmul(pattern.reshaped([c.kvHeadCount, groups, count, count]), values)
        var z = try gathered.reshaped([c.headCount, count, c.valueWidth]).permuted([1, 0, 2])
        z = try show(.z(layer: layer), z)
        let output = try block.output.reshaped([c.headCount * c.valueWidth, c.width])
        let sum = try matmul(z.reshaped([count, c.headCount * c.valueWidth]), Row(output))
        return try block.outputBias.map { try sum + Row($0) } ?? sum
    }

    /// x W + b for every head: `[T, H, W]`.
    private func heads(_ x: Row, _ weight: Tensor<Scalar>, _ bias: Tensor<Scalar>?) throws -> Row {
        let product = try matmul(x, Row(weight)).permuted([1, 0, 2])
        return try bias.map { try product + Row($0) } ?? product
    }

    /// Returns the heads, normalized if the model does so, and rotated by position.
    private func turned(_ x: Row, _ layer: Int, _ gain: Tensor<Scalar>?, _ hook: Hook) throws -> Row {
        let x = configuration.normsHeads ? try norm(x, HookedWeights<Scalar>.Norm(gain: gain)) : x
        guard let rotation = try rotation(layer: layer) else { return x }
        let turned = try rotated(
            x.expanded(at: 0), cosines: rotation.cosines, sines: rotation.sines,
            pairing: rotation.isAdjacent ? .adjacent : .halves)
        return try show(hook, turned.squeezed(0))
    }

    /// Returns a mask `[T, T]`, `true` if a query cannot see a key.
    private func hidden(_ layer: Int) throws -> Tensor<Bool> {
        let (count, window) = (tokens.count, configuration.window(ofLayer: layer))
        return try Tensor(shape: [count, count]) { mask in
            for query in 0..<count {
                for key in 0..<count {
                    mask[query * count + key] = key > query || window.map { query - key >= $0 } ?? false
                }
            }
        }
    }

    /// `[H, T, T]`: what ALiBi takes from scores.
    ///
    /// - Source: Press, Smith, Lewis, "Train short, test long", 2022, section 3.
    private func distances() throws -> Tensor<Scalar> {
        let count = tokens.count
        let slopes = alibiSlopes(heads: configuration.headCount)
        return try Tensor(shape: [slopes.count, count, count]) { numbers in
            for (head, slope) in slopes.enumerated() {
                for place in 0..<count * count {
                    let distance = place % count - place / count
                    numbers[head * count * count + place] = Scalar(slope) * Scalar(distance)
                }
            }
        }
    }

    /// PE(p, 2i) = sin(p / 10000^(2i/D)), PE(p, 2i + 1) = cos(p / 10000^(2i/D)).
    ///
    /// - Source: Vaswani et al. 2017, section 3.5.
    static func sinusoids(positions: Int, width: Int) throws -> Tensor<Scalar> {
        try Tensor(shape: [positions, width]) { numbers in
            for place in 0..<positions * width {
                let (position, column) = (place / width, place % width)
                let angle = Double(position) / pow(10000, Double(column / 2 * 2) / Double(width))
                numbers[place] = Scalar(column % 2 == 0 ? sin(angle) : cos(angle))
            }
        }
    }
}
