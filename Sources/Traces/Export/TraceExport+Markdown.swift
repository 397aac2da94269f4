internal import LanguageModels

extension TraceExport.Step {
    func markdown(level: Int) -> String {
        let marks = String(repeating: "#", count: level)
        let caption = span.caption.map { ": " + $0 } ?? ""
        let title = Markdown.line("\(span.kind.name) \(span.name)\(caption)")
        let place = number.map { "\($0). " } ?? ""
        var blocks = ["\(marks) \(place)\(title)\(span.status == .error ? " (failed)" : "")"]
        if !figures.isEmpty { blocks.append("*\(figures)*") }
        if let error = span.error { blocks.append("**failed:** \(Markdown.line(error))") }
        if span.kind == .model {
            if earlier > 0 { blocks.append("*\(Markdown.count(earlier)) earlier message\(earlier == 1 ? "" : "s")*") }
            for message in isNew { blocks += Self.blocks(message, title: nil) }
            blocks.append("**answered**")
            if answers.isEmpty { blocks.append("*nothing that is in the log*") }
            for message in answers { blocks += Self.blocks(message, title: "") }
        } else {
            if let input = details.input { blocks.append(Self.fenced(input)) }
            if let output = details.output {
                blocks.append("**returned**")
                blocks.append(Self.fenced(output))
            }
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// Model, time, tokens and cost, as far as they are known.
    private var figures: String {
        var figures: [String] = []
        if span.kind == .model, let model = span.model, model != span.name { figures.append(Markdown.line(model)) }
        if let duration = span.duration { figures.append(Markdown.duration(duration)) }
        if let usage = span.usage {
            figures.append("\(Markdown.count(usage.input)) tokens in, \(Markdown.count(usage.output)) out")
        }
        if let cost = span.cost { figures.append(Markdown.money(cost)) }
        return figures.joined(separator: ", ")
    }

    /// - Parameter title: stands for the role; empty for none.
    private static func blocks(_ message: Message?, title: String?) -> [String] {
        guard let message else { return ["*a message that the log does not hold*"] }
        let title = title ?? message.role.name
        return (title.isEmpty ? [] : ["**\(title)**"]) + message.parts.compactMap(block)
    }

    private static func block(_ part: Message.Part) -> String? {
        switch part {
        case .text(let text): text.allSatisfy(\.isWhitespace) ? nil : Markdown.quoted(text)
        case .reasoning(let text):
            text.isEmpty ? "*thinking that the provider did not show*" : "*thinking*\n\n" + Markdown.quoted(text)
        case .toolCall(let call): Markdown.code(call.name) + "\n\n" + fenced(call.arguments)
        case .toolResult(let result): (result.isError ? "*failed*\n\n" : "") + fenced(result.content)
        case .attachment(let file): "*\(Markdown.line(file.mediaType + (file.location.map { " " + $0 } ?? "")))*"
        case .other(let type, let json): "*\(type.isEmpty ? "other" : Markdown.line(type))*\n\n" + fenced(json)
        }
    }

    private static func fenced(_ text: String) -> String {
        Markdown.fenced(text, language: Markdown.language(of: text))
    }
}
