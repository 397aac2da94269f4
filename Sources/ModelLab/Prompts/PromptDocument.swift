public import LanguageModels

/// A request with its model: the text in the tokens panel and the editor, which becomes the request to the model.
///
/// The text form has a line `--- WORD` before each part; a line of content that begins with `---` is written with a
/// backslash before it.
///
/// ```
/// --- settings
/// model = stories260K
/// temperature = 0.8
/// --- system
/// Answer in one sentence.
/// --- user
/// Why do planets wander?
/// ```
public struct PromptDocument: Hashable, Sendable {
    /// Model name, path, or provider specification; empty until one is chosen.
    public var model: String
    public var input: ModelRequest.Input
    public var sampling: Sampling
    /// Alternatives asked for at each token.
    public var alternatives: Int
    public var templateVariables: [String: String]

    /// Maximum number of alternatives that remote endpoints return.
    public static let standardAlternatives = 20

    public init(
        model: String = "", input: ModelRequest.Input = .messages([], tools: []), sampling: Sampling = Sampling(),
        alternatives: Int = PromptDocument.standardAlternatives, templateVariables: [String: String] = [:]
    ) {
        self.model = model
        self.input = input
        self.sampling = sampling
        self.alternatives = alternatives
        self.templateVariables = templateVariables
    }

    public var request: ModelRequest {
        ModelRequest(
            input, sampling: sampling, alternatives: alternatives, templateVariables: templateVariables)
    }

    /// Whether the prompt has no content yet.
    public var isEmpty: Bool {
        switch input {
        case .messages(let messages, _): messages.isEmpty
        case .text(let text): text.isEmpty
        case .tokens(let tokens): tokens.isEmpty
        }
    }

    /// Label for lists: the start of the last message.
    public var caption: String {
        switch input {
        case .messages(let messages, _):
            let last = messages.last { $0.role == .user } ?? messages.last
            return last?.parts.lazy.compactMap(\.plainText).first { !$0.isEmpty } ?? "empty prompt"
        case .text(let text): return text.isEmpty ? "empty prompt" : text
        case .tokens(let tokens): return "\(tokens.count) tokens"
        }
    }
}

extension Message.Part {
    /// Text of the part; `nil` for calls and attachments.
    package var plainText: String? {
        switch self {
        case .text(let text), .reasoning(let text): text
        case .toolResult(let result): result.content
        case .toolCall, .attachment, .other: nil
        }
    }
}

extension PromptDocument {
    /// The settings that differ from a provider's own, on one line: `temperature 0.7, top_k 40`.
    public var settingsLine: String {
        var words = PromptSetting.all(with: sampling.extraFields).compactMap { setting in
            setting.value(in: self).map { "\(setting.name) \($0)" }
        }
        if !sampling.stop.isEmpty { words.append("stop " + sampling.stop.map(Self.quoted).joined(separator: " ")) }
        if !sampling.bias.isEmpty { words.append("\(sampling.bias.count) biases") }
        words += templateVariables.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return words.isEmpty ? "the provider's default settings" : words.joined(separator: ", ")
    }
}
