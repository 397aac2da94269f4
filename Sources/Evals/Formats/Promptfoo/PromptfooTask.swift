internal import Configuration
internal import EvalLogs
internal import JSON
internal import LanguageModels
internal import Providers
internal import System
internal import Tokenizers

/// A parsed promptfoo file with line numbers.
struct PromptfooTask {
    let path: String
    let options: TaskLoading
    let root: YAMLNode
    private let text: String

    init(path: String, _ options: TaskLoading) throws(Problem) {
        self.path = path
        self.options = options
        guard let bytes = SmallFile.content(path, limit: PromptfooFormat.mostBytes),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw Problem(.limit, path, "the file cannot be read as UTF-8 text of at most 16 MiB") }
        self.text = text
        root = try YAMLNode(parsing: text, path: path)
        if let tagged = root.tagged { throw tagged.error("YAML tags are not supported") }
        let known = [
            "description", "prompts", "providers", "targets", "defaultTest", "tests", "evaluateOptions", "env",
            "sharing",
            "outputPath", "metadata", "tags", "$schema", "commandLineOptions", "writeLatestResults",
        ]
        for (key, node) in root.members where !known.contains(key) {
            throw node.error(
                "\(key) is not supported",
                NearestName.suggestion(for: key, among: known) ?? "Remove it.")
        }
        for key in ["env", "commandLineOptions"] {
            guard let node = root[key], node.isFilled else { continue }
            throw node.error(
                "\(key) is not supported",
                key == "env" ? "Set its variables in the environment of orrery." : "Use the command line instead.")
        }
    }

    func tasks() throws(Problem) -> [EvalTask] {
        let prompts = try prompts()
        let tests = try tests()
        let models = try models()
        let last = path.split(separator: "/").last.map(String.init) ?? "promptfoo"
        let name = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
        var notes: Set<String> = []
        var tasks: [EvalTask] = []
        for prompt in prompts where options.prompts.isEmpty || options.prompts.contains(prompt.label) {
            var task = EvalTask(
                name: name, summary: root["description"]?.value?.string ?? "", format: PromptfooFormat.name, path: path,
                samples: [], scorers: [ScorerChoice("checks")], source: text)
            if prompts.count > 1 { task.settings.append(EvalSetting("prompt", prompt.label)) }
            task.settings += models.map { EvalSetting("provider", $0) }
            if let node = root["evaluateOptions"] { try take(node, into: &task) }
            if root["outputPath"] != nil {
                notes.insert("outputPath is ignored: orrery eval export writes the run.")
            }
            let sampling = try sampling()
            for (index, test) in tests.prefix(options.limit ?? tests.count).enumerated() {
                task.samples.append(try sample(test, index, prompt, sampling, &notes))
            }
            task.notes = notes.sorted()
            task.isJudgedByPeople = notes.contains(PromptfooChecks.leftToPeople)
            task.keepPrompt(prompt.text, in: options.workspace)
            task.lines["tests"] = root["tests"]?.line ?? root["prompts"]?.line
            tasks.append(task)
        }
        guard !tasks.isEmpty else {
            throw (root["prompts"] ?? root).error(
                "unknown prompt \(options.prompts.joined(separator: ", "))",
                "Available: \(prompts.map(\.label).joined(separator: ", ")).")
        }
        guard !tests.isEmpty else { throw root.error("the file has no tests", "Add tests under tests.") }
        return tasks
    }

    private func take(_ node: YAMLNode, into task: inout EvalTask) throws(Problem) {
        for (key, value) in node.members {
            guard let number = value.value?.int, number >= 0 else {
                if key == "showProgressBar" || key == "cache" && value.value?.bool == true { continue }
                if key == "cache" { throw value.error("evaluateOptions.cache is not supported", "Use --no-cache.") }
                throw value.error(
                    "evaluateOptions.\(key) is not supported", "Supported: maxConcurrency, repeat, delay.")
            }
            switch key {
            case "repeat": task.epochs = max(1, number)
            case "maxConcurrency": task.settings.append(EvalSetting("concurrency", String(number)))
            case "delay" where number == 0: break
            case "delay":
                throw value.error(
                    "evaluateOptions.delay is not supported",
                    "Remove it. Use --concurrency to limit parallel requests; Orrery waits when the server asks.")
            default:
                throw value.error("evaluateOptions.\(key) is not supported", "Supported: maxConcurrency, repeat.")
            }
        }
    }

    private func sample(
        _ test: PromptfooTest, _ index: Int, _ prompt: PromptfooPrompt, _ sampling: Sampling,
        _ notes: inout Set<String>
    ) throws(Problem) -> TaskSample {
        let variables = JSONValue.object(options.variables + test.variables)
        let whole = (test.prefix ?? "") + prompt.text + (test.suffix ?? "")
        let text = try Self.rendered(whole, variables, at: prompt.node)
        var sample = TaskSample(
            id: String(index + 1),
            request: .generation(ModelRequest(.messages(Self.messages(text), tools: []), sampling: sampling)),
            fields: .object(
                test.variables + (test.description.map { [.init(key: "description", value: .string($0))] } ?? [])))
        var reading = PromptfooChecks(task: self, variables: variables)
        sample.checks = try reading.checks(test.assertions)
        notes.formUnion(reading.notes)
        if let threshold = test.threshold, !sample.checks.isEmpty {
            sample.checks = [
                ScorerChoice(
                    "check_set",
                    settings: ScorerSettings(
                        [
                            .init(key: "checks", value: .array(sample.checks.map(\.nested))),
                            .init(key: "threshold", value: .number(threshold)),
                        ], path: path, line: test.node.line))
            ]
        }
        sample.targets = sample.checks.compactMap { check in
            check.isNegated ? nil : check.settings["values"]?.elements?.first?.string
        }
        return sample
    }

    /// Returns the messages of a conversation in JSON; any other text is one user message.
    static func messages(_ text: String) -> [Message] {
        if text.first(where: { !$0.isWhitespace }) == "[", let list = (try? JSONValue(json: text))?.elements,
            !list.isEmpty
        {
            let messages = list.compactMap { value -> Message? in
                guard let name = value["role"]?.string, let content = value["content"]?.string,
                    let role = Role.allCases.first(where: { $0.name == name })
                else { return nil }
                return Message(role, [.text(content)])
            }
            if messages.count == list.count { return messages }
        }
        return [Message(.user, [.text(text)])]
    }

    static func rendered(_ text: String, _ variables: JSONValue, at node: YAMLNode) throws(Problem) -> String {
        guard text.contains("{{") || text.contains("{%") else { return text }
        do {
            return try TextTemplate(text, isStrict: false).render(variables)
        } catch {
            let sentence = error.sentence
            throw node.error("invalid template: \(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)")
        }
    }

    /// Returns a path in the file, relative to its folder.
    func place(_ name: String) -> String {
        let plain = name.hasPrefix("file://") ? String(name.dropFirst(7)) : name
        if plain.hasPrefix("/") { return plain }
        if let folder = options.dataFolder { return folder + "/" + plain }
        return path.lastIndex(of: "/").map { path[...$0] + plain } ?? plain
    }

    func models() throws(Problem) -> [String] {
        guard let node = root["providers"] ?? root["targets"] else { return [] }
        var models: [String] = []
        for entry in node.elements {
            var word = entry.value?.string ?? entry["id"]?.value?.string
            if word == nil, let first = entry.members.first, entry["config"] == nil { word = first.key }
            guard let word else {
                throw entry.error("the provider has no id", "Example: openai:chat:gpt-4o-mini.")
            }
            for (key, value) in entry.value?.string == nil && entry["id"] != nil ? entry.members : [] {
                guard !["id", "label", "config"].contains(key) else { continue }
                throw value.error("a provider's \(key) is not supported", "Supported: id, label, config.")
            }
            models.append(try Self.model(word, at: entry))
        }
        return models
    }

    /// Returns the sampling options of the providers' config, which must be equal because all providers get the same
    /// samples.
    private func sampling() throws(Problem) -> Sampling {
        guard let node = root["providers"] ?? root["targets"] else { return Sampling() }
        var samplings: [Sampling] = []
        for entry in node.elements {
            // Either id and config, or the id as a key with its config below.
            var config = entry["config"]
            if config == nil, entry["id"] == nil { config = entry.members.first?.node["config"] }
            samplings.append(try config.map { node throws(Problem) in try Self.sampling(node) } ?? Sampling())
            guard samplings.last == samplings.first else {
                throw entry.error(
                    "the providers differ in their config, which is not supported",
                    "Write a separate file for each, or try values with --param.")
            }
        }
        return samplings.first ?? Sampling()
    }

    private static func sampling(_ config: YAMLNode) throws(Problem) -> Sampling {
        var sampling = Sampling()
        for (key, node) in config.members {
            let number = node.value?.double ?? .nan
            var fits = true
            switch key {
            case "temperature":
                fits = number >= 0 && number.isFinite
                sampling.temperature = number
            case "top_p":
                fits = number > 0 && number <= 1
                sampling.topP = number
            case "max_tokens", "max_completion_tokens", "maxTokens":
                fits = (node.value?.int ?? 0) > 0
                sampling.maximumTokens = node.value?.int
            case "seed":
                sampling.seed = node.value?.int.flatMap { UInt64(exactly: $0) }
                fits = sampling.seed != nil
            case "stop":
                sampling.stop = node.elements.compactMap { $0.value?.string }
                fits = sampling.stop.count == node.elements.count
            default:
                throw node.error(
                    "a provider's config.\(key) is not supported",
                    "Supported: temperature, top_p, max_tokens, seed, stop. For addresses and keys, see --model."
                )
            }
            guard fits else { throw node.error("config.\(key) has an invalid value") }
        }
        return sampling
    }

    private static func model(_ word: String, at node: YAMLNode) throws(Problem) -> String {
        let foreign = ["python:", "javascript:", "golang:", "file://", "package:", "ruby:"]
        if let kind = foreign.first(where: { word.hasPrefix($0) }) {
            throw node.error(
                "providers of kind \(kind) run code inside promptfoo, which is not supported",
                "Write a program instead: exec:./program.")
        }
        var mapped = word
        for prefix in ["openai:chat:", "openai:completion:", "openai:responses:"] where word.hasPrefix(prefix) {
            mapped = "openai:" + word.dropFirst(prefix.count)
        }
        if word.hasPrefix("anthropic:messages:") { mapped = "anthropic:" + word.dropFirst(19) }
        if word.hasPrefix("ollama:chat:") { mapped = "ollama:" + word.dropFirst(12) }
        if word == "echo" {
            throw node.error("the provider echo is not supported", "Write a program instead: exec:./program.")
        }
        if word.hasPrefix("exec:") { mapped = "exec:" + word.dropFirst(5).drop { $0 == " " } }
        do {
            _ = try ProviderSpecification(mapped)
        } catch {
            throw node.error(
                "unknown provider \(word.prefix(80))", "Example: openai:chat:gpt-4o-mini.")
        }
        return mapped
    }
}

extension YAMLNode {
    /// Entries of a map; empty for anything else.
    var members: [(key: String, node: YAMLNode)] { if case .map(let members) = content { members } else { [] } }
    /// Whether the node has any content.
    var isFilled: Bool {
        switch content {
        case .map(let members): !members.isEmpty
        case .list(let nodes): !nodes.isEmpty
        default: value != .null
        }
    }
    /// Elements of a list; anything else is a list of itself.
    var elements: [YAMLNode] { if case .list(let elements) = content { elements } else { [self] } }
}
