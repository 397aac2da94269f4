internal import Models

/// Sizes by which weights are laid out and pairs are counted.
package struct AttentionLayout: Hashable, Sendable {
    let layers: Int
    let heads: Int
    let kvHeads: Int
    let keyWidth: Int
    /// Per layer: keys that a query sees, its own among them; `nil` for all before it.
    let windows: [Int?]

    package init(layers: Int, heads: Int, kvHeads: Int, keyWidth: Int, windows: [Int?]) {
        (self.layers, self.heads, self.kvHeads) = (layers, heads, kvHeads)
        (self.keyWidth, self.windows) = (keyWidth, windows)
    }

    init(_ configuration: ModelConfiguration) {
        self.init(
            layers: configuration.layerCount, heads: configuration.headCount, kvHeads: configuration.kvHeadCount,
            keyWidth: configuration.headWidth,
            windows: (0..<configuration.layerCount).map { configuration.window(ofLayer: $0) })
    }

    func kvHead(_ head: Int) -> Int { head / (heads / kvHeads) }

    /// Pairs that a layer's queries see. O(1).
    package func visiblePairs(layer: Int, queries: Range<Int>, keys: Range<Int>) -> Int {
        let causal = Self.causalPairs(queries, keys)
        guard let window = windows[layer] else { return causal }
        // The pairs before the window equal the causal pairs of a query one window earlier.
        return causal - Self.causalPairs(queries.lowerBound - window..<queries.upperBound - window, keys)
    }

    /// Pairs with a key at or before its query.
    private static func causalPairs(_ queries: Range<Int>, _ keys: Range<Int>) -> Int {
        upTo(queries.upperBound - keys.lowerBound, keys.count) - upTo(queries.lowerBound - keys.lowerBound, keys.count)
    }

    /// Σ min(j, most) over j in 1...count.
    private static func upTo(_ count: Int, _ most: Int) -> Int {
        guard count > 0 else { return 0 }
        return count <= most ? count * (count + 1) / 2 : most * (most + 1) / 2 + (count - most) * most
    }
}
