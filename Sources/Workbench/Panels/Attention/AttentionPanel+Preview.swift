internal import Formatting
internal import LanguageModels
internal import ModelLab
internal import Traces
internal import Workspace

extension AttentionPanel {
    package func preview(of reference: Reference) -> Preview.Work {
        let engine = engine
        if reference.kind == .attentionHead {
            let found: Preview = run == nil ? .nothing("no text is open") : .shows("the head on the open text")
            return { _ in found }
        }
        return { _ in try engine.preview(reference) }
    }
}

extension AttentionEngine {
    /// Returns a summary of what the panel shows of a generated object, without opening a model.
    ///
    /// - Throws: The error of opening the object, if the panel has nothing to show.
    static func preview(
        of reference: Reference, in workspace: Workspace, _ desk: AttentionDesk
    ) throws -> Preview {
        guard let number = reference.path.first else { return .unplaced }
        switch reference.kind {
        case .generation, .token:
            return preview(of: try order(answer: number, step: nil, in: workspace, desk))
        case .span where reference.path.count > 1:
            let call = try RecordedCall(
                trace: number, span: Int(clamping: reference.path[1]), in: TraceStore(workspace))
            return preview(
                of: try order(
                    model: call.specification ?? call.model, call.prompt, call.steps, call.document, at: nil, workspace,
                    desk))
        case .citation:
            guard let reader = try desk.modelNames().first else { throw AttentionEngine.noModel("the answer's model") }
            return .shows("attention to the passage, read by the answer's model or \(reader)")
        case .feature:
            let order = try order(ofFeature: reference, in: workspace)
            guard case .tokens(let tokens) = order.content else {
                return .shows("heads on the strongest example, read by \(order.model)")
            }
            return .shows("heads on \(Format.count(tokens.count, "token")) of the strongest example")
        default: return .nothing("only generated text can be read here")
        }
    }

    private static func preview(of order: AttentionOrder) -> Preview {
        switch order.content {
        case .tokens(let tokens):
            .shows("attention over \(Format.count(tokens.count, "token")), read by \(order.model)")
        case .text where order.remark == nil: .shows("attention over the text, read by \(order.model)")
        case .text: .shows("attention over the text, read by \(order.model) instead")
        }
    }
}
