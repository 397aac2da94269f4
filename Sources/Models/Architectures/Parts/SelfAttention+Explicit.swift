internal import Kernels

extension SelfAttention {
    /// Attention of one sequence with scores and pattern in memory, `[H, T, K]`, for those who want to look at them.
    ///
    /// The numbers are those of the fused kernels but for rounding. What a visitor writes into the scores goes into the
    /// pattern, and what it writes into the pattern goes into the output.
    func attendExplicitly(
        _ pass: ForwardPass, _ stretch: ForwardPass.Stretch, _ rows: UnsafeMutablePointer<Float>,
        into gathered: UnsafeMutablePointer<Float>
    ) throws(ModelError) {
        let (queries, keys) = (stretch.count, stretch.length)
        let (area, overflow) = (heads * queries).multipliedReportingOverflow(by: keys)
        guard !overflow else { throw ModelError(pass.transformer.path, .memory(bytes: nil)) }
        let scores = try pass.floats(.scores, area)
        let pages = stretch.cache?.pages(layer: layer)
        pass.pool.run(chunks: heads * queries) { chunk, _ in
            let (head, query) = (chunk / queries, chunk % queries)
            let line = scores + chunk * keys
            let q = UnsafePointer(rows + query * stride + head * keyWidth)
            if let pages {
                score(q, head: head, pages, into: line, keys: keys)
            } else {
                score(q, head: head, rows, into: line, keys: keys)
            }
            finish(line, head: head, position: stretch.firstPosition + query, keys: keys)
        }
        if let visitor = pass.visitor {
            let shape = [heads, queries, keys]
            if pass.wants(.scores(layer: layer)) {
                pass.show(.scores(layer: layer), scores, shape, stretch.firstPosition, to: visitor)
            }
            Rows.softmax(scores, into: scores, rows: heads * queries, columns: keys, pool: pass.pool)
            if pass.wants(.pattern(layer: layer)) {
                pass.show(.pattern(layer: layer), scores, shape, stretch.firstPosition, to: visitor)
            }
        }
        pass.pool.run(chunks: heads * queries) { chunk, _ in
            let (head, query) = (chunk / queries, chunk % queries)
            let z = gathered + (query * heads + head) * valueWidth
            z.update(repeating: 0, count: valueWidth)
            let pattern = scores + chunk * keys
            for key in 0..<keys where pattern[key] != 0 {
                let value =
                    pages?.value(head: kvHead(head), position: key).baseAddress
                    ?? UnsafePointer(rows + key * stride + queryColumns + keyColumns + kvHead(head) * valueWidth)
                Elementwise.add(pattern[key], times: value, to: z, count: valueWidth)
            }
        }
    }

    private func kvHead(_ head: Int) -> Int { head / (heads / kvHeads) }

    /// Computes q·k for all keys of pages, whose numbers are stored by position.
    private func score(
        _ q: UnsafePointer<Float>, head: Int, _ pages: PagedKeyValues, into line: UnsafeMutablePointer<Float>,
        keys: Int
    ) {
        line.update(repeating: 0, count: keys)
        var (first, page) = (0, 0)
        while first < keys {
            let count = min(pages.pageSize, keys - first)
            let lines = UnsafePointer(pages.keys[page]) + kvHead(head) * keyWidth * pages.pageSize
            for number in 0..<keyWidth {
                Elementwise.add(q[number], times: lines + number * pages.pageSize, to: line + first, count: count)
            }
            first += count
            page += 1
        }
    }

    /// q·k for all keys of the rows of an encoder.
    private func score(
        _ q: UnsafePointer<Float>, head: Int, _ rows: UnsafeMutablePointer<Float>,
        into line: UnsafeMutablePointer<Float>, keys: Int
    ) {
        for key in 0..<keys {
            let k = rows + key * stride + queryColumns + kvHead(head) * keyWidth
            var sum: Float = 0
            for number in 0..<keyWidth { sum += q[number] * k[number] }
            line[key] = sum
        }
    }

    /// Scale, ALiBi, cap, and -∞ for keys that are not seen.
    private func finish(_ line: UnsafeMutablePointer<Float>, head: Int, position: Int, keys: Int) {
        Elementwise.scale(line, by: scale, count: keys)
        if let softcap { Elementwise.softcap(line, at: softcap, count: keys) }
        if let slopes {
            for key in 0..<keys { line[key] += slopes[head] * Float(key - position) }
        }
        guard isCausal else { return }
        let last = min(position, keys - 1)
        for key in last + 1..<max(keys, last + 1) { line[key] = -.infinity }
        if let window, position - window + 1 > 0 {
            for key in 0..<min(keys, position - window + 1) { line[key] = -.infinity }
        }
    }
}
