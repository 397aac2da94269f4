internal import Tensors

extension AttentionCall {
    /// The same from operations that can be differentiated twice, by way of the whole matrix of scores.
    func basic(_ q: Variable<S>, _ k: Variable<S>, _ v: Variable<S>) throws(TensorError) -> Variable<S> {
        let (batch, group) = (sizes.batch, sizes.heads / sizes.kvHeads)
        // [batch, kvHeads, group, row, width], one head of keys for a group of queries'.
        let queries = try q.permuted([0, 2, 1, 3])
            .reshaped([batch, sizes.kvHeads, group, sizes.queries, sizes.width])
        let keys = try k.permuted([0, 2, 1, 3]).expanded(at: 2)
        let values = try v.permuted([0, 2, 1, 3]).expanded(at: 2)
        let hidden = try hidden()
        let scores = try matmul(queries, keys.transposed()) * S(rounding: sizes.scale)
        // A finite number, and zeros behind it: a row that sees no key would be 0 / 0.
        let shares = try softmax(scores.filled(where: hidden, with: -1e30)).filled(where: hidden, with: 0)
        return try matmul(shares, values).reshaped([batch, sizes.heads, sizes.queries, sizes.width])
            .permuted([0, 2, 1, 3])
    }

    /// [query, key]: which keys a query does not see.
    private func hidden() throws(TensorError) -> Tensor<Bool> {
        var hidden: [Bool] = []
        for query in 0..<sizes.queries {
            let visible = sizes.visibleKeys(query)
            hidden += (0..<sizes.keys).map { !visible.contains($0) }
        }
        return try Tensor(hidden, shape: [sizes.queries, sizes.keys])
    }
}
