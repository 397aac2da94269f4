internal import JSON
internal import LanguageModels

/// Tokens as Inspect counts them: cached ones beside the input.
enum InspectUsage {
    /// The tokens of one usage record.
    static func usage(_ node: JSONNode) -> Usage {
        let read = count(node["input_tokens_cache_read"])
        let write = count(node["input_tokens_cache_write"])
        return Usage(
            input: count(node["input_tokens"]) + read + write, cacheRead: read, cacheWrite: write,
            output: count(node["output_tokens"]), reasoning: count(node["reasoning_tokens"]))
    }

    /// The sum of `{model: usage}` and what it cost, where that was told.
    static func total(_ models: JSONNode?) -> (usage: Usage?, cost: Double?) {
        guard let models, models.count > 0 else { return (nil, nil) }
        var total = Usage()
        var cost: Double?
        for (_, node) in models.members {
            total += usage(node)
            if let one = node["total_cost"]?.double { cost = (cost ?? 0) + one }
        }
        return (total, cost)
    }

    /// A count that cannot overflow a sum.
    private static func count(_ node: JSONNode?) -> Int { min(max(node?.whole ?? 0, 0), 1 << 48) }
}
