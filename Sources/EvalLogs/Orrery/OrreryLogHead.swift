internal import JSON
internal import LanguageModels

/// Reads the head of a run, the first line of its log.
enum OrreryLogHead {
    /// - Parameters:
    ///   - line: Complete first line.
    ///   - value: Its member `run`.
    static func run(_ line: JSONValue, _ value: JSONValue, path: String) -> EvalRun {
        let name = value["name"]?.string ?? value["task"]?.string ?? "run"
        var run = EvalRun(
            key: value["key"]?.string ?? "1", name: name, task: value["task"]?.string ?? name,
            taskVersion: value["task_version"]?.string ?? "", model: value["model"]?.string ?? "unknown model",
            format: value["format"]?.string ?? OrreryLogFormat.format, path: path,
            state: value["state"]?.string.flatMap { EvalRun.State(rawValue: $0) } ?? .done)
        run.problem = value["problem"]?.string
        run.start = value["start"]?.int.map { Int64($0) }
        run.end = value["end"]?.int.map { Int64($0) }
        run.total = value["total"]?.int.map { min(max(0, $0), EvalRun.mostSamples) }
        run.completed = min(max(0, value["completed"]?.int ?? 0), EvalRun.mostSamples)
        let odd = line["odd_numbers"]
        run.scores = (value["scores"]?.elements ?? []).prefix(1024).enumerated().map { place, score in
            EvalScoreKind(
                score["name"]?.string ?? "score \(place + 1)",
                higherIsBetter: score["higher_is_better"]?.bool ?? true,
                passesAt: OddNumber.read(odd?["score \(place)"]) ?? score["passes_at"]?.double ?? 1)
        }
        run.slices = (value["slices"]?.elements ?? []).prefix(1024).map { $0.string ?? "" }
        run.metrics = (value["metrics"]?.elements ?? []).enumerated().map { place, metric in
            EvalMetric(
                score: metric["score"]?.string ?? "", name: metric["name"]?.string ?? "",
                value: OddNumber.read(odd?["metric \(place)"]) ?? metric["value"]?.double ?? .nan,
                standardError: metric["standard_error"]?.double, lower: metric["lower"]?.double,
                upper: metric["upper"]?.double, level: metric["level"]?.double, count: metric["count"]?.int ?? 0,
                higherIsBetter: metric["higher_is_better"]?.bool ?? true, note: metric["note"]?.string)
        }
        if let usage = line["usage"] ?? (value["tokens_read"] == nil ? nil : value) {
            run.usage = Usage(
                input: usage["tokens_read"]?.int ?? 0, cacheRead: usage["cache_read"]?.int ?? 0,
                cacheWrite: usage["cache_write"]?.int ?? 0, output: usage["tokens_written"]?.int ?? 0,
                reasoning: usage["reasoning"]?.int ?? 0)
        }
        run.cost = value["cost"]?.double
        run.settings = (value["settings"]?.members ?? []).map { EvalSetting($0.key, $0.value.text ?? "") }
        return run
    }
}

/// Numbers for which JSON has no form, as texts.
enum OddNumber {
    /// `nil` for a number that JSON can hold.
    static func text(_ number: Double) -> String? {
        number.isFinite ? nil : number.isNaN ? "nan" : number < 0 ? "-inf" : "inf"
    }

    static func read(_ value: JSONValue?) -> Double? {
        switch value?.string {
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        default: nil
        }
    }

    static func write(_ number: Double, to json: inout JSONWriter) {
        if let text = text(number) { json.string(text) } else { json.number(number) }
    }
}
