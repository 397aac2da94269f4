internal import JSON
internal import LanguageModels
public import Traces

/// Reports of garak (`*.report.jsonl`): attempts to make a model misbehave.
public enum GarakFormat: EvalLogFormat {
    public static let format = "garak"
    public static let title = "a garak report"
    public static let kind = EvalLogKind.garak

    public static func open(
        _ path: String, isCancelled: @Sendable () -> Bool
    ) throws(EvalLogError) -> [any EvalLog] {
        [
            try LineLog(try LogFile(path)) { (file) throws(EvalLogError) in
                (try head(file), GarakReader())
            }
        ]
    }

    private static func head(_ file: LogFile) throws(EvalLogError) -> EvalRun {
        let path = file.path
        let first = try file.firstLines(8)
        let last = try file.lastLines(within: 4 << 20)
        let setup = first.first { $0["entry_type"]?.string == "start_run setup" }
        let start = first.first { $0["entry_type"]?.string == "init" }
        let end = last.last { $0["entry_type"]?.string == "completion" }
        let model = [
            ["plugins.target_type", "plugins.model_type"], ["plugins.target_name", "plugins.model_name"],
        ].compactMap { names in names.lazy.compactMap { setup?[$0]?.text }.first }.joined(separator: " ")
        var run = EvalRun(
            key: start?["run"]?.text ?? path, name: model.isEmpty ? "garak" : "garak " + model, task: "garak",
            taskVersion: start?["garak_version"]?.text ?? "", model: model.isEmpty ? "unknown model" : model,
            format: "garak", path: path, state: end == nil ? .unended(path) : .done,
            start: start?["start_time"]?.timestamp, end: end?["end_time"]?.timestamp)
        let threshold = setup?["run.eval_threshold"]?.double ?? 0.5
        // A detector's value at the threshold or above is a hit.
        run.scores = [EvalScoreKind(GarakReader.score, higherIsBetter: false, passesAt: threshold.nextDown)]
        run.slices = ["probe"]
        run.metrics = metrics(last)
        for member in setup?.members ?? [] where run.settings.count < 64 && member.key.contains(".") {
            if let text = member.value.text, !text.isEmpty {
                run.settings.append(EvalSetting(member.key, text.rowText))
            }
        }
        return run
    }

    /// The share of hits of each probe and detector: what is left of those that passed.
    private static func metrics(_ lines: [JSONValue]) -> [EvalMetric] {
        lines.filter { $0["entry_type"]?.string == "eval" }.compactMap { line in
            guard let passed = line["passed"]?.double,
                let total = line["total_evaluated"]?.double ?? line["total"]?.double, total > 0, total < 1e12
            else { return nil }
            let detector = (line["detector"]?.text ?? "").replacingPrefix("detector.")
            let nones = line["nones"]?.int ?? 0
            return EvalMetric(
                score: GarakReader.score, name: "\(line["probe"]?.text ?? "probe") \(detector)",
                value: 1 - passed / total, count: Int(total), higherIsBetter: false,
                note: nones > 0 ? "\(nones) outputs were not judged" : nil)
        }
    }
}

extension String {
    fileprivate func replacingPrefix(_ prefix: String) -> String {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self
    }
}

/// Attempts of garak: one sample for each of an attempt's outputs.
struct GarakReader: LineLogReader {
    static let score = "attack success"

    var isEveryLineASample: Bool { false }
    var lookAhead: Int { 0 }

    func piece(_ line: JSONValue) -> LinePiece {
        // An attempt is written when it begins (1) and when it has been judged (2).
        guard line["entry_type"]?.string == "attempt", line["status"]?.int == 2 else { return .none }
        return .samples(outputs(line).count)
    }

    private func outputs(_ line: JSONValue) -> [JSONValue] { line["outputs"]?.elements ?? [] }

    func record(_ lines: [JSONValue], part: Int, index: Int, run: EvalRun) -> EvalSampleRecord {
        let line = lines.first ?? .null
        let probe = line["probe_classname"]?.text ?? "probe"
        let output = outputs(line).indices.contains(part) ? ChatValues.text(outputs(line)[part]) : nil
        var scores: [EvalScore] = []
        for member in line["detector_results"]?.members ?? [] {
            let values = member.value.elements ?? []
            let value = values.indices.contains(part) ? values[part].score : nil
            scores.append(
                EvalScore(member.key, value: value, problem: value == nil ? "the detector returned no value" : nil))
        }
        let worst = scores.compactMap(\.value).max()
        scores.insert(
            EvalScore(
                GarakReader.score, value: worst, problem: worst == nil ? "no detector returned a value" : nil), at: 0)
        var messages = prompt(line["prompt"])
        let question =
            messages.compactMap { message in
                message.parts.first.flatMap { if case .text(let text) = $0 { text } else { nil } }
            }.last ?? ""
        if let output { messages.append(Message(.assistant, [.text(output)])) }
        let outcome: EvalRow.Outcome =
            worst.map { run.scores.first?.passes($0) == true ? .passed : .failed }
            ?? (output == nil ? .error : .unscored)
        let name = line["seq"]?.int.map { "\(probe)#\($0)" } ?? line["uuid"]?.text ?? "\(index)"
        let row = EvalRow(
            index: index, id: name, epoch: part + 1, outcome: outcome, scores: [worst ?? .nan], input: question.rowText,
            answer: (output ?? "").rowText, target: line["goal"]?.text?.rowText ?? "", cluster: probe, slices: [probe],
            problem: output == nil ? "the model returned no output" : nil)
        return EvalSampleRecord(
            row: row, messages: messages, input: question, answer: output, targets: [], scores: scores,
            metadata: line["notes"]?.json())
    }

    /// A text, `{text}`, or since version 0.11 `{turns: [{role, content: {text}}]}`.
    private func prompt(_ value: JSONValue?) -> [Message] {
        if let turns = value?["turns"], let list = ChatValues.messages(turns) { return list }
        return [Message(.user, [.text(ChatValues.text(value) ?? "")])]
    }
}
