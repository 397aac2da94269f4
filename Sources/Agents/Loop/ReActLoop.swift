internal import LanguageModels
internal import System

/// The state of one run.
struct ReActLoop {
    private let agent: ReActAgent
    private let question: String
    private let isCancelled: @Sendable () -> Bool
    private var dialogue: Dialogue
    private var reporter: RunReporter
    private var repeats = RepeatGuard()
    private var malformed = 0
    private var usage = Usage()
    private var steps: [AgentStep] = []
    private var grounding: Grounding

    private var limits: AgentLimits { agent.options.limits }

    init(
        _ agent: ReActAgent, _ question: String, _ documents: [String], _ sink: (any AgentRunSink)?,
        _ isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.agent = agent
        self.question = question
        self.isCancelled = isCancelled
        grounding = Grounding(question: question, documents: documents)
        dialogue = Dialogue(agent.dialogueForm, question: question, documents: documents, tools: agent.tools)
        reporter = RunReporter(sink, agent.clock)
    }

    mutating func run(_ receive: (AgentEvent) -> Void) -> AgentRun {
        reporter.began("react", question, agent.model, agent.tools, settings)
        var outcome: AgentOutcome?
        while outcome == nil { outcome = step(receive) }
        let ended = outcome ?? .cancelled
        reporter.ended(ended, steps: steps.count, usage: usage)
        var doubt: String?
        if let answer = ended.answer {
            receive(.answer(answer))
            doubt = self.doubt(answer, receive)
        }
        receive(.ended(ended))
        return AgentRun(
            question: question, outcome: ended, steps: steps, usage: usage, seconds: reporter.elapsed, doubt: doubt)
    }

    /// Returns why an answer should not be relied on, and marks what it invents.
    private mutating func doubt(_ answer: String, _ receive: (AgentEvent) -> Void) -> String? {
        if Grounding.declines(answer) { return "the model does not know the answer." }
        let invented = grounding.invented(inAnswer: answer)
        mark(invented, in: steps.count, receive)
        return invented.isEmpty
            ? nil
            : "the answer is not grounded: \(invented.prefix(5).joined(separator: ", ")) appears neither in the question nor "
                + "in a result that follows from it."
    }

    private mutating func mark(_ invented: [String], in number: Int, _ receive: (AgentEvent) -> Void) {
        guard !invented.isEmpty else { return }
        steps[number - 1].invented += invented
        receive(.invented(invented))
    }

    private var settings: [RunStart.Setting] {
        [
            .init("form", "\(dialogue.form)"), .init("max_steps", String(limits.steps)),
            .init("max_tokens", String(limits.tokens)), .init("max_seconds", String(limits.seconds)),
        ]
    }

    /// Limit that ends the run before the next turn; `nil` if it continues.
    private var limit: AgentOutcome? {
        if isCancelled() { return .cancelled }
        if reporter.elapsed >= limits.seconds { return .timeLimit(seconds: limits.seconds) }
        if steps.count >= limits.steps { return .stepLimit(limits.steps) }
        if usage.output >= limits.tokens { return .tokenLimit(limits.tokens) }
        return nil
    }

    /// Why a turn or tool that was ended from outside was ended.
    private var interruption: AgentOutcome { isCancelled() ? .cancelled : .timeLimit(seconds: limits.seconds) }

    /// Runs one turn and its consequences; returns the outcome if the run ends.
    private mutating func step(_ receive: (AgentEvent) -> Void) -> AgentOutcome? {
        if let limit { return limit }
        let number = steps.count + 1
        receive(.stepBegan(number))
        steps.append(AgentStep(number: number))
        let response: ModelResponse
        do throws(LanguageModelError) {
            response = try respond(receive)
        } catch {
            return shouldStop ? interruption : .modelFailed(error.sentence)
        }
        guard response.finish != .cancelled else { return interruption }
        let isWhole = response.finish != .length
        let parts = response.message.parts
        let calls = parts.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
        if dialogue.form == .tools, !calls.isEmpty {
            return take(calls, of: response.message, in: number, receive)
        }
        let text = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        // A turn that was cut may hold a whole action all the same.
        if !isWhole, usage.output >= limits.tokens, dialogue.form == .tools || !Turn(text, isWhole: false).isReadable {
            return .tokenLimit(limits.tokens)
        }
        return take(turn: text, isWhole: isWhole, in: number, receive)
    }

    private var shouldStop: Bool { isCancelled() || reporter.elapsed >= limits.seconds }
}

// MARK: - The model's turn

extension ReActLoop {
    private mutating func respond(
        _ receive: (AgentEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var sampling = agent.options.sampling
        sampling.stop = dialogue.stop
        sampling.maximumTokens = max(1, min(limits.tokensPerTurn, limits.tokens - usage.output))
        let request = ModelRequest(dialogue.input, sampling: sampling, alternatives: agent.options.alternatives)
        let start = reporter.now
        var prompt: [PromptToken] = []
        var answered: [TokenStep] = []
        let (clock, deadline, isCancelled) = (
            agent.clock, agent.clock.seconds() + limits.seconds - reporter.elapsed, isCancelled
        )
        let outcome: Result<ModelResponse, LanguageModelError>
        do throws(LanguageModelError) {
            outcome = .success(
                try agent.model.respond(
                    to: request, isCancelled: { isCancelled() || clock.seconds() >= deadline },
                    receive: { event in
                        switch event {
                        case .prompt(let tokens): prompt = tokens
                        case .token(let step):
                            answered.append(step)
                            receive(.token(step))
                        case .reasoning(let text): receive(.reasoning(text))
                        case .toolCall: break
                        }
                    }))
        } catch {
            outcome = .failure(error)
        }
        reporter.model(
            ModelCall(
                provider: agent.model.provider, model: agent.model.name, request: request, start: start,
                end: reporter.now, outcome: outcome, specification: agent.options.specification, prompt: prompt,
                answered: answered))
        switch outcome {
        // A provider that counts nothing must not have an endless budget: pieces are counted in its place.
        case .success(let response): usage += response.usage ?? Usage(output: max(1, answered.count))
        // What came before it failed was written, and paid for, all the same.
        case .failure: usage += Usage(output: answered.count)
        }
        return try outcome.get()
    }

    /// Reads a turn in the text form.
    private mutating func take(
        turn text: String, isWhole: Bool, in number: Int, _ receive: (AgentEvent) -> Void
    ) -> AgentOutcome? {
        // A model that calls tools in its own way answers by not calling any.
        if dialogue.form == .tools {
            let answer = text.trimmed
            if !answer.isEmpty, isWhole { return .answered(answer) }
            return reject(
                isWhole
                    ? "the answer is empty; call a tool or write the answer"
                    : "the answer was cut off; write a shorter one",
                after: text, in: number, receive)
        }
        let turn = Turn(text, isWhole: isWhole)
        if let thought = turn.thought {
            steps[number - 1].thought = thought
            receive(.thought(thought))
        }
        switch turn.content {
        case .answer(let answer): return .answered(answer)
        case .malformed(let problem): return reject(problem, after: turn.kept, in: number, receive)
        case .action(let tool, let arguments, let json):
            malformed = 0
            let call = ToolCall(id: "call-\(number)", name: tool, arguments: json)
            let result = run(call, .success(arguments), in: number, receive)
            dialogue.add(
                turn: turn.kept, observation: AgentObservation(text: result.content, isError: result.isError))
            return endAfterTool(tool)
        }
    }

    /// Reports a malformed turn to the model; ends the run after too many of them.
    private mutating func reject(
        _ problem: String, after turn: String, in number: Int, _ receive: (AgentEvent) -> Void
    ) -> AgentOutcome? {
        malformed += 1
        steps[number - 1].malformed = turn
        receive(.malformed(turn))
        let observation = AgentObservation(text: "error: " + problem, isError: true)
        steps[number - 1].observations.append(observation)
        receive(.observation(observation))
        dialogue.add(turn: turn, observation: observation)
        return malformed >= limits.malformed ? .malformed(problem, times: malformed) : nil
    }
}

// MARK: - Tools

extension ReActLoop {
    /// Runs the calls of a turn in the model's own form, in their order.
    private mutating func take(
        _ calls: [ToolCall], of message: Message, in number: Int, _ receive: (AgentEvent) -> Void
    ) -> AgentOutcome? {
        malformed = 0
        var results: [ToolResult] = []
        var ending: AgentOutcome?
        for call in calls {
            let arguments: Result<ToolArguments, ToolError>
            if ending == nil {
                do throws(ToolError) { arguments = .success(try ToolArguments(json: call.arguments)) } catch {
                    arguments = .failure(error)
                }
            } else {
                arguments = .failure(ToolError("not run, because the run has ended"))
            }
            results.append(run(call, arguments, in: number, receive))
            ending = ending ?? endAfterTool(call.name)
        }
        dialogue.add(answer: message, results: results)
        return ending
    }

    /// Returns why the run ends after a call; `nil` if it continues.
    private func endAfterTool(_ tool: String) -> AgentOutcome? {
        if shouldStop { return interruption }
        return repeats.repeats >= limits.repeats ? .repeated(tool: tool, times: repeats.repeats) : nil
    }

    /// Runs one call; there is a result in every case.
    private mutating func run(
        _ call: ToolCall, _ arguments: Result<ToolArguments, ToolError>, in number: Int,
        _ receive: (AgentEvent) -> Void
    ) -> ToolResult {
        receive(.action(call))
        // Arguments that cannot be read are an error of the call and hold no words.
        let invented = (try? arguments.get()).map { grounding.invented(inArguments: $0.text) } ?? []
        mark(invented, in: number, receive)
        let start = reporter.now
        let outcome: ToolBox.Outcome
        switch arguments {
        case .failure(let error): outcome = .error(error.sentence)
        case .success(let arguments):
            if let earlier = repeats.step(ofEarlier: call.name, arguments, now: number) {
                outcome = .error("the same call was made in step \(earlier); use its result or answer")
            } else {
                let reporter = reporter
                let (isCancelled, seconds) = (isCancelled, limits.seconds)
                outcome = agent.tools.run(call.name, arguments) { isCancelled() || reporter.elapsed >= seconds }
            }
        }
        let result = ToolResult(callID: call.id, content: outcome.text, isError: outcome.isError)
        reporter.tool(ToolRun(call: call, result: result, start: start, end: reporter.now))
        let observation = AgentObservation(text: outcome.text, isError: outcome.isError)
        steps[number - 1].calls.append(call)
        steps[number - 1].observations.append(observation)
        receive(.observation(observation))
        // A result computed from invented numbers or by another operation proves nothing; a document is there anyway.
        let isComputed = call.name == Calculator().definition.name
        let isTainted = outcome.isError || isComputed && invented.contains { $0.first?.isLetter != true }
        if !isTainted { grounding.read(outcome.text, after: invented) }
        return result
    }
}
