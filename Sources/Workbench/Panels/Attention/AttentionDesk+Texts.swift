internal import FeatureLab
internal import Formatting
internal import LanguageModels
internal import ModelLab
internal import Providers
internal import System
internal import Tokenizers
internal import Traces
internal import Workspace

extension AttentionDesk {
    /// Returns a recorded prompt with its answer; a step puts the cursor on its token.
    func order(answer id: Int64, step: Int?) throws -> AttentionOrder {
        guard let answer = try GenerationStore(workspace).generation(id) else { throw Problem.gone("answer \(id)") }
        return try order(
            model: answer.document.model, answer.prompt, answer.steps, answer.document,
            at: step.map { Self.bytes(of: answer.steps.prefix(max(0, $0))) })
    }

    /// Returns the prompt of a recorded call with its answer, on the model that answered if it is available here.
    func order(trace: Int64, span: Int, step: Int?) throws -> AttentionOrder {
        var call = try RecordedCall(trace: trace, span: span, in: TraceStore(workspace))
        call.splitPrompt(in: house)
        return try order(
            model: call.specification ?? call.model, call.prompt, call.steps, call.document,
            at: step.map { Self.bytes(of: call.steps.prefix(max(0, $0))) })
    }

    /// Returns the length of some steps in bytes.
    static func bytes(of steps: some Sequence<TokenStep>) -> Int { steps.reduce(0) { $0 + $1.text.utf8.count } }

    /// Returns a text to run from recorded tokens or texts.
    ///
    /// - Parameter byte: Byte of the answer for the cursor (default: its start).
    func order(
        model word: String, _ prompt: [PromptToken], _ steps: [TokenStep], _ document: PromptDocument, at byte: Int?
    ) throws -> AttentionOrder {
        let names = try modelNames()
        let entries = try house.registry.entries()
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

    /// Returns the strongest example of a feature for reading, with the cursor where the feature fires most.
    ///
    /// - Parameter reference: `[dictionary, feature]`.
    /// - Throws: An error if the feature has no example, or if its model is missing.
    func order(ofFeature reference: Reference) throws -> AttentionOrder {
        let noExample = Problem(
            .missing, "", "\(reference.title) has no examples", remedy: "Run orrery feature index to find them.")
        guard reference.path.count > 1 else { throw noExample }
        let store = FeatureStore(workspace)
        let dictionary = store.located(try store.dictionary(reference.path[0]))
        guard let path = dictionary.modelPath else { throw Self.noModel(dictionary.model) }
        let dashboard = try store.dashboard(of: dictionary.id, feature: Int(clamping: reference.path[1]))
        guard let example = dashboard.top.first else { throw noExample }
        let entries = try house.registry.entries()
        let model = entries.first { $0.specification == path }?.name ?? path
        guard example.tokens.isEmpty else {
            return AttentionOrder(
                model: model, content: .tokens(example.tokens), place: .token(example.peak), origin: reference)
        }
        let before = example.texts.prefix(example.peak).reduce(0) { $0 + $1.utf8.count }
        return AttentionOrder(
            model: model, content: .text(example.texts.joined()), place: .byte(before), origin: reference)
    }

    // MARK: Preview

    /// Returns a summary of what the page shows of a generated object, without opening a model.
    ///
    /// - Throws: The error of opening the object, if the panel has nothing to show.
    func preview(of reference: Reference) throws -> Preview {
        guard let number = reference.path.first else { return .unplaced }
        switch reference.kind {
        case .generation, .token:
            return Self.preview(of: try order(answer: number, step: nil))
        case .span where reference.path.count > 1:
            let call = try RecordedCall(
                trace: number, span: Int(clamping: reference.path[1]), in: TraceStore(workspace))
            return Self.preview(
                of: try order(
                    model: call.specification ?? call.model, call.prompt, call.steps, call.document, at: nil))
        case .citation:
            guard let reader = try modelNames().first else { throw Self.noModel("the answer's model") }
            return .shows("attention to the passage, read by the answer's model or \(reader)")
        case .feature:
            let order = try order(ofFeature: reference)
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
