internal import JSON
internal import LanguageModels
internal import ModelLab
internal import Traces

/// A model call of a trace with its texts: what was asked, with which tools, and what came.
struct RecordedCall {
    var title: String
    var model: String
    /// What was asked, and how, in the form in which it was: a conversation, a text or tokens.
    var document: PromptDocument
    var answer: String
    /// The answer token by token where the call was recorded so; else its text as one step.
    var steps: [TokenStep]
    /// Empty where it was not recorded.
    var prompt: [PromptToken]
    /// What opens the model again; nil where it was not recorded.
    var specification: String?
    var reasoning: String
    var toolCalls: [ToolCall]
    /// Nanoseconds since 1970.
    var start: Int64
    var seconds: Double?
    var usage: Usage?

    /// - Throws: a sentence where the span is no model call, or its trace is gone.
    init(trace id: Int64, span ordinal: Int, in store: TraceStore) throws {
        guard let trace = try store.trace(id), trace.spans.indices.contains(ordinal) else {
            throw NoCall(problem: "the run is no longer in the workspace")
        }
        let span = trace.spans[ordinal]
        guard span.kind == .model else {
            throw NoCall(problem: "\(span.name) is not a model call. Select a model call (◇) to work on its prompt.")
        }
        let replay = Replay(trace)
        guard let step = replay.step(of: ordinal) else { throw NoCall(problem: "the run has no such step") }
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

    struct NoCall: Error, CustomStringConvertible {
        var problem: String
        var description: String { problem + "." }
    }
}

extension Message {
    /// Definitions of tools are kept among the parts of a system message; here they stand apart.
    fileprivate var withoutDefinitions: Message {
        Message(role, parts.filter { if case .other("tool definitions", _) = $0 { false } else { true } })
    }
}

extension ToolDefinition {
    /// The tools that a part of a recorded message defines: OpenTelemetry's and OpenAI's forms.
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
