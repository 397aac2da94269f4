package import Workspace

/// What the panel asks of the engine, as work that effects can do anywhere.
///
/// Every piece of work may be slow; the screen only ever sees values.
package struct AttentionEngine: Sendable {
    /// How far work has come.
    package enum Progress: Sendable {
        case reading(Int, of: Int)
        case came(AttentionRunBox)
    }

    package typealias Telling = @Sendable (Progress) -> Void

    /// Names of models that can be looked into.
    package var models: @Sendable () throws -> [String]
    /// The prompt of an answer with what was answered.
    package var order: @Sendable (_ answer: Int64, _ step: Int?) throws -> AttentionOrder
    /// The prompt of a recorded call with its answer.
    package var recordedOrder: @Sendable (_ trace: Int64, _ span: Int, _ step: Int?) throws -> AttentionOrder
    /// The recorded call that had a passage in its prompt, with the passage to be looked at.
    package var citedOrder: @Sendable (CitedPassage) throws -> AttentionOrder
    /// The strongest example of a feature.
    package var featureOrder: @Sendable (Reference) throws -> AttentionOrder
    /// Opens the model and reads the text; where it is the second, it is held against the first.
    package var open: @Sendable (AttentionOrder, _ isSecond: Bool, Cancellation, Telling) throws -> AttentionRunBox
    /// Ends the comparison.
    package var closeSecond: @Sendable () -> Void
    /// So many tokens more, or all that come; in a comparison on both sides.
    package var generate: @Sendable (_ tokens: Int?, Cancellation, Telling) throws -> AttentionRunBox
    /// Takes the last token that came back, of each run.
    package var stepBack: @Sendable (Cancellation) throws -> AttentionRunBox
    /// Runs again from a token with heads changed, beside the untouched run and as far as that one came.
    package var change: @Sendable ([HeadChange], _ token: Int, Cancellation, Telling) throws -> AttentionRunBox
    /// What is to be shown.
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
