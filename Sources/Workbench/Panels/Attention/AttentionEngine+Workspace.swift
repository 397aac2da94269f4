internal import Formatting
internal import LanguageModels
internal import ModelLab
internal import Providers
internal import System
internal import Tokenizers
internal import Traces
internal import Workspace

extension AttentionEngine {
    /// Creates the engine of a workspace, with its models, answers, and traces.
    init(_ workspace: Workspace) {
        let desk = AttentionDesk(workspace)
        models = { try desk.modelNames() }
        order = { try Self.order(answer: $0, step: $1, in: workspace, desk) }
        recordedOrder = { try Self.order(trace: $0, span: $1, step: $2, in: workspace, desk) }
        citedOrder = { try Self.order(of: $0, in: workspace, desk) }
        featureOrder = { try Self.order(ofFeature: $0, in: workspace) }
        open = { try desk.open($0, isSecond: $1, $2, $3) }
        closeSecond = { desk.closeSecond() }
        generate = { try desk.generate($0, $1, $2) }
        stepBack = { try desk.stepBack($0) }
        change = { try desk.change($0, from: $1, $2, $3) }
        look = { try desk.look($0, $1) }
        preview = { try Self.preview(of: $0, in: workspace, desk) }
    }

    /// Returns a recorded prompt with its answer; a step puts the cursor on its token.
    static func order(
        answer id: Int64, step: Int?, in workspace: Workspace, _ desk: AttentionDesk
    ) throws -> AttentionOrder {
        guard let answer = try GenerationStore(workspace).generation(id) else { throw Problem.gone("answer \(id)") }
        return try order(
            model: answer.document.model, answer.prompt, answer.steps, answer.document,
            at: step.map { Self.bytes(of: answer.steps.prefix(max(0, $0))) }, workspace, desk)
    }

    /// Returns the prompt of a recorded call with its answer, on the model that answered if it is available here.
    private static func order(
        trace: Int64, span: Int, step: Int?, in workspace: Workspace, _ desk: AttentionDesk
    ) throws -> AttentionOrder {
        var call = try RecordedCall(trace: trace, span: span, in: TraceStore(workspace))
        call.splitPrompt(in: ModelHouse(workspace))
        return try order(
            model: call.specification ?? call.model, call.prompt, call.steps, call.document,
            at: step.map { Self.bytes(of: call.steps.prefix(max(0, $0))) }, workspace, desk)
    }

    /// Returns the length of some steps in bytes.
    static func bytes(of steps: some Sequence<TokenStep>) -> Int { steps.reduce(0) { $0 + $1.text.utf8.count } }

    /// Returns a text to run from recorded tokens or texts.
    ///
    /// - Parameter byte: Byte of the answer for the cursor (default: its start).
    static func order(
        model word: String, _ prompt: [PromptToken], _ steps: [TokenStep], _ document: PromptDocument, at byte: Int?,
        _ workspace: Workspace, _ desk: AttentionDesk
    ) throws -> AttentionOrder {
        let names = try desk.modelNames()
        let entries = try ModelHouse(workspace).registry.entries()
        let known = entries.first { $0.name == word || $0.specification == word }
        let isLocal =
            known.map { $0.file != nil } ?? (names.contains(word) || word.hasPrefix("/") && ModelPath.exists(word))
        guard isLocal || !names.isEmpty else { throw Self.noModel(word) }
        let model = isLocal ? known?.name ?? word : names[0]
        let answered = steps.map(\.text).joined()
        let ids = prompt.map(\.id) + steps.compactMap(\.id)
        // Token IDs are valid only for the model that produced them.
        if isLocal, !prompt.isEmpty, steps.allSatisfy({ $0.id != nil }), let tokens = Self.tokens(ids) {
            var (step, left) = (0, byte ?? 0)
            while step < steps.count - 1, left >= steps[step].text.utf8.count {
                left -= steps[step].text.utf8.count
                step += 1
            }
            return AttentionOrder(
                model: model, content: .tokens(tokens),
                place: .token(max(0, steps.isEmpty ? prompt.count - 1 : prompt.count + step)),
                answer: prompt.count..<tokens.count)
        }
        let asked = prompt.isEmpty ? Self.text(of: document.input) : prompt.map(\.text).joined()
        return AttentionOrder(
            model: model, content: .text(asked + answered), place: .byte(asked.utf8.count + (byte ?? 0)),
            remark: isLocal ? nil : "\(word) does not run locally: \(model) reads the text instead")
    }

    private static func tokens(_ ids: [Int]) -> [TokenID]? {
        let tokens = ids.compactMap { TokenID(exactly: $0) }
        return tokens.count == ids.count ? tokens : nil
    }

    /// Returns the texts of a conversation without known tokens, in order.
    static func text(of input: ModelRequest.Input) -> String {
        switch input {
        case .text(let text): text
        case .messages(let messages, _):
            messages.map { $0.parts.compactMap(\.plainText).joined() }.joined(separator: "\n") + "\n"
        case .tokens(let tokens): tokens.map(String.init).joined(separator: " ")
        }
    }

    static func noModel(_ word: String) -> Problem {
        Problem(
            .missing, "", "\(word) does not run in this process, and no local model is registered",
            remedy: "Add one with orrery model add PATH.")
    }

    // MARK: Preview

    /// Returns a summary of what the page shows of a generated object, without opening a model.
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
