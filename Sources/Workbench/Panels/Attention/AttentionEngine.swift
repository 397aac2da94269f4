package import Workspace

/// Operations of the panel, which effects run on any thread.
///
/// Each operation may be slow; the screen only receives values.
package struct AttentionEngine: Sendable {
    /// Progress of an operation.
    package enum Progress: Sendable {
        case reading(Int, of: Int)
        case came(AttentionRunBox)
    }

    package typealias Telling = @Sendable (Progress) -> Void

    /// Returns the names of models that can run in this process.
    package var models: @Sendable () throws -> [String]
    /// Returns a recorded prompt with its answer.
    package var order: @Sendable (_ answer: Int64, _ step: Int?) throws -> AttentionOrder
    /// Returns the prompt of a recorded call with its answer.
    package var recordedOrder: @Sendable (_ trace: Int64, _ span: Int, _ step: Int?) throws -> AttentionOrder
    /// Returns the recorded call whose prompt contains a passage, with the passage as range.
    package var citedOrder: @Sendable (CitedPassage) throws -> AttentionOrder
    /// Returns the strongest example of a feature.
    package var featureOrder: @Sendable (Reference) throws -> AttentionOrder
    /// Opens a model and reads a text; a second text is compared with the first.
    package var open: @Sendable (AttentionOrder, _ isSecond: Bool, Cancellation, Telling) throws -> AttentionRunBox
    /// Ends the comparison.
    package var closeSecond: @Sendable () -> Void
    /// Generates at most `tokens` tokens (default: until the text ends), on both sides of a comparison.
    package var generate: @Sendable (_ tokens: Int?, Cancellation, Telling) throws -> AttentionRunBox
    /// Removes the last generated token of each run.
    package var stepBack: @Sendable (Cancellation) throws -> AttentionRunBox
    /// Reruns from a token with changed heads, up to the length of the unchanged run.
    package var change: @Sendable ([HeadChange], _ token: Int, Cancellation, Telling) throws -> AttentionRunBox
    /// Computes the views that a request needs.
    package var look: @Sendable (AttentionRequest, Cancellation) throws -> AttentionLooks
    /// Returns what the panel would show of a generated thing, without opening a model.
    package var preview: @Sendable (Reference) throws -> Preview

    package init(
        models: @escaping @Sendable () throws -> [String],
        order: @escaping @Sendable (_ answer: Int64, _ step: Int?) throws -> AttentionOrder,
        recordedOrder: @escaping @Sendable (_ trace: Int64, _ span: Int, _ step: Int?) throws -> AttentionOrder,
        citedOrder: @escaping @Sendable (CitedPassage) throws -> AttentionOrder,
        open: @escaping @Sendable (AttentionOrder, _ isSecond: Bool, Cancellation, Telling) throws -> AttentionRunBox,
        closeSecond: @escaping @Sendable () -> Void,
        generate: @escaping @Sendable (_ tokens: Int?, Cancellation, Telling) throws -> AttentionRunBox,
        stepBack: @escaping @Sendable (Cancellation) throws -> AttentionRunBox,
        change: @escaping @Sendable ([HeadChange], _ token: Int, Cancellation, Telling) throws -> AttentionRunBox,
        look: @escaping @Sendable (AttentionRequest, Cancellation) throws -> AttentionLooks,
        featureOrder: @escaping @Sendable (Reference) throws -> AttentionOrder = {
            AttentionOrder(model: "", content: .text($0.title))
        },
        preview: @escaping @Sendable (Reference) throws -> Preview = { .shows($0.title) }
    ) {
        self.models = models
        self.order = order
        self.recordedOrder = recordedOrder
        self.citedOrder = citedOrder
        self.featureOrder = featureOrder
        self.open = open
        self.closeSecond = closeSecond
        self.generate = generate
        self.stepBack = stepBack
        self.change = change
        self.look = look
        self.preview = preview
    }
}
