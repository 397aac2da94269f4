internal import JSON
internal import Traces

/// The head of a run of lm-eval.
enum LMEvalHead {
    /// - Parameters:
    ///   - results: Results file; `nil` if there is none.
    ///   - samples: The first lines of the sample file.
    ///   - filters: Filters of a document's generations; one score each.
    static func run(
        _ task: String, _ results: JSONValue?, samples: [JSONValue], filters: [String], path: String, key: String
    ) -> EvalRun {
        let own = results?["results"]?[task]
        let better = results?["higher_is_better"]?[task]
        let config = results?["config"]
        var run = EvalRun(
            key: "\(key)#\(task)", name: own?["alias"]?.string.map { $0.rowText } ?? task, task: task,
            taskVersion: version(results?["versions"]?[task]),
            model: config?["model_args"].flatMap { modelName($0) } ?? config?["model"]?.text
                ?? results?["model_name"]?.text ?? "unknown model",
            format: "lm-eval", path: path, state: .done,
            start: results?["date"]?.double.flatMap { Int64(exactly: (min(max($0, 0), 9e9) * 1e9).rounded()) },
            total: nil)
        if let seconds = results?["total_evaluation_time_seconds"].flatMap({
            $0.double ?? $0.string.flatMap { Double($0) }
        }),
            seconds.isFinite, let start = run.start
        {
            run.end = start + Int64(min(max(seconds, 0), 1e8) * 1e9)
        }
        run.scores = scores(samples, filters, better)
        let count = (results?["n-samples"]?[task]?["effective"]?.int).map { max(0, min($0, EvalRun.mostSamples)) }
        run.metrics = metrics(own, better, count ?? max(0, own?["sample_len"]?.int ?? 0))
        run.total = count
        // Results are written when all is done.
        run.completed = count ?? 0
        for member in (config?.members ?? []) where run.settings.count < 48 {
            if let text = member.value.text { run.settings.append(EvalSetting(member.key, text.rowText)) }
        }
        if let shots = results?["n-shot"]?[task]?.text { run.settings.append(EvalSetting("num_fewshot", shots)) }
        return run
    }

    /// Returns a task's version. If its file records none, lm-eval writes the file type instead: `Yaml`.
    private static func version(_ value: JSONValue?) -> String {
        let text = value?.text ?? ""
        return text == "Yaml" || text == "N/A" ? "" : text
    }

    /// `pretrained=gpt2,dtype=...` or an object: what the model is called.
    private static func modelName(_ value: JSONValue) -> String? {
        for key in ["pretrained", "model", "path"] {
            if let name = value[key]?.text { return name }
            for pair in value.string?.split(separator: ",") ?? [] where pair.hasPrefix(key + "=") {
                return String(pair.dropFirst(key.count + 1))
            }
        }
        return nil
    }

    static let perSample: Set<String> = ["word_perplexity", "byte_perplexity", "bits_per_byte"]

    /// Whether a score, `metric,filter`, is of such a metric.
    static func isPerSample(_ score: String) -> Bool {
        score.split(separator: ",").first.map { perSample.contains(String($0)) } ?? false
    }

    /// Metrics whose value for one document neither passes nor fails.
    private static let graded = perSample.union([
        "perplexity", "bleu", "chrf", "ter", "brier_score", "f1", "rouge1", "rouge2", "rougeL",
    ])

    /// The names of the filters that a task's figures tell: `exact_match,strict-match`.
    static func filters(_ own: JSONValue?) -> [String] {
        var names: [String] = []
        for member in own?.members ?? [] {
            let pieces = member.key.split(separator: ",", maxSplits: 1).map(String.init)
            if pieces.count == 2, !names.contains(pieces[1]), names.count < 64 { names.append(pieces[1]) }
        }
        return names
    }

    /// `metric,filter`, as the figures are called.
    private static func scores(_ samples: [JSONValue], _ filters: [String], _ better: JSONValue?) -> [EvalScoreKind] {
        let names = samples.first?["metrics"]?.elements?.compactMap(\.string) ?? []
        return filters.flatMap { filter in
            names.map { name in
                let higher = better?[name]?.bool ?? !(perSample.contains(name) || name == "perplexity")
                let score = "\(name),\(filter)"
                let isGraded =
                    graded.contains(name)
                    || samples.contains { $0[name]?.score.map { $0 != 0 && $0 != 1 } ?? false }
                return isGraded
                    ? .unlimited(score, higherIsBetter: higher) : EvalScoreKind(score, higherIsBetter: higher)
            }
        }
    }

    private static func metrics(_ own: JSONValue?, _ better: JSONValue?, _ count: Int) -> [EvalMetric] {
        var metrics: [EvalMetric] = []
        for member in own?.members ?? [] {
            let pieces = member.key.split(separator: ",", maxSplits: 1).map(String.init)
            guard pieces.count == 2, !pieces[0].hasSuffix("_stderr"), let value = member.value.double else { continue }
            let error = own?["\(pieces[0])_stderr,\(pieces[1])"]?.double
            metrics.append(
                EvalMetric(
                    score: member.key, name: member.key, value: value, standardError: error, count: count,
                    higherIsBetter: better?[pieces[0]]?.bool ?? !perSample.contains(pieces[0])))
        }
        return metrics
    }

    /// A run whose samples were not kept.
    final class Log: EvalLog {
        let run: EvalRun

        init(_ run: EvalRun) { self.run = run }

        func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] { [] }

        func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord {
            throw EvalLogError(
                path: run.path ?? "", place: "sample \(index)", problem: "the run's samples were not saved",
                remedy: "Run lm-eval with --log_samples to save them.")
        }

        func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { [] }
    }
}
