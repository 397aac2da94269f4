internal import Glibc
internal import Kernels
internal import Tensors
internal import Tokenizers

/// One pass of rows over the vocabulary, in pieces: sums that need all logits are kept while they come.
///
/// Rows are points times positions, all positions of a point together; the last point is the final one. With m the
/// largest logit so far, s = Σ e^(z − m) and t = Σ z e^(z − m) give log Σ e^z = m + log s and the entropy
/// m + log s − t / s; where a new largest one comes, both shrink by e^(old − new). KL(final ‖ row) is
/// Σ p_final (z_final − z) − log Σ e^z_final + log Σ e^z.
struct VocabularyPass<Scalar: FloatingAccumulator> {
    /// `[N, D]`, behind the norm.
    let rows: Tensor<Scalar>
    let points: Int
    /// A token of each position.
    let targets: [Int?]
    let topCount: Int
    let readout: Readout<Scalar>
    private var sums: [LensSums]
    private var leaders: [LensLeader]

    init(rows: Tensor<Scalar>, points: Int, targets: [Int?], topCount: Int, readout: Readout<Scalar>) {
        self.rows = rows
        self.points = points
        self.targets = targets
        self.topCount = max(0, min(topCount, readout.unembedding.shape[1]))
        self.readout = readout
        sums = [LensSums](repeating: LensSums(), count: rows.shape[0])
        leaders = [LensLeader](repeating: LensLeader(), count: rows.shape[0] * self.topCount)
    }

    mutating func run() throws(TensorError) {
        try findTargets()
        let vocabulary = readout.unembedding.shape[1]
        let piece = max(64, (1 << 21) / max(1, rows.shape[0]))
        var first = 0
        while first < vocabulary {
            let range = first..<min(first + piece, vocabulary)
            try read(try logits(range), from: first)
            first = range.upperBound
        }
    }

    /// What the sums say of each row.
    func cells() -> [LensCell] {
        let count = targets.count
        return sums.indices.map { row in
            let (here, final) = (sums[row], sums[(points - 1) * count + row % count])
            let total = here.largest + log(here.sum)
            let top = leaders[row * topCount..<(row + 1) * topCount].map { leader in
                LensToken(TokenID(leader.token), logProbability: leader.value - total)
            }
            let cross = final.sum == 0 ? 0 : here.cross / final.sum
            return LensCell(
                top: top,
                chosen: here.target < 0 ? nil : LensToken(TokenID(here.target), logProbability: here.chosen - total),
                rank: here.target < 0 ? nil : here.above + 1,
                divergence: max(0, cross - (final.largest + log(final.sum)) + total),
                entropy: max(0, total - here.weighted / here.sum))
        }
    }

    /// Logits of a range of tokens, `[N, tokens]`.
    private func logits(_ range: Range<Int>) throws(TensorError) -> Tensor<Scalar> {
        var logits = try matmul(rows, try readout.unembedding[.all, range])
        if let bias = readout.bias { try logits += try bias[range] }
        if let cap = readout.softcap { logits = try tanh(try logits / cap) * cap }
        return logits
    }

    /// The targets' own logits, which ranks are counted against.
    private mutating func findTargets() throws(TensorError) {
        let distinct = Array(Set(targets.compactMap(\.self))).sorted()
        guard !distinct.isEmpty else { return }
        var columns = try matmul(rows, try readout.unembedding.selecting(distinct, axis: 1))
        if let bias = readout.bias { try columns += try bias.selecting(distinct) }
        if let cap = readout.softcap { columns = try tanh(try columns / cap) * cap }
        let places = Dictionary(uniqueKeysWithValues: distinct.enumerated().map { ($1, $0) })
        for row in sums.indices {
            guard let target = targets[row % targets.count], let place = places[target] else { continue }
            sums[row].target = target
            sums[row].chosen = try columns.element(at: [row, place]).float64
        }
    }

    /// Takes in a piece of the logits.
    private mutating func read(_ logits: Tensor<Scalar>, from first: Int) throws(TensorError) {
        let (width, count, top) = (logits.shape[1], targets.count, topCount)
        let finalRow = (points - 1) * count
        try logits.withElements { (z) throws(TensorError) in
            guard let z = z.baseAddress else { return }
            var shifted = try Tensor<Scalar>(shape: logits.shape) { target in
                guard let target = target.baseAddress else { return }
                sums.withUnsafeMutableBufferPointer { sums in
                    nonisolated(unsafe) let (sums, target, z) = (sums, target, z)
                    ThreadPool.shared.run(chunks: sums.count) { row, _ in
                        LensLoops.shift(z + row * width, into: target + row * width, width, &sums[row])
                    }
                }
            }
            shifted = try exp(shifted)
            let shrinks = sums.suffix(count).map(\.shrink)
            try shifted.withElements { powers in
                guard let powers = powers.baseAddress else { return }
                sums.withUnsafeMutableBufferPointer { sums in
                    leaders.withUnsafeMutableBufferPointer { leaders in
                        nonisolated(unsafe) let (sums, leaders, z, powers) = (sums, leaders, z, powers)
                        ThreadPool.shared.run(chunks: sums.count) { row, _ in
                            let final = finalRow + row % count
                            LensLoops.add(
                                z + row * width, powers + row * width, final: z + final * width,
                                powers + final * width, width, shrink: shrinks[row % count], &sums[row])
                            let leading = UnsafeMutableBufferPointer(rebasing: leaders[row * top..<(row + 1) * top])
                            LensLoops.lead(z + row * width, width, from: first, leading, &sums[row])
                        }
                    }
                }
            }
        }
    }
}
