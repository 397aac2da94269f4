public import Models
public import System
public import Tensors
public import Tokenizers

/// Rows of one hook over many prompts, with the origin of each row.
public struct ProbeRows: Sendable {
    /// `[n, d]`; axes of heads are laid side by side.
    public var rows: Tensor<Float>
    /// One each a row.
    public var tokens: [TokenID]
    public var prompts: [Int]
    public var positions: [Int]

    /// Runs every prompt once and keeps the chosen positions of it.
    ///
    /// - Parameter positions: Those of each prompt; of a negative `.only`, from its end.
    /// - Throws: `Problem` if the hook is unknown, or has attention patterns, which have no row per
    ///   token.
    public static func gather(
        _ model: any HookedModel<Float>, _ prompts: [[TokenID]], hook: Hook, at positions: PositionSelection = .all,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> ProbeRows {
        if case .pattern = hook { throw refusal(of: hook) }
        if case .scores = hook { throw refusal(of: hook) }
        var elements: [Float] = []
        var width = 0
        var (tokens, owners, places): ([TokenID], [Int], [Int]) = ([], [], [])
        for (index, prompt) in prompts.enumerated() where !prompt.isEmpty {
            if isCancelled() { throw .cancelled() }
            let shown = try model.run(prompt, keeping: .only([hook]))[hook]
            width = shown.count / prompt.count
            let flat = shown.elements
            for position in prompt.indices where positions.reaches(position, of: prompt.count) {
                elements += flat[position * width..<(position + 1) * width]
                tokens.append(prompt[position])
                owners.append(index)
                places.append(position)
            }
        }
        guard !tokens.isEmpty else {
            throw Problem(
                .missing, hook.name, "no rows at the chosen positions of \(prompts.count) prompts",
                remedy: "Use longer prompts, or choose different positions.")
        }
        let rows = try telling { try Tensor(elements, shape: [tokens.count, width]) }
        return ProbeRows(rows: rows, tokens: tokens, prompts: owners, positions: places)
    }

    private static func refusal(of hook: Hook) -> Problem {
        Problem(
            .invalid, hook.name, "rows per head and query, not per token",
            remedy: "Probe attn.hook_z or the residual stream.")
    }
}

extension PositionSelection {
    /// As `contains`, with negative single positions counted from the end.
    func reaches(_ position: Int, of count: Int) -> Bool {
        if case .only(let one) = self, one < 0 { return position == count + one }
        return contains(position)
    }
}
