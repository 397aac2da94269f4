package import Workspace

/// Operations of the attention page, each of which may be slow.
package protocol AttentionEngine: Sendable {
    /// Returns the names of models that can run in this process.
    func modelNames() throws -> [String]
    /// Returns a recorded prompt with its answer; a step puts the cursor on its token.
    func order(answer: Int64, step: Int?) throws -> AttentionOrder
    /// Returns the prompt of a recorded call with its answer, on the model that answered if it is available here.
    func order(trace: Int64, span: Int, step: Int?) throws -> AttentionOrder
    /// Returns the recorded call whose prompt contains a passage, with the passage as range.
    func order(of citation: CitedPassage) throws -> AttentionOrder
    /// Returns the strongest example of a feature, with the cursor where the feature fires most.
    func order(ofFeature reference: Reference) throws -> AttentionOrder
    /// Opens a model and reads a text; a second text is compared with the first.
    func open(
        _ order: AttentionOrder, isSecond: Bool, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns
    /// Ends the comparison.
    func closeSecond()
    /// Returns the runs with at most `tokens` new tokens (default: until the text ends). A canceled run returns the tokens
    /// so far.
    func generate(_ tokens: Int?, _ cancellation: Cancellation, _ tell: AttentionTelling) throws -> AttentionRuns
    /// Removes the last generated token of each run.
    func stepBack(_ cancellation: Cancellation) throws -> AttentionRuns
    /// Returns the runs after a rerun with changed heads, up to the length of the unchanged run.
    func change(
        _ changes: [HeadChange], from token: Int, _ cancellation: Cancellation, _ tell: AttentionTelling
    ) throws -> AttentionRuns
    /// Computes the views that a request needs.
    func look(_ request: AttentionRequest, _ cancellation: Cancellation) throws -> AttentionLooks
    /// Returns a summary of what the page shows of a generated object, without opening a model.
    func preview(of reference: Reference) throws -> Preview
}

/// Receives the progress of an operation.
package typealias AttentionTelling = @Sendable (AttentionProgress) -> Void

/// Progress of an operation.
package enum AttentionProgress: Sendable {
    case reading(Int, of: Int)
    case came(AttentionRuns)
}
