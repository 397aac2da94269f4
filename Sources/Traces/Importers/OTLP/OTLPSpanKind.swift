import LanguageModels

extension SpanKind {
    /// What a span did, from its attributes: the first convention that knows the value decides.
    init(_ attributes: OTLPAttributes) {
        if let word = attributes.lowered(.openInferenceKind), let kind = SpanKind.openInference[word] {
            self = kind
        } else if let word = attributes.lowered(.operation), let kind = SpanKind.operations[word] {
            self = kind
        } else if let word = attributes.lowered(.langSmithKind), let kind = SpanKind.langSmith[word] {
            self = kind
        } else if let operation = attributes[.vercelOperation]?.string, operation.hasPrefix("ai.") {
            self = SpanKind.vercel(operation)
        } else if attributes[.mcpMethod]?.isString == true {
            self = attributes.lowered(.mcpMethod) == "tools/call" ? .tool : .other
        } else if attributes.rank(.toolName) == 0 || attributes.rank(.toolCallID) == 0 {
            self = .tool
        } else {
            self = attributes.hasName(startingWith: SpanKind.modelAttributes) ? .model : .other
        }
    }

    private static let openInference: [String: SpanKind] = [
        "llm": .model, "tool": .tool, "agent": .agent, "retriever": .retrieval, "reranker": .reranker,
        "embedding": .embedding, "guardrail": .guardrail, "evaluator": .evaluator, "chain": .chain, "prompt": .chain,
    ]

    private static let operations: [String: SpanKind] = [
        "chat": .model, "generate_content": .model, "text_completion": .model, "embeddings": .embedding,
        "retrieval": .retrieval, "execute_tool": .tool, "invoke_agent": .agent, "create_agent": .agent,
        "invoke_workflow": .chain, "plan": .chain,
    ]

    private static let langSmith: [String: SpanKind] = [
        "llm": .model, "tool": .tool, "retriever": .retrieval, "embedding": .embedding, "chain": .chain,
        "prompt": .chain, "parser": .chain, "agent": .agent,
    ]

    private static func vercel(_ operation: String) -> SpanKind {
        if operation.hasSuffix(".doGenerate") || operation.hasSuffix(".doStream") { return .model }
        if operation.hasSuffix(".doEmbed") { return .embedding }
        return operation == "ai.toolCall" ? .tool : .chain
    }

    private static let modelAttributes: [StaticString] = [
        "gen_ai.request.model", "gen_ai.response.model", "gen_ai.usage.", "gen_ai.prompt", "gen_ai.completion",
        "llm.model_name",
    ]
}
