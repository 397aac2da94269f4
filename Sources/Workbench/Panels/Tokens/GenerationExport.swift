internal import Formatting
internal import JSON
internal import LanguageModels
internal import ModelLab
internal import Traces

/// Export of a session: the prompt and the answer as Markdown, or every token as JSON.
struct GenerationExport: Sendable {
    var session: Session
    var draft: PromptDocument
    var answer: Generation?

    /// Writes a file in the format of its extension; existing files are never replaced.
    ///
    /// - Returns: A message for the user.
    func write(to path: String) throws -> String {
        let text = path.hasSuffix(".json") ? answer?.json(.pretty) ?? "null" : markdown
        try ExportFile.write(path, replacing: false) { try $0(text) }
        return "written to \(path)"
    }

    private var markdown: String {
        var lines = ["# \(session.title)", "", "```", (answer?.document ?? draft).text + "```", ""]
        if let answer {
            lines += ["## Answer by \(answer.model)", ""]
            if !answer.reasoning.isEmpty { lines += ["> " + answer.reasoning, ""] }
            lines += [answer.silence(Format.probability).map { "*\($0)*" } ?? answer.text, ""]
            for call in answer.toolCalls { lines += ["- calls `\(call.name)` with `\(call.arguments)`"] }
        }
        return lines.joined(separator: "\n")
    }
}
