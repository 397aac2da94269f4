internal import Configuration
internal import Formatting
internal import JSON
internal import LanguageModels
internal import Statistics
internal import System
internal import Tensors
internal import Traces

/// Makes the tasks of a file: one for each variant of the prompt and each point of its matrix.
struct OrreryTask {
    let file: TaskTOML
    let options: TaskLoading

    init(_ file: TaskTOML, _ options: TaskLoading) {
        self.file = file
        self.options = options
    }

    var name: String {
        if let name = file.text("name"), !name.isEmpty { return name }
        let last = file.path.split(separator: "/").last.map(String.init) ?? "task"
        return last.hasSuffix(".toml") ? String(last.dropLast(5)) : last
    }

    func tasks() throws(Problem) -> [EvalTask] {
        let scorers = try scorers()
        let metrics = try metrics()
        let (rows, notes) = try rows()
        guard !rows.isEmpty else {
            throw file.error("data", "the task has no rows", "Name a file with rows, or write rows under [data].")
        }
        var tasks: [EvalTask] = []
        let variants = try variants()
        try checkSampling()
        for variant in variants {
            for point in matrix() {
                var recipe = try OrrerySample(file, variant, sampling(point), options)
                recipe.examples = try examples(rows)
                var task = EvalTask(
                    name: name, version: file.text("version") ?? "", summary: file.text("summary") ?? "",
                    format: OrreryTaskFormat.name, path: file.path, samples: [], scorers: scorers, metrics: metrics,
                    epochs: max(1, file.integer("epochs") ?? 1), reducer: try reducer(), slices: file.texts("slices"),
                    settings: recipe.settings, source: file.text, notes: notes)
                task.samples = try recipe.samples(rows, limit: options.limit)
                task.lines = lines
                task.programSeconds = try programSeconds()
                if variants.count > 1 || !variant.name.isEmpty {
                    let text = [variant.system, variant.prompt].compactMap { $0 }.joined(separator: "\n\n")
                    task.keepPrompt(text, in: options.workspace)
                }
                tasks.append(task)
            }
        }
        return tasks
    }

    /// Line numbers of the keys that every run checks.
    private var lines: [String: Int] {
        var lines: [String: Int] = [:]
        for key in ["scorers", "slices"] { lines[key] = file.line(key) }
        lines["target"] = file.line("target") ?? file.line("targets")
        return lines
    }

    private func programSeconds() throws(Problem) -> Double? {
        guard file["program.timeout"] != nil, let seconds = file.number("program.timeout") else { return nil }
        guard seconds > 0, seconds <= ProgramLimits.mostSeconds else {
            throw file.error(
                "program.timeout", "program.timeout is out of range: \(Format.plain(seconds))",
                "Use a number of seconds above 0 and at most 86,400.")
        }
        return seconds
    }

    private func variants() throws(Problem) -> [PromptVariant] {
        let tables = file.tables("prompts")
        let own = PromptVariant(name: "", prompt: file.text("prompt"), system: file.text("system"))
        let chosen = options.prompts.isEmpty ? file.texts("matrix.prompts") : options.prompts
        var all: [PromptVariant] = []
        for (index, table) in tables.enumerated() {
            guard let name = table["name"]?.string, !name.isEmpty else {
                throw Problem(
                    .missing, file.path, line: file.line(ofTable: index, "prompts"), "the prompt has no name",
                    remedy: "Write name = \"...\" below [[prompts]].")
            }
            guard !all.contains(where: { $0.name == name }) else {
                throw Problem(
                    .invalid, file.path, line: file.line("prompts.name", in: index), "duplicate prompt name \(name)")
            }
            all.append(
                PromptVariant(
                    name: name, prompt: table["prompt"]?.string ?? own.prompt,
                    system: table["system"]?.string ?? own.system, table: index))
        }
        guard !chosen.isEmpty else { return all.isEmpty ? [own] : all }
        var picked: [PromptVariant] = []
        for name in chosen {
            guard let variant = all.first(where: { $0.name == name }) else {
                let near = NearestName.suggestion(for: name, among: all.map(\.name))
                throw file.error(
                    "matrix.prompts", "unknown prompt \(name)",
                    near
                        ?? (all.isEmpty
                            ? "The task has no [[prompts]]." : "Available: \(all.map(\.name).joined(separator: ", ")).")
                )
            }
            picked.append(variant)
        }
        return picked
    }

    private func matrix() -> [MatrixPoint] {
        let points = [("temperature", file["matrix.temperature"]), ("max_tokens", file["matrix.max_tokens"])]
        return MatrixPlan.points(
            points.compactMap { name, value in value?.elements.map { (name, $0.compactMap(\.double)) } })
    }

    /// Checks that the sampling values are in range.
    private func checkSampling() throws(Problem) {
        func all(_ word: String) -> [(String, Double)] {
            (["sampling", "matrix"]).flatMap { section -> [(String, Double)] in
                let name = "\(section).\(word)"
                guard let value = file[name] else { return [] }
                return (value.elements ?? [value]).compactMap { $0.double.map { (name, $0) } }
            }
        }
        for (name, value) in all("temperature") where value < 0 {
            throw file.error(name, "\(name) is out of range: \(value)", "Use 0 or more.")
        }
        for (name, value) in all("top_p") where value <= 0 || value > 1 {
            throw file.error(name, "\(name) is out of range: \(value)", "Use a number above 0 and at most 1.")
        }
        for (name, value) in all("max_tokens") where (Int(exactly: value) ?? 0) < 1 {
            throw file.error(name, "\(name) is out of range: \(value)", "Use a whole number of at least 1.")
        }
    }

    private func sampling(_ point: MatrixPoint) -> (Sampling, MatrixPoint) {
        var sampling = Sampling(
            temperature: point["temperature"] ?? file.number("sampling.temperature"),
            topP: file.number("sampling.top_p"), stop: file.texts("sampling.stop"),
            seed: file.integer("sampling.seed").map { UInt64($0) },
            maximumTokens: file.integer("sampling.max_tokens"))
        if let most = point["max_tokens"].flatMap({ Int(exactly: $0.rounded()) }) { sampling.maximumTokens = most }
        return (sampling, point)
    }

    private func examples(_ rows: [DataRow]) throws(Problem) -> FewShotExamples? {
        let count = options.fewShot ?? file.integer("few_shot.count") ?? 0
        guard count > 0 else { return nil }
        let source = file.text("few_shot.file")
        let pool = try source.map { name throws(Problem) in try DataRows.all(dataPath(name)) } ?? rows
        let free = pool.count - (source == nil ? 1 : 0)
        guard count <= free else {
            throw file.error(
                "few_shot.count", "\(count) examples are requested, but only \(free) are available",
                "Request fewer, or name a file of examples.")
        }
        return FewShotExamples(
            rows: pool, count: count, isRandom: file.text("few_shot.sampler") == "random",
            seed: UInt64(file.integer("few_shot.seed") ?? 0), areOwn: source == nil)
    }

    /// Returns the path of a data file: next to the task, in the chosen folder, or absolute.
    func dataPath(_ name: String) -> String {
        if name.hasPrefix("/") { return name }
        if let folder = options.dataFolder { return folder + "/" + name }
        guard let slash = file.path.lastIndex(of: "/") else { return name }
        return file.path[...slash] + name
    }

    private func scorers() throws(Problem) -> [ScorerChoice] {
        var scorers: [ScorerChoice] = []
        for (index, table) in file.tables("scorers").enumerated() {
            let line = file.line(ofTable: index, "scorers")
            guard let kind = table["kind"]?.string else {
                throw Problem(
                    .missing, file.path, line: line, "the scorer has no kind",
                    remedy: "Write kind = \"exact\", or another kind that orrery eval explain scorers lists.")
            }
            let own = ["kind", "name", "weight", "threshold", "negate", "settings"]
            let settings =
                (table.members ?? []).filter { !own.contains($0.key) } + (table["settings"]?.members ?? [])
            let choice = ScorerChoice(
                kind, name: table["name"]?.string, settings: ScorerSettings(settings, path: file.path, line: line),
                weight: table["weight"]?.double ?? 1, threshold: table["threshold"]?.double,
                isNegated: table["negate"]?.bool ?? false)
            _ = try Scorers.make(choice)
            scorers.append(choice)
        }
        return scorers
    }

    private func metrics() throws(Problem) -> [MetricChoice] {
        var metrics: [MetricChoice] = []
        for (index, table) in file.tables("metrics").enumerated() {
            let line = file.line(ofTable: index, "metrics")
            guard let kind = table["kind"]?.string else {
                throw Problem(.missing, file.path, line: line, "the metric has no kind")
            }
            let settings = (table.members ?? []).filter { $0.key != "kind" && $0.key != "of" }
            let choice = MetricChoice(
                kind, of: table["of"]?.string, settings: ScorerSettings(settings, path: file.path, line: line))
            _ = try Metrics.make(choice)
            metrics.append(choice)
        }
        return metrics
    }

    private func reducer() throws(Problem) -> EpochReducer {
        let word = file.text("reducer") ?? EpochReducer.mean.name
        if let reducer = EpochReducer(named: word) { return reducer }
        throw file.error(
            "reducer", "unknown reducer \(word)",
            "Use mean, median, mode, max, at_least_K, pass_at_K, or pass_all_K, with a number for K.")
    }
}

/// A prompt with its name.
struct PromptVariant {
    var name: String
    var prompt: String?
    var system: String?
    /// Index in `[[prompts]]`.
    var table: Int?
}
