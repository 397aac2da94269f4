internal import JSON
public import LanguageModels
internal import Models
public import Tokenizers

extension LocalModel {
    /// The tokens of what is asked, each with where it came from.
    ///
    /// - Throws: `LanguageModelError` where the template refuses, or an id is out of range.
    public func prompt(for request: ModelRequest) throws(LanguageModelError) -> [PromptToken] {
        switch request.input {
        case .tokens(let ids):
            return try ids.map { id throws(LanguageModelError) in
                guard let token = TokenID(exactly: id), token >= 0, id < configuration.vocabularySize else {
                    throw LanguageModelError(
                        .request, model: name,
                        problem: "token \(id) is not in the vocabulary of \(configuration.vocabularySize)")
                }
                return self.token(token, .template)
            }
        case .text(let text):
            let encoding = tokenizer.encoding(of: text)
            return zip(encoding.ids, encoding.offsets).map { id, range in
                token(id, range.isEmpty ? .template : .user)
            }
        case .messages(let messages, let tools):
            let rendered = try render(messages, tools, request.templateVariables)
            return rendered.tokens(with: tokenizer).map { token($0.id, $0.origin) }
        }
    }

    /// A conversation in the model's format.
    public func render(
        _ messages: [Message], _ tools: [ToolDefinition], _ variables: [String: String]
    ) throws(LanguageModelError) -> RenderedPrompt {
        do {
            var values: [String: TemplateVariable] = [:]
            for (name, text) in variables {
                // A word that is no JSON is meant as a text.
                values[name] = (try? TemplateVariable(json: text)) ?? .string(text)
            }
            return try (template ?? .chatML).render(
                messages: messages, tools: tools, addGenerationPrompt: true, variables: values,
                specialTokens: specialTokenTexts)
        } catch {
            throw LanguageModelError(
                .request, model: name, problem: "the chat template failed: \(error.sentence)",
                remedy: "Change the conversation, or send it as plain text.")
        }
    }

    private var specialTokenTexts: [String: String] {
        let special = tokenizer.special
        let named: [(String, TokenID?)] = [
            ("bos_token", special.bos), ("eos_token", special.eos), ("unk_token", special.unknown),
            ("pad_token", special.padding),
        ]
        var texts: [String: String] = [:]
        for (name, id) in named { if let id { texts[name] = tokenizer.piece(id) } }
        return texts
    }

    private func token(_ id: TokenID, _ origin: TokenOrigin) -> PromptToken {
        let bytes = tokenizer.bytes(of: id)
        return PromptToken(
            id: Int(id), text: bytes.isEmpty ? tokenizer.piece(id) : String(decoding: bytes, as: UTF8.self),
            origin: origin)
    }
}
