public import Inference
internal import LanguageModels
public import System

extension PromptDocument {
    /// Reads what a person wrote.
    ///
    /// - Parameter samplers: Samplers whose settings the text can contain.
    /// - Throws: `Problem` with the line that it does not understand.
    public init(text: String, samplers: SamplerTable = .standard) throws(Problem) {
        try self.init(text: text, PromptReader(samplers: samplers))
    }

    /// Reads a document that this program stored.
    ///
    /// Numeric settings with unknown names, which come from recordings by programs with other samplers, are kept.
    ///
    /// - Throws: `Problem` if the text is damaged.
    public init(stored text: String) throws(Problem) {
        try self.init(text: text, PromptReader(samplers: .standard, keepsUnknown: true))
    }

    private init(text: String, _ reader: PromptReader) throws(Problem) {
        self.init()
        var reader = reader
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("--- ") {
                try reader.close(into: &self)
                try reader.begin(String(line.dropFirst(4)), line: index + 1)
            } else if reader.heading.isEmpty {
                guard line.allSatisfy(\.isWhitespace) else {
                    throw Problem(
                        .invalid, "", line: index + 1, "text before the first heading", remedy: "Start with --- user.")
                }
            } else {
                let isEscaped = line.hasPrefix("\\") && line.drop { $0 == "\\" }.hasPrefix("---")
                reader.lines.append(isEscaped ? line.dropFirst() : line)
            }
        }
        // The text ends with a line break that belongs to no part.
        if reader.lines.last?.isEmpty == true { reader.lines.removeLast() }
        try reader.close(into: &self)
        if !reader.messages.isEmpty || !reader.tools.isEmpty {
            guard case .messages = input else {
                throw Problem(.invalid, "line 1", "a prompt cannot mix messages with text or tokens")
            }
            input = .messages(reader.messages, tools: reader.tools)
        }
    }

    /// Changes settings as they are typed on a line: `temperature=0.7 top_k=40 stop="\n\n"`; a name with nothing after
    /// its `=` is unset.
    ///
    /// - Throws: `Problem`.
    public mutating func apply(
        settings text: String, samplers: SamplerTable = .standard
    ) throws(Problem) {
        for word in SettingWords.split(text) { try set(word, line: 1, samplers) }
    }

    mutating func set(
        _ text: String, line: Int, _ samplers: SamplerTable, keepsUnknown: Bool = false
    ) throws(Problem) {
        guard let equals = text.firstIndex(of: "=") else {
            throw Problem(.invalid, "line \(line)", "invalid setting \"\(text)\"", remedy: "Use name = value.")
        }
        let name = text[..<equals].trimmingSpaces
        let value = text[text.index(after: equals)...].trimmingSpaces
        let settings = PromptSetting.all(with: samplers.extraFields)
        var problem: String?
        if name == "model" {
            model = value
        } else if name == "stop" {
            if value.isEmpty { sampling.stop = [] } else { sampling.stop.append(SettingWords.unquoted(value)) }
        } else if name.hasPrefix("bias."), let token = Int(name.dropFirst(5)) {
            if value.isEmpty {
                sampling.bias[token] = nil
            } else if let bias = Double(value), !bias.isNaN {
                sampling.bias[token] = bias
            } else {
                problem = "invalid bias \"\(value)\". Use a number"
            }
        } else if name.hasPrefix("template.") {
            templateVariables[String(name.dropFirst(9))] = value.isEmpty ? nil : value
        } else if let setting = settings.first(where: { $0.name == name }) {
            problem = setting.set(value, in: &self)
        } else if keepsUnknown, let number = Double(value), number.isFinite {
            sampling[SamplingField(named: name)] = .number(number)
        } else {
            let known = (["model", "stop", "bias.ID", "template.NAME"] + settings.map(\.name))
            problem = "unknown setting \"\(name)\". Available: \(known.joined(separator: ", "))"
        }
        if let problem { throw Problem(.failed, "line \(line)", problem) }
    }
}

/// The parts of a document while it is read.
private struct PromptReader {
    let samplers: SamplerTable
    /// Whether numeric settings with unknown names are kept instead of being an error.
    var keepsUnknown = false
    var heading = ""
    var line = 0
    var lines: [Substring] = []
    var messages: [Message] = []
    var tools: [ToolDefinition] = []

    mutating func begin(_ heading: String, line: Int) throws(Problem) {
        self.heading = heading
        self.line = line
        lines = []
    }

    mutating func close(into document: inout PromptDocument) throws(Problem) {
        guard !heading.isEmpty else { return }
        let content = lines.joined(separator: "\n")
        let continues = heading.hasPrefix("+ ")
        let words = (continues ? heading.dropFirst(2) : heading[...]).split(separator: " ", maxSplits: 3).map(
            String.init)
        guard let word = words.first else {
            throw Problem(.missing, "line \(line)", "a heading is missing after ---")
        }
        switch word {
        case "settings":
            for (index, setting) in lines.enumerated() {
                let text = setting.trimmingSpaces
                if !text.isEmpty, !text.hasPrefix("#") {
                    try document.set(text, line: line + index + 1, samplers, keepsUnknown: keepsUnknown)
                }
            }
        case "text": document.input = .text(content)
        case "tokens":
            let ids = content.split { $0.isWhitespace }.map { Int($0) }
            guard !ids.contains(nil) else {
                throw Problem(.invalid, "line \(line)", "tokens must be whole numbers")
            }
            document.input = .tokens(ids.compactMap(\.self))
        case "define" where words.count > 1:
            let description = heading.split(separator: " ", maxSplits: 2).dropFirst(2).joined()
            tools.append(
                ToolDefinition(name: HeadingWord.decode(words[1]), description: description, parameters: content))
        default:
            guard let role = Role.allCases.first(where: { $0.name == word }) else {
                throw Problem(
                    .unknown, "line \(line)", "unknown heading \"\(word)\"",
                    remedy: "Available: settings, define NAME, system, user, assistant, tool, text, tokens.")
            }
            let part = try self.part(Array(words.dropFirst()), content)
            if continues, messages.last?.role == role {
                messages[messages.count - 1].parts.append(part)
            } else {
                messages.append(Message(role, [part]))
            }
        }
    }

    private func part(_ words: [String], _ content: String) throws(Problem) -> Message.Part {
        switch (words.first, words.count) {
        case (nil, _): return .text(content)
        case ("reasoning", 1): return .reasoning(content)
        case ("call", 2...):
            return .toolCall(
                ToolCall(
                    id: words.count > 2 ? HeadingWord.decode(words[2]) : "", name: HeadingWord.decode(words[1]),
                    arguments: content))
        case ("result", _):
            let rest = words.dropFirst()
            return .toolResult(
                ToolResult(
                    callID: HeadingWord.decode(rest.first ?? "%"), content: content,
                    isError: rest.dropFirst().first == "failed"))
        case ("attachment", 2...):
            let bytes = words.count > 2 ? Int(words[2]) ?? 0 : 0
            let location = content.isEmpty ? nil : content
            return .attachment(
                Attachment(mediaType: HeadingWord.decode(words[1]), location: location, byteCount: bytes))
        case ("other", 2): return .other(type: HeadingWord.decode(words[1]), json: content)
        default:
            throw Problem(
                .unknown, "line \(line)", "unknown part \"\(words.joined(separator: " "))\"",
                remedy: "Available: reasoning, call NAME ID, result ID.")
        }
    }
}
