internal import JSON
internal import LanguageModels

/// What stands in a result of promptfoo.
enum PromptfooReader {
    /// - Parameter prompt: The column of the table: `{provider, label, raw, metrics}`.
    static func head(
        _ prompt: JSONValue?, _ column: Int, _ first: [JSONValue], path: String, key: String, time: Int64?
    ) -> EvalRun {
        let own = first.filter { $0["promptIdx"]?.int == nil || $0["promptIdx"]?.int == column }
        let provider = prompt?["provider"]?.text ?? own.first.flatMap { name(of: $0) } ?? "unknown provider"
        let label = (prompt?["label"]?.text ?? own.first?["prompt"]?["label"]?.text ?? "").rowText(60)
        let metrics = prompt?["metrics"]
        var run = EvalRun(
            key: "\(key)#\(column)", name: label.isEmpty ? provider : "\(provider) · \(label)", task: "promptfoo",
            model: provider, format: "promptfoo", path: path, state: .done, start: time)
        run.scores = [EvalScoreKind("pass"), .unlimited("score")]
        for result in own {
            for member in result["namedScores"]?.members ?? []
            where run.scores.count < 64 && !run.scores.contains(where: { $0.name == member.key }) {
                run.scores.append(.unlimited(member.key))
            }
            for member in result["vars"]?.members ?? []
            where run.slices.count < 4 && !run.slices.contains(member.key) {
                if let text = member.value.string, text.utf8.count <= 40 { run.slices.append(member.key) }
            }
        }
        let counts = ["testPassCount", "testFailCount", "testErrorCount"].map { metrics?[$0]?.int }
        if let passed = counts[0], let failed = counts[1], passed >= 0, failed >= 0, passed < 1 << 40, failed < 1 << 40
        {
            let errors = min(max(counts[2] ?? 0, 0), 1 << 40)
            let total = passed + failed + errors
            run.total = min(total, EvalRun.mostSamples)
            run.completed = min(total, EvalRun.mostSamples)
            if total > 0 {
                run.metrics.append(
                    EvalMetric(
                        score: "pass", name: "pass rate", value: Double(passed) / Double(total), count: total,
                        note: errors > 0 ? "\(errors) ended in an error" : nil))
            }
        }
        for member in metrics?["namedScores"]?.members ?? [] {
            guard let sum = member.value.double, let count = metrics?["namedScoresCount"]?[member.key]?.int, count > 0
            else { continue }
            run.metrics.append(
                EvalMetric(score: member.key, name: "mean", value: sum / Double(count), count: count))
        }
        run.cost = metrics?["cost"]?.double
        if let tokens = metrics?["tokenUsage"] {
            run.usage = Usage(
                input: count(tokens["prompt"]), cacheRead: count(tokens["cached"]),
                output: count(tokens["completion"]))
        }
        if let raw = prompt?["raw"]?.text { run.settings.append(EvalSetting("prompt", raw.rowText)) }
        return run
    }

    /// A count that cannot overflow a sum.
    private static func count(_ value: JSONValue?) -> Int { min(max(value?.int ?? 0, 0), 1 << 48) }

    private static func name(of result: JSONValue) -> String? {
        let provider = result["provider"]
        return provider?["label"]?.text.flatMap { $0.isEmpty ? nil : $0 } ?? provider?["id"]?.text ?? provider?.text
    }

    static func record(_ value: JSONValue, index: Int, run: EvalRun) -> EvalSampleRecord {
        let grading = value["gradingResult"]
        let output = value["response"]?["output"] ?? value["output"]
        let isError =
            value["failureReason"]?.int == 2
            || (value["failureReason"] == nil && grading?["pass"] == nil && value["error"]?.string != nil)
        var scores = [
            EvalScore(
                "pass", value: value["success"]?.score ?? grading?["pass"]?.score,
                explanation: grading?["reason"]?.text),
            EvalScore("score", value: value["score"]?.score ?? grading?["score"]?.score),
        ]
        for member in value["namedScores"]?.members ?? [] {
            scores.append(EvalScore(member.key, value: member.value.score))
        }
        for (place, component) in (grading?["componentResults"]?.elements ?? []).enumerated() {
            let assertion = component["assertion"]
            let name = assertion?["metric"]?.string ?? assertion?["type"]?.string ?? "assertion"
            scores.append(
                EvalScore(
                    "\(name) #\(place + 1)", value: component["score"]?.score ?? component["pass"]?.score,
                    label: component["pass"]?.bool.map { $0 ? "pass" : "fail" },
                    answer: assertion?["value"]?.text, explanation: component["reason"]?.text))
        }
        let numbers = run.scores.map { kind in isError ? .nan : scores.first { $0.name == kind.name }?.value ?? .nan }
        let vars = value["vars"] ?? value["testCase"]?["vars"]
        let problem = isError ? value["error"]?.text ?? value["response"]?["error"]?.text ?? "error" : nil
        let prompt = value["prompt"]?["raw"]?.text ?? ""
        let told = vars?.members?.map { "\($0.key): \($0.value.text ?? "")" }.joined(separator: " · ") ?? ""
        let test = value["testIdx"]?.int.map { "\($0)" } ?? "\(index)"
        let answer = output?.text
        let row = EvalRow(
            index: index, id: value["testCase"]?["description"]?.string.map { "\(test) \($0.rowText(60))" } ?? test,
            epoch: max(1, min((value["repeatIndex"]?.int ?? 0), 1 << 30) + 1),
            outcome: isError
                ? .error : numbers.first.map { $0.isNaN ? .unscored : $0 >= 1 ? .passed : .failed } ?? .unscored,
            scores: numbers, input: (told.isEmpty ? prompt : told).rowText, answer: (answer ?? "").rowText,
            target: targets(value).joined(separator: " | ").rowText,
            slices: run.slices.map { vars?[$0]?.text?.rowText(40) ?? "" },
            problem: (problem ?? (numbers.first == 0 ? grading?["reason"]?.text : nil))?.rowText,
            seconds: value["latencyMs"]?.double.map { $0 / 1000 },
            tokens: value["response"]?["tokenUsage"]?["total"]?.int ?? value["tokenUsage"]?["total"]?.int,
            cost: value["cost"]?.double)
        var messages = conversation(prompt)
        if let answer { messages.append(Message(.assistant, [.text(answer)])) }
        return EvalSampleRecord(
            row: row, messages: messages, input: prompt, answer: answer, targets: targets(value), scores: scores,
            metadata: (value["testCase"] ?? vars)?.json())
    }

    private static func targets(_ value: JSONValue) -> [String] {
        (value["testCase"]?["assert"]?.elements ?? []).compactMap { assertion in
            guard let text = assertion["value"]?.text else { return nil }
            return (assertion["type"]?.string.map { "\($0) " } ?? "") + text
        }
    }

    /// A prompt that is a JSON list of messages, or a text.
    private static func conversation(_ prompt: String) -> [Message] {
        if prompt.utf8.first == UInt8(ascii: "["), let value = try? JSONValue(json: prompt),
            let list = ChatValues.messages(value)
        {
            return list
        }
        return [Message(.user, [.text(prompt)])]
    }
}

/// Lists of `{role, content}` as other programs write them.
enum ChatValues {
    /// Returns a list of messages; `nil` if the value is not such a list.
    static func messages(_ value: JSONValue) -> [Message]? {
        guard let list = value.elements, !list.isEmpty, list.allSatisfy({ $0["role"]?.string != nil }) else {
            return nil
        }
        return list.map { message in
            let role = Role.allCases.first { $0.name == message["role"]?.string } ?? .user
            return Message(role, [.text(text(message["content"]) ?? "")])
        }
    }

    /// A text, `{text}`, or a list of such.
    static func text(_ value: JSONValue?) -> String? {
        switch value {
        case .array(let parts)?: parts.compactMap { text($0) }.joined(separator: "\n")
        case .object?: value?["text"]?.string ?? value?.text
        case nil, .null?: nil
        case let other?: other.text
        }
    }
}
