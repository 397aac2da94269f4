/// How a mixture of experts spreads its tokens: counts add up over passes until reset.
public struct ExpertLoad: Equatable, Sendable {
    public let layerCount: Int
    public let expertCount: Int
    /// `[layer, expert]`: tokens that went through the expert.
    public private(set) var tokens: [Int]
    /// `[layer, expert]`: the sum of the router's probabilities, softmax over all experts.
    public private(set) var probabilities: [Double]
    /// Per layer: tokens that were routed.
    public private(set) var routed: [Int]

    /// - Returns: nil for a model without experts.
    public init?(for configuration: ModelConfiguration) {
        guard let experts = configuration.experts else { return nil }
        layerCount = configuration.layerCount
        expertCount = experts.count
        tokens = [Int](repeating: 0, count: layerCount * expertCount)
        probabilities = [Double](repeating: 0, count: layerCount * expertCount)
        routed = [Int](repeating: 0, count: layerCount)
    }

    public mutating func reset() {
        for index in tokens.indices { (tokens[index], probabilities[index]) = (0, 0) }
        for index in routed.indices { routed[index] = 0 }
    }

    /// Each expert's share of the choices of a layer; they sum to 1, and all are 1 / E in perfect balance.
    public func shares(layer: Int) -> [Double] {
        let counts = tokens[layer * expertCount..<(layer + 1) * expertCount]
        let total = Double(max(1, counts.reduce(0, +)))
        return counts.map { Double($0) / total }
    }

    /// E Σ fₑ Pₑ over the experts: 1 in perfect balance, E where one expert takes everything.
    ///
    /// - Source: Fedus, Zoph, Shazeer, "Switch transformers", 2021, equation 4, with f the share of choices.
    public func imbalance(layer: Int) -> Double {
        guard routed[layer] > 0 else { return 1 }
        let sum = shares(layer: layer).enumerated().reduce(0.0) {
            $0 + $1.element * probabilities[layer * expertCount + $1.offset] / Double(routed[layer])
        }
        return Double(expertCount) * sum
    }

    /// Adds one token's routing.
    mutating func add(
        layer: Int, weights: UnsafeBufferPointer<Float>, probabilities shares: UnsafeBufferPointer<Float>
    ) {
        let first = layer * expertCount
        guard layer < layerCount, weights.count == expertCount else { return }
        for expert in 0..<expertCount {
            if weights[expert] != 0 { tokens[first + expert] += 1 }
            probabilities[first + expert] += Double(shares[expert])
        }
        routed[layer] += 1
    }
}
