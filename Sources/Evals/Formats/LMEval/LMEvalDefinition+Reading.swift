internal import JSON
internal import System

extension LMEvalDefinition {
    /// Keys that are read, and keys that have no effect here.
    private static let known: Set<String> = [
        "include", "task", "task_alias", "tag", "group", "group_alias", "dataset_path", "dataset_name",
        "dataset_kwargs", "training_split", "validation_split", "test_split", "fewshot_split", "description",
        "doc_to_text", "doc_to_target", "doc_to_choice", "gen_prefix", "target_delimiter", "fewshot_delimiter",
        "num_fewshot", "fewshot_config", "output_type", "generation_kwargs", "repeats", "filter_list", "metric_list",
        "metadata", "should_decontaminate", "doc_to_decontamination_query", "unsafe_code",
    ]
    /// Keys for functions in Python.
    private static let python = ["process_docs", "process_results", "custom_dataset", "class"]

    /// Reads a task.
    ///
    /// - Parameter fewShot: Number of examples, instead of the task's own.
    init(_ root: YAMLNode, fewShot: Int?) throws(Problem) {
        guard case .map(let members) = root.content else { throw root.error("a task must be a mapping of keys") }
        if let tagged = root.tagged, case .tagged(let tag, let text) = tagged.content {
            throw tagged.error(
                "`\(tag) \(text)` is Python code, which Orrery does not run",
                "Rewrite it as a template, or run the task with lm-evaluation-harness and open its log.")
        }
        for (key, node) in members {
            if Self.python.contains(key) {
                if node.value == .null { continue }
                throw node.error("`\(key)` needs Python, which Orrery does not run")
            }
            if ["doc_to_image", "doc_to_audio"].contains(key), node.value != .null {
                throw node.error("`\(key)`: images and audio are not supported")
            }
            if key == "use_prompt", node.value != .null {
                throw node.error("`use_prompt` loads a prompt from another source, which is not supported")
            }
            guard Self.known.contains(key) || ["doc_to_image", "doc_to_audio", "use_prompt"].contains(key) else {
                throw node.error("unknown key `\(key)`")
            }
        }
        if let unsafe = root["unsafe_code"], unsafe.value == .bool(true) {
            throw unsafe.error("`unsafe_code`: code execution through Python is not supported")
        }
        func text(_ key: String, of node: YAMLNode? = nil) throws(Problem) -> String? {
            guard let found = (node ?? root)[key], found.value != .null else { return nil }
            switch found.value {
            case .string(let text)?: return text
            case .integer(let number)?: return String(number)
            default: throw found.error("`\(key)` must be a string")
            }
        }
        path = root.path
        line = root.line
        guard let name = try text("task") else { throw root.error("the key `task` is missing") }
        self.name = name
        alias = try text("task_alias")
        version = root["metadata"]?["version"]?.value ?? .string("Yaml")
        let word = try text("output_type") ?? Output.generation.rawValue
        guard let output = Output(rawValue: word) else {
            throw (root["output_type"] ?? root).error(
                "unknown `output_type: \(word)`",
                "Use one of \(Output.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        self.output = output
        notes = []
        guard let place = root["dataset_path"], let kind = try text("dataset_path") else {
            throw root.error("the key `dataset_path` is missing")
        }
        guard ["json", "csv"].contains(kind) else {
            throw place.error(
                kind == "parquet"
                    ? "`dataset_path: parquet` is not supported"
                    : "`dataset_path: \(kind)` is not supported: only local files are",
                kind == "parquet"
                    ? "Convert the data to JSON Lines and set dataset_path: json. In Python: import pandas; "
                        + "pandas.read_parquet(\"FILE.parquet\").to_json(\"FILE.jsonl\", orient=\"records\", lines=True)."
                    : "Download the dataset and name its files: dataset_path: json, dataset_kwargs: {data_files: FILE.jsonl}."
            )
        }
        datasetPath = kind
        if let settings = root["dataset_kwargs"], case .map(let members) = settings.content {
            for (key, node) in members where !["data_files", "trust_remote_code"].contains(key) {
                throw node.error("unsupported key `\(key)` in `dataset_kwargs`", "Supported: data_files.")
            }
        }
        guard let files = root["dataset_kwargs"]?["data_files"] else {
            throw place.error("no data files are named", "Write dataset_kwargs: {data_files: FILE}.")
        }
        dataFiles = files
        training = try text("training_split")
        validation = try text("validation_split")
        test = try text("test_split")
        description = root["description"]
        func present(_ node: YAMLNode?) -> YAMLNode? { node?.value == .null ? nil : node }
        let wording = Wording(
            text: present(root["doc_to_text"]), target: present(root["doc_to_target"]),
            choice: present(root["doc_to_choice"]), prefix: present(root["gen_prefix"]))
        own = wording
        targetDelimiter = try text("target_delimiter") ?? " "
        exampleDelimiter = try text("fewshot_delimiter") ?? "\n\n"
        exampleSplit = try text("fewshot_split")
        let count = try Self.count(root["num_fewshot"])
        exampleCount = fewShot ?? count ?? 0
        repeats = try Self.count(root["repeats"]) ?? 1
        guard (1...1000).contains(repeats) else { throw (root["repeats"] ?? root).error("`repeats` must be 1 to 1000") }
        examples = wording
        sampler = "default"
        exampleTargetDelimiter = targetDelimiter
        exampleFewshotDelimiter = exampleDelimiter
        filters = []
        metrics = []
        generation = nil
        source = root.value ?? .null
        if let config = present(root["fewshot_config"]) { try readExamples(config) }
        try readGeneration(root["generation_kwargs"])
        try readFilters(present(root["filter_list"]))
        try readMetrics(present(root["metric_list"]))
    }

    private static let mostCounted = 1_000_000

    static func count(_ node: YAMLNode?) throws(Problem) -> Int? {
        guard let node, node.value != .null else { return nil }
        guard let count = node.value?.int, (0...mostCounted).contains(count) else {
            throw node.error("expected a whole number from 0 to \(mostCounted)")
        }
        return count
    }

    private mutating func readExamples(_ config: YAMLNode) throws(Problem) {
        guard case .map(let members) = config.content else { throw config.error("`fewshot_config` must be a mapping") }
        for (key, node) in members where node.value != .null {
            switch key {
            case "sampler":
                guard let word = node.value?.string, ["default", "first_n"].contains(word) else {
                    throw node.error("the sampler must be `default` or `first_n`")
                }
                sampler = word
            case "split": exampleSplit = node.value?.string
            case "samples":
                guard let rows = node.value?.elements else { throw node.error("`samples` must be a list of rows") }
                exampleRows = rows
            case "fewshot_indices":
                notes.append("line \(node.line): fewshot_indices has no effect, as in lm-evaluation-harness 0.4.13")
            case "doc_to_text": examples.text = node
            case "doc_to_target": examples.target = node
            case "doc_to_choice": examples.choice = node
            case "gen_prefix": examples.prefix = node
            case "fewshot_delimiter": exampleFewshotDelimiter = node.value?.string ?? exampleFewshotDelimiter
            case "target_delimiter": exampleTargetDelimiter = node.value?.string ?? exampleTargetDelimiter
            default: throw node.error("unknown key `\(key)` in `fewshot_config`")
            }
        }
    }

    private mutating func readGeneration(_ node: YAMLNode?) throws(Problem) {
        guard output == .generation else { return }
        guard let node, node.value != .null else {
            generation = .object([
                .init(key: "temperature", value: .number(0)), .init(key: "do_sample", value: .bool(false)),
                .init(key: "max_gen_toks", value: .integer(256)),
                .init(key: "until", value: .array([.string(exampleDelimiter)])),
            ])
            return
        }
        guard case .map(let members) = node.content else { throw node.error("`generation_kwargs` must be a mapping") }
        var kept: [JSONValue.Member] = []
        for (key, entry) in members {
            var value = entry.value ?? .null
            switch key {
            case "until":
                guard value.string != nil || value.elements?.allSatisfy({ $0.string != nil }) == true else {
                    throw entry.error("`until` must be a string or a list of strings")
                }
            case "temperature":
                guard let number = value.double ?? value.string.flatMap({ Double($0) }) else {
                    throw entry.error("`temperature` must be a number")
                }
                value = .number(number)
            case "max_gen_toks", "max_tokens", "top_k":
                guard value.int.map({ $0 >= 0 }) == true else {
                    throw entry.error("`\(key)` must be a whole number of at least 0")
                }
            case "top_p", "min_p", "presence_penalty", "frequency_penalty", "repetition_penalty":
                guard value.double != nil else { throw entry.error("`\(key)` must be a number") }
            case "do_sample": break
            default: throw entry.error("unsupported key `\(key)` in `generation_kwargs`")
            }
            kept.append(JSONValue.Member(key: key, value: value))
        }
        if !kept.contains(where: { $0.key == "until" }) {
            kept.append(JSONValue.Member(key: "until", value: .array([.string(exampleDelimiter)])))
        }
        generation = .object(kept)
    }

    private mutating func readFilters(_ node: YAMLNode?) throws(Problem) {
        guard let node else {
            filters = [Filter(name: "none", steps: [("take_first", ScorerSettings([], path: path, line: line))])]
            return
        }
        guard case .list(let entries) = node.content, !entries.isEmpty else {
            throw node.error("`filter_list` must be a list of filters")
        }
        for entry in entries {
            guard let name = entry["name"]?.value?.string, case .list(let functions)? = entry["filter"]?.content else {
                throw entry.error("a filter must have a `name` and a list `filter`")
            }
            guard !filters.contains(where: { $0.name == name }) else {
                throw entry.error("two filters are named `\(name)`")
            }
            var steps: [(function: String, settings: ScorerSettings)] = []
            for function in functions {
                guard let word = function["function"]?.value?.string, case .map(let members) = function.content else {
                    throw function.error("a filter step must have a `function`")
                }
                let values = members.filter { $0.key != "function" }.map {
                    JSONValue.Member(key: $0.key, value: $0.node.value ?? .null)
                }
                let settings = ScorerSettings(values, path: path, line: function.line)
                _ = try AnswerFilters.make(word, settings)
                if output != .generation, word != "take_first" {
                    throw function.error("the filter `\(word)` applies only to generated answers")
                }
                steps.append((word, settings))
            }
            filters.append(Filter(name: name, steps: steps))
        }
    }
}
