/// What attributes are called: one row a meaning, its names in the order in which they are believed.
///
/// The conventions are still in development and have been renamed several times; a new name is a word in this table.
/// Current `gen_ai.*` names come first, then its older ones, OpenInference, the Vercel AI SDK and others.
enum OTLPMeaning: Int, CaseIterable {
    case openInferenceKind, operation, langSmithKind, vercelOperation, mcpMethod
    case inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens
    case responseModel, requestModel, cost, inputCost, outputCost
    case toolName, toolCallID, toolArguments, toolResult, agentName, errorType
    case inputMessages, legacyPrompt, vercelPrompt
    case outputMessages, legacyCompletion, vercelText, vercelToolCalls, vercelObject, vercelReasoning
    case systemInstructions, toolDefinitions
    case inputValue, outputValue, query, documents
    case eventName, eventContent

    static let names: [(meaning: OTLPMeaning, names: [String])] = [
        (.openInferenceKind, ["openinference.span.kind"]),
        (.operation, ["gen_ai.operation.name"]),
        (.langSmithKind, ["langsmith.span.kind"]),
        (.vercelOperation, ["ai.operationId"]),
        (.mcpMethod, ["mcp.method.name"]),
        (
            .inputTokens,
            [
                "gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt",
                "ai.usage.promptTokens", "ai.usage.inputTokens",
            ]
        ),
        (
            .outputTokens,
            [
                "gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion",
                "ai.usage.completionTokens", "ai.usage.outputTokens",
            ]
        ),
        (
            .cacheReadTokens,
            [
                "gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens",
                "llm.token_count.prompt_details.cache_read", "ai.usage.cachedInputTokens",
            ]
        ),
        (
            .cacheWriteTokens,
            [
                "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_write.input_tokens",
                "gen_ai.usage.cache_creation_input_tokens", "llm.token_count.prompt_details.cache_write",
            ]
        ),
        (
            .reasoningTokens,
            [
                "gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens",
                "llm.token_count.completion_details.reasoning", "ai.usage.reasoningTokens",
            ]
        ),
        (.responseModel, ["gen_ai.response.model", "ai.response.model"]),
        (
            .requestModel,
            [
                "gen_ai.request.model", "llm.model_name", "embedding.model_name", "reranker.model_name", "ai.model.id",
            ]
        ),
        (.cost, ["llm.cost.total", "gen_ai.usage.cost", "operation.cost"]),
        (.inputCost, ["llm.cost.prompt"]),
        (.outputCost, ["llm.cost.completion"]),
        (.toolName, ["gen_ai.tool.name", "tool.name", "ai.toolCall.name"]),
        (.toolCallID, ["gen_ai.tool.call.id", "ai.toolCall.id"]),
        (.toolArguments, ["gen_ai.tool.call.arguments", "ai.toolCall.args", "tool.parameters"]),
        (.toolResult, ["gen_ai.tool.call.result", "ai.toolCall.result"]),
        (.agentName, ["gen_ai.agent.name", "agent.name"]),
        (.errorType, ["error.type"]),
        (.inputMessages, ["gen_ai.input.messages"]),
        (.legacyPrompt, ["gen_ai.prompt"]),
        (.vercelPrompt, ["ai.prompt.messages"]),
        (.outputMessages, ["gen_ai.output.messages"]),
        (.legacyCompletion, ["gen_ai.completion"]),
        (.vercelText, ["ai.response.text"]),
        (.vercelToolCalls, ["ai.response.toolCalls"]),
        (.vercelObject, ["ai.response.object"]),
        (.vercelReasoning, ["ai.response.reasoning"]),
        (.systemInstructions, ["gen_ai.system_instructions"]),
        (.toolDefinitions, ["gen_ai.tool.definitions", "ai.prompt.tools"]),
        (.inputValue, ["input.value", "traceloop.entity.input"]),
        (.outputValue, ["output.value", "traceloop.entity.output"]),
        (.query, ["gen_ai.retrieval.query.text", "reranker.query"]),
        (.documents, ["gen_ai.retrieval.documents"]),
        (.eventName, ["event.name"]),
        (.eventContent, ["gen_ai.event.content"]),
    ]

    /// Of every name, the digest, and its meaning and rank as `meaning << 8 | rank`.
    static let table: KeyTable = {
        var table = KeyTable()
        for (meaning, names) in names {
            for (rank, name) in names.enumerated() { table.set(Digest.of(name), meaning.rawValue << 8 | rank) }
        }
        return table
    }()
}

/// Lists that are written as one attribute an item: `llm.input_messages.3.message.role`.
enum OTLPList: Int, CaseIterable {
    case openInferenceInput, openInferenceOutput, legacyPrompt, legacyCompletion, prompts, choices, tools, documents
    case rerankerInput, rerankerOutput

    static let prefixes: [(list: OTLPList, prefix: StaticString)] = [
        (.openInferenceInput, "llm.input_messages."),
        (.openInferenceOutput, "llm.output_messages."),
        (.legacyPrompt, "gen_ai.prompt."),
        (.legacyCompletion, "gen_ai.completion."),
        (.prompts, "llm.prompts."),
        (.choices, "llm.choices."),
        (.tools, "llm.tools."),
        (.documents, "retrieval.documents."),
        (.rerankerInput, "reranker.input_documents."),
        (.rerankerOutput, "reranker.output_documents."),
    ]
}
