import CommandSupport
import Console
import Formatting
import JSON
import LanguageModels
import ModelLab
import Models
import System
import Tokenizers

/// A conversation in a model's chat format: text, tokens, and the origin of each token.
struct RenderedConversation: JSONRepresentable {
    let prompt: RenderedPrompt
    let tokenizer: Tokenizer
    let tokens: [RenderedPrompt.Token]
    let isFallback: Bool

    /// - Parameter templatePath: Jinja file that replaces the model's template.
    init(path: String, document: PromptDocument, templatePath: String?) throws {
        guard let tokenizer = try Checkpoints.tokenizer(path) else {
            throw Problem(.missing, path, "no tokenizer in the model file or folder", remedy: "Add a tokenizer.json.")
        }
        let source = try templatePath.map { try SmallFile.text($0) } ?? Checkpoints.chatTemplateSource(path)
        guard case .messages(let messages, let tools) = document.input else {
            throw Problem(
                .missing, "", "the prompt is plain text, so there is no conversation to render",
                remedy: "Use messages in the prompt file.")
        }
        var texts: [String: String] = [:]
        for (name, id) in [("bos_token", tokenizer.special.bos), ("eos_token", tokenizer.special.eos)] {
            if let id { texts[name] = tokenizer.piece(id) }
        }
        let template = try source.map { try ChatTemplate(source: $0) }
        let variables = document.templateVariables.mapValues { (try? TemplateVariable(json: $0)) ?? .string($0) }
        prompt = try (template ?? .chatML).render(
            messages: messages, tools: tools, variables: variables, specialTokens: texts)
        self.tokenizer = tokenizer
        isFallback = template == nil
        tokens = prompt.tokens(with: tokenizer)
    }

    var text: String {
        var table = TextTable(["token", "id", "from"], rightAligned: [1])
        for token in tokens { table.add([tokenizer.piece(token.id), String(token.id), token.origin.name]) }
        return prompt.text + (prompt.text.hasSuffix("\n") ? "\n" : "\n\n") + table.text
    }

    var note: String {
        let counts = TokenOrigin.allCases.compactMap { origin in
            let count = tokens.count { $0.origin == origin }
            return count > 0 ? "\(count) from \(origin.name)" : nil
        }
        return "\(Format.count(tokens.count)) tokens: \(counts.joined(separator: ", "))"
            + (isFallback ? ". The model has no template, so ChatML was used." : "")
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("text", prompt.text)
            json.member("fallback", isFallback)
            json.objects("tokens", of: tokens) { token, json in
                json.member("id", Int(token.id))
                json.member("piece", tokenizer.piece(token.id))
                json.member("origin", token.origin.name)
            }
        }
    }
}
