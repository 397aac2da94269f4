internal import JSON
internal import LanguageModels
internal import ModelLab
internal import System
internal import Traces

/// A model call of a trace with its texts: prompt, tools, and answer.
struct RecordedCall {
    var title: String
    var model: String
    /// Prompt and settings of the call, in their recorded form: a conversation, a text, or tokens.
    var document: PromptDocument
    var answer: String
    /// Tokens of the answer if recorded; otherwise, its text as one step.
    var steps: [TokenStep]
    /// Tokens of the prompt; empty if not recorded.
    var prompt: [PromptToken]
    /// Specification that opens the model again; `nil` if not recorded.
    var specification: String?
    var reasoning: String
    var toolCalls: [ToolCall]
    /// Nanoseconds since 1970.
    var start: Int64
    var seconds: Double?
    var usage: Usage?

    /// Reads a model call of a trace.
    ///
    /// - Throws: `Problem` if the span is not a model call, or its trace no longer exists.
    init(trace id: Int64, span ordinal: Int, in store: TraceStore) throws {
        guard let trace = try store.trace(id), trace.spans.indices.contains(ordinal) else {
            throw Problem.gone("the run")
        }
        let span = trace.spans[ordinal]
        guard span.kind == .model else {
            throw Problem(
                .invalid, "", "\(span.name) is not a model call",
                remedy: "Select a model call (◇) to work on its prompt.")
        }
        let replay = Replay(trace)
        guard let step = replay.step(of: ordinal) else {
            throw Problem(.missing, "", "the run does not contain this step")
        }
        let read = try store.messages(replay.context(at: step).messages).compactMap(\.self)
        let inside = try store.inside(of: span)
        let answers = try store.messages(replay.messages(of: ordinal)).compactMap(\.self)
        let parts = answers.flatMap(\.parts)
        answer = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
        reasoning = parts.compactMap { if case .reasoning(let text) = $0 { text } else { nil } }.joined()
        toolCalls = parts.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
        model = span.model ?? "the recorded model"
        document = PromptDocument(
            model: model, input: Self.input(inside.form, read), sampling: inside.sampling,
            templateVariables: inside.templateVariables)
        prompt = inside.prompt
        steps = inside.steps.isEmpty && !answer.isEmpty ? [TokenStep(text: answer)] : inside.steps
        specification = inside.specification
        title = (span.caption ?? span.name).prefix(60) + ""
        start = span.start
        seconds = span.duration.map { Double($0) / 1e9 }
        usage = span.usage
    }

    private static func input(_ form: RecordedInside.Form, _ read: [Message]) -> ModelRequest.Input {
        switch form {
        case .tokens(let ids): return .tokens(ids)
        case .text:
            let parts = read.flatMap(\.parts)
            return .text(parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined())
        case .messages:
            let tools = read.flatMap(\.parts).flatMap(ToolDefinition.recorded)
            return .messages(read.map(\.withoutDefinitions).filter { !$0.parts.isEmpty }, tools: tools)
        }
    }
}

extension Message {
    /// The message without its tool definitions, which are stored among the parts of a system message.
    fileprivate var withoutDefinitions: Message {
        Message(role, parts.filter { if case .other("tool definitions", _) = $0 { false } else { true } })
    }
}

extension ToolDefinition {
    /// Returns the tools that a part of a recorded message defines, in OpenTelemetry's or OpenAI's form.
    fileprivate static func recorded(in part: Message.Part) -> [ToolDefinition] {
        guard case .other("tool definitions", let json) = part, let document = try? JSONDocument(parsing: json) else {
            return []
        }
        return document.withRoot { root in
            let items = root.kind == .array ? Array(root.elements) : [root]
            return items.compactMap { item in
                let tool = item["function"] ?? item
                guard let name = tool["name"]?.string else { return nil }
                let parameters = tool["parameters"] ?? tool["input_schema"]
                return ToolDefinition(
                    name: name, description: tool["description"]?.string ?? "",
                    parameters: parameters.map { String(decoding: $0.source, as: UTF8.self) } ?? "{}")
            }
        }
    }
}
