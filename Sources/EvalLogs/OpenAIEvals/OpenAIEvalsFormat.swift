internal import JSON
internal import LanguageModels
public import Traces

/// Logs of OpenAI evals: a line with the specification, events, a line with the final report.
public enum OpenAIEvalsFormat: EvalLogFormat {
    public static let format = "openai-evals"
    public static let title = "an OpenAI evals log"
    public static let kind = EvalLogKind.openAIEvals

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] {
        [
            try LineLog(try LogFile(path)) { (file) throws(EvalLogError) in
                (try head(file), OpenAIEvalsReader())
            }
        ]
    }

    private static func head(_ file: LogFile) throws(EvalLogError) -> EvalRun {
        let path = file.path
        let first = try file.firstLines(400)
        let last = try file.lastLines(within: 1 << 20)
        let spec = first.first?["spec"]
        let report = last.last { $0["final_report"] != nil }?["final_report"]
        let name = spec?["eval_name"]?.text ?? "unknown evaluation"
        var run = EvalRun(
            key: spec?["run_id"]?.text ?? path, name: name, task: spec?["base_eval"]?.text ?? name,
            model: spec?["completion_fns"]?.elements?.compactMap(\.text).joined(separator: ", ") ?? "unknown model",
            format: "openai-evals", path: path, state: report == nil ? .unended(path) : .done,
            start: spec?["created_at"]?.timestamp,
            end: last.last { $0["created_at"] != nil }?["created_at"]?.timestamp)
        run.scores = scores(first)
        run.metrics = (report?.members ?? []).compactMap { member in
            member.value.double.map {
                EvalMetric(score: run.scores.first?.name ?? "", name: member.key, value: $0, count: 0)
            }
        }
        for key in ["split", "eval_name"] {
            if let text = spec?[key]?.text { run.settings.append(EvalSetting(key, text)) }
        }
        for member in spec?["run_config"]?.members ?? [] where run.settings.count < 48 {
            if let text = member.value.text { run.settings.append(EvalSetting(member.key, text.rowText)) }
        }
        return run
    }

    /// `correct` of matches, and every number that events of metrics tell.
    private static func scores(_ lines: [JSONValue]) -> [EvalScoreKind] {
        var names: [String] = []
        for line in lines {
            for (name, _) in OpenAIEvalsReader.values(line) where !names.contains(name) && names.count < 64 {
                names.append(name)
            }
        }
        // Events of metrics do not tell from where on a number passes.
        return (names.isEmpty ? ["correct"] : names).map { $0 == "correct" ? EvalScoreKind($0) : .unlimited($0) }
    }
}

/// Events of OpenAI evals, put together by their sample.
struct OpenAIEvalsReader: LineLogReader {
    var isEveryLineASample: Bool { false }
    /// Threads interleave their lines; a sample's last event appears within this many lines.
    var lookAhead: Int { 2000 }

    func piece(_ line: JSONValue) -> LinePiece {
        guard let name = line["sample_id"]?.text, line["type"] != nil else { return .none }
        return .part(of: name)
    }

    /// The scores that an event tells.
    static func values(_ line: JSONValue) -> [(String, Double?)] {
        let data = line["data"]
        switch line["type"]?.string {
        case "match": return [("correct", data?["correct"]?.score)]
        case "metrics":
            return (data?.members ?? []).compactMap { member in member.value.score.map { (member.key, $0) } }
        default: return []
        }
    }

    func record(_ lines: [JSONValue], part: Int, index: Int, run: EvalRun) -> EvalSampleRecord {
        var scores: [EvalScore] = []
        var messages: [Message] = []
        var answer: String?
        var expected: [String] = []
        var problem: String?
        for line in lines {
            let data = line["data"]
            switch line["type"]?.string {
            case "sampling":
                if let prompt = data?["prompt"] {
                    messages = ChatValues.messages(prompt) ?? [Message(.user, [.text(ChatValues.text(prompt) ?? "")])]
                }
                answer = OpenAIEvalsReader.texts(data?["sampled"]).first ?? answer
            case "match":
                expected = OpenAIEvalsReader.texts(data?["expected"])
                answer = answer ?? OpenAIEvalsReader.texts(data?["sampled"]).first
            case "error": problem = data?["error"]?.text ?? data?.text ?? "error"
            case "raw_sample": if expected.isEmpty { expected = OpenAIEvalsReader.texts(data?["ideal"]) }
            default: break
            }
            for (name, value) in OpenAIEvalsReader.values(line) {
                let picked = data?["picked"]?.text
                scores.append(EvalScore(name, value: value, answer: picked ?? answer))
            }
        }
        let numbers = run.scores.map { kind in scores.last { $0.name == kind.name }?.value ?? .nan }
        let outcome: EvalRow.Outcome =
            problem != nil && scores.isEmpty
            ? .error
            : numbers.first.map { run.scores[0].outcome(of: $0) } ?? .unscored
        let question =
            messages.last.flatMap { message in
                message.parts.first.flatMap { if case .text(let text) = $0 { text } else { nil } }
            } ?? ""
        if let answer { messages.append(Message(.assistant, [.text(answer)])) }
        let id = lines.first?["sample_id"]?.text ?? "\(index)"
        let row = EvalRow(
            index: index, id: id, outcome: outcome, scores: numbers, input: question.rowText,
            answer: (answer ?? "").rowText, target: expected.joined(separator: " | ").rowText, problem: problem?.rowText
        )
        return EvalSampleRecord(
            row: row, messages: messages, input: question, answer: answer, targets: expected, scores: scores)
    }

    /// A text or a list of texts.
    private static func texts(_ value: JSONValue?) -> [String] {
        value?.elements.map { $0.compactMap(\.text) } ?? value?.text.map { [$0] } ?? []
    }
}
