internal import LanguageModels
public import Models
public import Tokenizers

extension Generator {
    /// Returns a branch of a generation that keeps the first `count` tokens and continues with `id`.
    ///
    /// - Throws: `ModelError` where the vocabulary has no such token.
    public func branch(
        _ completion: Completion, at count: Int, choosing id: TokenID, stream: UInt64? = nil
    ) throws(ModelError) -> Completion {
        try check([id], for: "a branch")
        let branch = completion.branch(at: count, stream: stream)
        let place = branch.steps.count
        var texts = texts.stream()
        for token in branch.tokens.suffix(8) { _ = texts.append(token) }
        // What the model thought of the token is known where it was among the alternatives of the one it replaces.
        let replaced = place < completion.steps.count ? completion.steps[place] : nil
        let known = replaced?.alternatives?.first { $0.id == Int(id) }
        branch.tokens.append(id)
        branch.steps.append(
            TokenStep(
                text: texts.append(id), id: Int(id), logProbability: known?.logProbability,
                entropy: replaced?.entropy, alternatives: replaced?.alternatives, stages: replaced?.stages))
        return branch
    }
}

extension Completion {
    /// Takes the pages of another completion for what both begin with, where that one has read more of it.
    func adopt(_ other: Completion) {
        let common = min(common(with: other), other.cache.length)
        guard other !== self, common > cache.length else { return }
        cache.share(other.cache, positions: common)
    }
}
