import EvalLogs
import Evals
import JSON
import LanguageModels
import TestFixtures
import Testing

/// Settings from JSON, scorers by name, and scripted judges.
enum Scored {
    static func settings(_ json: String) -> ScorerSettings {
        ScorerSettings((try? JSONValue(json: json))?.members ?? [], path: "task.toml", line: 7)
    }

    static func make(_ kind: String, _ json: String = "{}") throws -> any Scorer {
        try Scorers.make(ScorerChoice(kind, settings: settings(json)))
    }

    /// Returns the first score of an answer.
    static func value(
        _ kind: String, _ json: String = "{}", _ answer: String, _ targets: [String], fields: JSONValue = .null,
        room: ScoringRoom = ScoringRoom()
    ) throws -> EvalScore {
        let sample = sample(targets, fields: fields)
        let scores = try make(kind, json).score(Solution(answers: [answer]), of: sample, in: room)
        return try #require(scores.first)
    }

    static func sample(_ targets: [String], question: String = "Why?", fields: JSONValue = .null) -> TaskSample {
        TaskSample(id: "1", request: .generation(ModelRequest(.text(question))), targets: targets, fields: fields)
    }

    static func golden(_ name: String) throws -> JSONValue {
        let path = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let text = try #require(File.text("/" + path + "/Goldens/" + name))
        return try JSONValue(json: text)
    }

    /// Returns a path in the shared folder next to the checkout; `nil` if it does not exist.
    static func shared(_ path: String) -> String? {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        return File.text("/" + root + "/shared/" + path)
    }
}

/// A judge that answers through a function.
final class FunctionJudge: LanguageModel {
    let name = "function"
    let provider = "test"
    let capabilities = ModelCapabilities()
    private let answer: @Sendable (String) -> String
    private let tokens: [TokenStep]

    init(tokens: [TokenStep] = [], _ answer: @escaping @Sendable (String) -> String) {
        self.answer = answer
        self.tokens = tokens
    }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        var prompt = ""
        if case .messages(let messages, _) = request.input, case .text(let text)? = messages.last?.parts.first {
            prompt = text
        }
        for token in tokens { receive(.token(token)) }
        return ModelResponse(
            message: Message(.assistant, [.text(answer(prompt))]), finish: .stop, usage: nil, model: name,
            secondsToFirstToken: nil, seconds: 0)
    }
}

/// Returns the text between the fences of a name in a prompt.
func fenced(_ name: String, in prompt: String) -> String {
    let tag = "\(name)-\(mark(of: prompt))>"
    guard let open = prompt.firstRange(of: "<\(tag)\n"),
        let close = prompt[open.upperBound...].firstRange(of: "\n</\(tag)")
    else { return "" }
    return String(prompt[open.upperBound..<close.lowerBound])
}

/// Returns the mark of a prompt's fences.
func mark(of prompt: String) -> String {
    guard let open = prompt.ranges(of: "{\"id\": \"").last else { return "" }
    return String(prompt[open.upperBound...].prefix { $0 != "\"" })
}
