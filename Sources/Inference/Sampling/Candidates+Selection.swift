internal import Glibc
internal import Kernels
internal import Tokenizers

extension Candidates {
    /// Keeps only the most probable token; of equally probable tokens, the one with the lowest id.
    public func keepMostProbable() {
        let most = greatest
        keep(reaching: most)
        guard ids.count > 1 else { return }
        ids.removeSubrange(1...)
        logits.removeSubrange(1...)
    }

    /// Keeps the `count` greatest logits, and all that equal the last of them.
    public func keepGreatest(_ count: Int) {
        guard count > 0 else { return }
        if isDense {
            guard count < vocabularySize else { return }
            learnMaxima()
            // Removed tokens may fill up the count: nothing is gained by listing them.
            keep(reaching: max(maxima.reached(by: count) ?? -.infinity, -.greatestFiniteMagnitude))
        }
        guard count < ids.count else { return }
        var copy = logits
        keep(reaching: Selection.greatest(count, of: &copy))
    }

    /// Returns the `count` most probable tokens, most probable first, ties by id; removes nothing.
    func mostProbable(_ count: Int) -> [TokenID] {
        learnMaxima()
        let count = min(count, vocabularySize)
        var found: [(id: TokenID, logit: Float)] = []
        let threshold = max(maxima.reached(by: count) ?? -.infinity, -.greatestFiniteMagnitude)
        maxima.forEach(reaching: threshold, in: row, count: vocabularySize) { found.append((TokenID($0), row[$0])) }
        found.sort { $0.logit != $1.logit ? $0.logit > $1.logit : $0.id < $1.id }
        return found.prefix(count).map(\.id)
    }

    /// Keeps the logits that are at least `threshold`.
    public func keep(reaching threshold: Float) {
        if isDense {
            learnMaxima()
            collect(row, reaching: threshold)
        } else {
            filter { logits[$0] >= threshold }
        }
    }

    /// Keeps the smallest set of the largest logits whose probabilities sum to at least `mass`. Of
    /// equal logits, the lowest ids are kept.
    public func keepNucleus(_ mass: Double) {
        if isDense { learnMaxima() }
        keepPrefix(of: nil, mass: mass, keepsEquals: false)
    }

    /// Keeps typical tokens in the order of |−log p − H|: those about as surprising as the distribution's mean.
    public func keepTypical(_ mass: Double) {
        let count = isDense ? vocabularySize : ids.count
        guard let keys = keyMemory(count) else { return }
        let (entropy, offset) = surprise()
        let numbers = isDense ? UnsafePointer(row) : nil
        for index in 0..<count {
            let logit = numbers?[index] ?? logits[index]
            keys[index] = -abs(offset - logit - entropy)
        }
        if isDense {
            maxima.update(keys, count: count)
            knowsMaxima = false
        }
        keepPrefix(of: UnsafePointer(keys), mass: mass, keepsEquals: true)
    }

    /// Returns the entropy, and the offset from which a logit is subtracted to get its surprise.
    private func surprise() -> (entropy: Float, offset: Float) {
        let summary = summarize()
        return (Float(summary.entropy), Float(summary.logSumExp))
    }

    private func keyMemory(_ count: Int) -> UnsafeMutablePointer<Float>? {
        if keys == nil { keys = try? AlignedBuffer(count: vocabularySize) }
        return keys?.pointer
    }

    /// Lists what reaches a threshold of the row's `maxima`.
    func collect(_ order: UnsafePointer<Float>, reaching threshold: Float) {
        ids.removeAll(keepingCapacity: true)
        logits.removeAll(keepingCapacity: true)
        maxima.forEach(reaching: threshold, in: order, count: vocabularySize) { index in
            ids.append(TokenID(index))
            logits.append(row[index])
        }
        isDense = false
    }

    func filter(_ keeps: (Int) -> Bool) {
        var kept = 0
        for index in ids.indices where keeps(index) {
            ids[kept] = ids[index]
            logits[kept] = logits[index]
            kept += 1
        }
        ids.removeSubrange(kept...)
        logits.removeSubrange(kept...)
    }
}
