package import Workspace

/// Operations of the panel, which effects run on any thread.
///
/// Each operation may be slow; the screen only receives values.
package struct AttentionEngine: Sendable {
    /// Progress of an operation.
    package enum Progress: Sendable {
        case reading(Int, of: Int)
        case came(AttentionRuns)
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
    package var open: @Sendable (AttentionOrder, _ isSecond: Bool, Cancellation, Telling) throws -> AttentionRuns
    /// Ends the comparison.
    package var closeSecond: @Sendable () -> Void
    /// Generates at most `tokens` tokens (default: until the text ends), on both sides of a comparison.
    package var generate: @Sendable (_ tokens: Int?, Cancellation, Telling) throws -> AttentionRuns
    /// Removes the last generated token of each run.
    package var stepBack: @Sendable (Cancellation) throws -> AttentionRuns
    /// Reruns from a token with changed heads, up to the length of the unchanged run.
    package var change: @Sendable ([HeadChange], _ token: Int, Cancellation, Telling) throws -> AttentionRuns
    /// Computes the views that a request needs.
    package var look: @Sendable (AttentionRequest, Cancellation) throws -> AttentionLooks
    /// Returns what the panel would show of a generated thing, without opening a model.
    package var preview: @Sendable (Reference) throws -> Preview

    package init(
        models: @escaping @Sendable () throws -> [String],
        order: @escaping @Sendable (_ answer: Int64, _ step: Int?) throws -> AttentionOrder,
        recordedOrder: @escaping @Sendable (_ trace: Int64, _ span: Int, _ step: Int?) throws -> AttentionOrder,
        citedOrder: @escaping @Sendable (CitedPassage) throws -> AttentionOrder,
        open: @escaping @Sendable (AttentionOrder, _ isSecond: Bool, Cancellation, Telling) throws -> AttentionRuns,
        closeSecond: @escaping @Sendable () -> Void,
        generate: @escaping @Sendable (_ tokens: Int?, Cancellation, Telling) throws -> AttentionRuns,
        stepBack: @escaping @Sendable (Cancellation) throws -> AttentionRuns,
        change: @escaping @Sendable ([HeadChange], _ token: Int, Cancellation, Telling) throws -> AttentionRuns,
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

extension AttentionEngine {
    /// Returns the read that finds the text of an object; `nil` if the page cannot show the object.
    static func finding(_ reference: Reference) -> (@Sendable (AttentionEngine) throws -> AttentionOrder)? {
        let path = reference.path
        guard let number = path.first else { return nil }
        let places = path.dropFirst().map { Int(clamping: $0) }
        let origin: Reference
        let find: @Sendable (AttentionEngine) throws -> AttentionOrder
        switch reference.kind {
        case .token, .generation:
            origin = Reference(.generation, [number], title: "answer \(number)")
            find = { try $0.order(number, reference.kind == .token ? places.first : nil) }
        case .span:
            guard let span = places.first else { return nil }
            origin = Reference(.span, [number, Int64(span)], title: reference.title)
            find = { try $0.recordedOrder(number, span, places.dropFirst().first) }
        case .citation:
            guard let citation = CitedPassage(reference) else { return nil }
            origin = reference
            find = { try $0.citedOrder(citation) }
        case .feature:
            guard !places.isEmpty else { return nil }
            return { try $0.featureOrder(reference) }
        default: return nil
        }
        return { engine in
            var order = try find(engine)
            order.origin = origin
            order.range = range(in: reference) ?? order.range
            return order
        }
    }

    /// Returns the range of a token's reference, such as a chunk of its context: `[answer, step, first, last]`.
    private static func range(in reference: Reference) -> Range<Int>? {
        let path = reference.path
        guard reference.kind == .token, path.count > 3, path[2] >= 0, path[3] >= path[2] else { return nil }
        let (first, last) = (Int(clamping: path[2]), Int(clamping: path[3]))
        return first..<(last == .max ? last : last + 1)
    }
}
