public import JSON
public import LanguageModels

/// How a model wants to read a conversation: a Jinja template, as it comes with the model.
///
/// Rendering follows `transformers`: the same variables, the same settings of Jinja, the same sandbox. What it adds is
/// the provenance of every byte, so that no message can smuggle a control token into a prompt.
/// ```swift
/// let template = try ChatTemplate(source: "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}")
/// let prompt = try template.render(messages: [Message(.user, [.text("Hi")])])
/// print(prompt.text)                        // <|user|>Hi
/// ```
public struct ChatTemplate: Sendable {
    /// The template as it was given.
    public let source: String
    /// Whether it was made up here because the model has none.
    public let isFallback: Bool
    private let statements: [Jinja.Statement]
    private let limits: Jinja.Limits

    /// Parses a template.
    public init(source: String) throws(ChatTemplateError) { try self.init(source: source, limits: Jinja.Limits()) }

    package init(source: String, limits: Jinja.Limits, isFallback: Bool = false) throws(ChatTemplateError) {
        self.source = source
        self.isFallback = isFallback
        self.limits = limits
        statements = try Jinja.Parser.parse(source, limits)
    }

    /// A template that renders nothing.
    init(empty source: String) {
        self.source = source
        isFallback = true
        limits = Jinja.Limits()
        statements = []
    }

    /// Renders a conversation.
    ///
    /// - Parameters:
    ///   - tools: Tools that the model may call; `tools` is none in the template if there are none.
    ///   - addGenerationPrompt: whether the text ends where the model's answer begins.
    ///   - variables: further variables by name. Their texts count as the operator's (`system`), those of `documents`
    ///     as a tool's.
    ///   - specialTokens: texts of special tokens by the name that templates use, `bos_token` and so on.
    ///   - now: what `strftime_now` prints.
    public func render(
        messages: [Message], tools: [ToolDefinition] = [], addGenerationPrompt: Bool = true,
        variables: [String: TemplateVariable] = [:], specialTokens: [String: String] = [:], now: LocalTime = .now()
    ) throws(ChatTemplateError) -> RenderedPrompt {
        var values: [String: Jinja.Value] = [:]
        for (name, variable) in variables {
            values[name] = try Jinja.Value(variable, name == "documents" ? .tool : .system)
        }
        for (name, token) in specialTokens { values[name] = .text(token) }
        values["messages"] = try Jinja.Value.conversation(messages)
        values["tools"] = try tools.isEmpty ? Jinja.Value.none : Jinja.Value.tools(tools)
        values["documents"] = values["documents"] ?? Jinja.Value.none
        values["add_generation_prompt"] = .boolean(addGenerationPrompt)
        return try render(values, now: now)
    }

    /// Renders variables given as one JSON object, the messages in the form of chat APIs.
    package func render(json: String, now: LocalTime) throws(ChatTemplateError) -> RenderedPrompt {
        guard let document = try? JSONDocument(parsing: json, maximumDepth: 100) else {
            throw .failure("the variables must be JSON.")
        }
        let values = try document.withRoot { root throws(ChatTemplateError) in
            var values: [String: Jinja.Value] = [:]
            for (key, node) in root.members {
                let name = key.string ?? ""
                let origin: TokenOrigin =
                    name == "tools" || name == "documents" ? .tool : name.hasSuffix("_token") ? .template : .system
                values[name] = try name == "messages" ? .messages(node) : Jinja.Value(node, origin)
            }
            return values
        }
        return try render(values, now: now)
    }

    private func render(_ variables: [String: Jinja.Value], now: LocalTime) throws(ChatTemplateError) -> RenderedPrompt
    {
        var globals = Jinja.functions()
        globals.merge(variables) { _, variable in variable }
        let evaluator = Jinja.Evaluator(globals: globals, now: now, limits: limits)
        for value in variables.values { _ = try evaluator.made(value) }
        try evaluator.run(statements)
        return RenderedPrompt(evaluator.output, generated: evaluator.generated)
    }
}
