internal import Glibc
internal import Kernels
internal import Models

/// Weights that are computed again from kept queries and the keys of the cache.
///
/// A[q, k] = A[q, p] · exp(s[q, k] − s[q, p]) with p the key of the greatest weight, which was kept, so that no sum
/// over all keys is needed.
struct KeptAttention {
    let configuration: ModelConfiguration
    let atlas: AttentionAtlas
    private let slopes: [Float]?

    init(_ configuration: ModelConfiguration, _ atlas: AttentionAtlas) {
        self.configuration = configuration
        self.atlas = atlas
        slopes = configuration.positions == .alibi ? alibiSlopes(heads: configuration.headCount) : nil
    }

    /// Returns the weights of keys for one query; `nil` if the query is not stored. O(keys · width).
    func weights(layer: Int, head: Int, query: Int, keys: Range<Int>, of pages: PagedKeyValues) -> [Float]? {
        guard let (block, index) = atlas.place(of: query), let queries = block.queries else { return nil }
        let q = queries.pointer + block.row(index, layer: layer, head: head) * atlas.layout.keyWidth
        let peak = block.peaks.pointer[block.row(index, layer: layer, head: head)]
        let kvHead = atlas.layout.kvHead(head)
        var weights = [Float](repeating: 0, count: keys.count)
        let top = score(q, head: head, kvHead: kvHead, query: query, key: Int(peak.key), pages)
        let first = max(keys.lowerBound, atlas.layout.windows[layer].map { query - $0 + 1 } ?? 0)
        for key in first..<max(first, min(keys.upperBound, query + 1)) {
            let score = score(q, head: head, kvHead: kvHead, query: query, key: key, pages)
            weights[key - keys.lowerBound] = peak.weight * expf(score - top)
        }
        return weights
    }

    /// Scaled and capped, as the pass computes it.
    private func score(
        _ q: UnsafePointer<Float>, head: Int, kvHead: Int, query: Int, key: Int, _ pages: PagedKeyValues
    ) -> Float {
        let size = pages.pageSize
        let line = pages.keys[key / size] + kvHead * pages.keyWidth * size + key % size
        var sum: Float = 0
        for number in 0..<pages.keyWidth { sum += q[number] * line[number * size] }
        sum *= configuration.attentionScale
        if let cap = configuration.attentionSoftcap { sum = cap * tanhf(sum / cap) }
        if let slopes { sum += slopes[head] * Float(key - query) }
        return sum
    }
}
