internal import Inference
internal import Kernels
internal import Models
public import System
public import Tokenizers

extension RuntimeModel {
    /// Scores of all heads on a text, `[layer][head]` of each definition.
    ///
    /// The text is read in pieces and each pattern is counted as it comes: no more than the rows of one piece are in
    /// memory at a time, heads · piece · tokens.
    ///
    /// - Parameters:
    ///   - prompt: The repeated prompt that the tokens are; `nil` for any other text.
    ///   - piece: Tokens of a pass.
    /// - Throws: An error if the text is empty or longer than the model's context, or it was canceled.
    public func headScores(
        _ definitions: [HeadScoreDefinition], tokens: [TokenID], prompt: RepeatedPrompt? = nil, piece: Int = 256,
        isCancelled: () -> Bool = { false }
    ) throws(Problem) -> [HeadScoreDefinition: [[Double]]] {
        guard !tokens.isEmpty, tokens.count <= configuration.contextLength else {
            throw Problem(
                .limit, name,
                tokens.isEmpty
                    ? "the text is empty"
                    : "\(tokens.count) tokens exceed the context length of \(configuration.contextLength)",
                remedy: tokens.isEmpty ? "Use text with at least one token." : "Shorten the text.")
        }
        let visitor = HeadScoreVisitor(
            (0..<layerCount).map { _ in
                HeadScoreAccumulator(definitions, headCount: headCount, tokens: tokens, prompt)
            })
        let pass = ForwardPass(pool: .shared)
        pass.visitor = visitor
        let sequence = ContiguousKeyValues(configuration, capacity: tokens.count)
        var start = 0
        while start < tokens.count {
            if isCancelled() { throw .cancelled() }
            let end = min(tokens.count, start + max(1, piece))
            try telling {
                _ = try transformer.forward(
                    [Segment(Array(tokens[start..<end]), cache: sequence, outputs: .all)], in: pass)
            }
            if let failure = visitor.failure { throw failure }
            start = end
        }
        var scores: [HeadScoreDefinition: [[Double]]] = [:]
        for definition in definitions { scores[definition] = visitor.layers.map { $0.values(of: definition) } }
        return scores
    }
}

/// Counts what every pattern shows.
private final class HeadScoreVisitor: HookVisitor {
    private(set) var layers: [HeadScoreAccumulator]
    private(set) var failure: Problem?

    init(_ layers: [HeadScoreAccumulator]) { self.layers = layers }

    func wants(_ hook: Hook) -> Bool {
        if case .pattern = hook { true } else { false }
    }

    func visit(_ hook: Hook, _ values: UnsafeMutableBufferPointer<Float>, shape: [Int], firstPosition: Int) {
        guard case .pattern(let layer) = hook, layers.indices.contains(layer) else { return }
        do throws(Problem) {
            try layers[layer].add(UnsafeBufferPointer(values), shape: shape, firstQuery: firstPosition)
        } catch {
            failure = failure ?? error
        }
    }
}
