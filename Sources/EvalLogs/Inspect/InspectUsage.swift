internal import JSON
internal import LanguageModels
internal import Traces

/// Token usage as Inspect counts it: cached tokens in addition to the input.
enum InspectUsage {
    /// The tokens of one usage record.
    static func usage(_ node: JSONNode) -> Usage {
        let read = count(node["input_tokens_cache_read"])
        let write = count(node["input_tokens_cache_write"])
        return Usage(
            input: count(node["input_tokens"]) + read + write, cacheRead: read, cacheWrite: write,
            output: count(node["output_tokens"]), reasoning: count(node["reasoning_tokens"]))
    }

    /// The sum of `{model: usage}` and its cost in US dollars, as recorded or at the built-in prices of the models.
    ///
    /// Without a price for every model that has no recorded cost, the cost is the sum of the recorded costs, or `nil`.
    static func total(_ models: JSONNode?) -> (usage: Usage?, cost: Double?, isEstimated: Bool) {
        guard let models, models.count > 0 else { return (nil, nil, false) }
        var total = Usage()
        var recorded: Double?
        var estimate: Double? = 0
        for (name, node) in models.members {
            let usage = usage(node)
            total += usage
            if let one = node["total_cost"]?.double {
                recorded = (recorded ?? 0) + one
                estimate = estimate.map { $0 + one }
            } else {
                // `openai/gpt-4o-mini` is `gpt-4o-mini` in the table.
                let model = name.string.flatMap { $0.split(separator: "/").last.map(String.init) } ?? ""
                let price = PriceTable.builtIn.cost(of: usage, by: model)
                estimate = estimate.flatMap { sum in price.map { sum + $0 } }
            }
        }
        return (total, estimate ?? recorded, estimate != nil && estimate != recorded)
    }

    /// A count that cannot overflow a sum.
    private static func count(_ node: JSONNode?) -> Int { min(max(node?.whole ?? 0, 0), 1 << 48) }
}
