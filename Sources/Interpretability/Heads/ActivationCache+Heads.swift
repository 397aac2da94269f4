internal import Models
public import System
internal import Tensors

extension ActivationCache {
    /// Scores of all heads, `[layer][head]` of each definition, from the patterns of a run.
    ///
    /// - Parameter prompt: The repeated prompt that was run; `nil` for any other text.
    /// - Throws: An error if `attn.hook_pattern` of a layer was not kept.
    public func headScores(
        _ definitions: [HeadScoreDefinition], layerCount: Int, prompt: RepeatedPrompt? = nil
    ) throws(Problem) -> [HeadScoreDefinition: [[Double]]] {
        var scores: [HeadScoreDefinition: [[Double]]] = [:]
        for layer in 0..<layerCount {
            let pattern = try self[.pattern(layer: layer)]
            var gathered = HeadScoreAccumulator(definitions, headCount: pattern.shape[0], tokens: tokens, prompt)
            try gathered.add(pattern, firstQuery: 0)
            for definition in definitions { scores[definition, default: []].append(gathered.values(of: definition)) }
        }
        return scores
    }

    /// Entropy and distance of each head of a layer, over the queries from `firstQuery` on.
    ///
    /// A logarithm for every cell of the pattern.
    public func headSpreads(
        layer: Int, from firstQuery: Int = 0
    ) throws(Problem) -> [HeadSpread] {
        let pattern = try self[.pattern(layer: layer)]
        let (rows, keys) = (pattern.shape[1], pattern.shape[2])
        return try telling {
            try pattern.withElements { weights in
                (0..<pattern.shape[0]).map { head in
                    var spread = HeadSpread(entropy: 0, distance: 0)
                    guard let base = weights.baseAddress, firstQuery < rows else { return spread }
                    for query in max(0, firstQuery)..<rows {
                        let row = PatternLoops.spread(base + (head * rows + query) * keys, query: query, keys)
                        spread.entropy += row.entropy
                        spread.distance += row.distance
                    }
                    let count = Double(rows - max(0, firstQuery))
                    return HeadSpread(entropy: spread.entropy / count, distance: spread.distance / count)
                }
            }
        }
    }
}
