public import Inference
internal import Kernels
public import LanguageModels
public import Models
internal import Tokenizers

extension LocalModel {
    public func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        let prompt = try prompt(for: request)
        receive(.prompt(prompt))
        guard desk.take(unless: isCancelled) else { return cancelled() }
        defer { desk.leave() }
        do {
            return try answer(prompt.map { TokenID($0.id) }, request, isCancelled, receive)
        } catch {
            throw LanguageModelError(.local, model: name, problem: error.problem, remedy: error.remedy)
        }
    }

    private func answer(
        _ ids: [TokenID], _ request: ModelRequest, _ isCancelled: @Sendable () -> Bool,
        _ receive: (ModelEvent) -> Void
    ) throws(ModelError) -> ModelResponse {
        let options = try GenerationOptions(
            request.sampling, alternatives: request.alternatives, showsStages: request.alternatives > 0,
            samplers: samplers)
        let generator = desk.generator
        makeRoom(for: ids.count + min(request.sampling.maximumTokens ?? 256, 4096))
        let completion = try generator.begin(ids, answered: request.generatedTokens, sharing: desk.kept)
        keep(completion)
        desk.decoder.pass.profile = desk.profile
        desk.decoder.pass.expertLoad = ExpertLoad(for: configuration)
        desk.profile.reset()
        defer {
            desk.decoder.pass.profile = nil
            desk.decoder.pass.expertLoad = nil
        }
        var meter = LiveMeter(model: self, completion: completion, prompt: ids.count)
        let answer = try generator.generate(completion, options, isCancelled: isCancelled) { step in
            // The first step is the whole prompt: its operations are another kind of work.
            if meter.isFirst { desk.profile.reset() }
            meter.note(step)
            receive(.token(step))
        }
        if !answer.tail.isEmpty { receive(.token(TokenStep(text: answer.tail))) }
        meter.publish()
        var message = Message(.assistant, [.text(answer.text)])
        var finish = answer.finish
        if case .messages(_, let tools) = request.input, !tools.isEmpty {
            let calls = ToolCallText.calls(in: answer.text, tools: tools)
            for call in calls { receive(.toolCall(call)) }
            if !calls.isEmpty {
                message.parts = [.text(ToolCallText.prose(of: answer.text))] + calls.map(Message.Part.toolCall)
                finish = finish == .stop ? .toolCalls : finish
            }
        }
        return ModelResponse(
            message: message, finish: finish, usage: answer.usage, model: name,
            secondsToFirstToken: answer.secondsToFirstToken, seconds: answer.seconds)
    }

    /// Answers whose keys and values stay: what begins like one of them begins from there.
    private static let mostKept = 8

    func keep(_ completion: Completion) {
        desk.kept.append(completion)
        if desk.kept.count > Self.mostKept { desk.kept.removeFirst() }
        // A budget that is nearly taken is for the answer that comes.
        while desk.kept.count > 1, desk.generator.pool.counts.used * 2 > desk.generator.pool.counts.limit {
            desk.kept.removeFirst()
        }
    }

    /// Releases stored generations if their pages are needed.
    func makeRoom(for tokens: Int) {
        let pool = desk.generator.pool
        while !desk.kept.isEmpty, pool.counts.limit - pool.counts.used < pool.layout.pages(positions: tokens) {
            desk.kept.removeFirst()
        }
    }

    private func cancelled() -> ModelResponse {
        ModelResponse(
            message: Message(.assistant, []), finish: .cancelled, usage: nil, model: name, secondsToFirstToken: nil,
            seconds: 0)
    }

    /// Works with the generator alone: scores of texts, measurements.
    ///
    /// - Parameter body: gets the generator, and the pass for hooks.
    public func withGenerator<T>(_ body: (Generator, ForwardPass) throws -> T) rethrows -> T {
        _ = desk.take(unless: { false })
        defer { desk.leave() }
        return try body(desk.generator, desk.decoder.pass)
    }
}
