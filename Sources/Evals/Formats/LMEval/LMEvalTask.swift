internal import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Tokenizers

/// Makes tasks from YAML files of lm-evaluation-harness.
///
/// Supported: local JSON and CSV files, templates and columns, both samplers of examples, filters, the metrics of
/// `LMEvalDefinition.metricFacts`, and groups that list their tasks. Facts: lm-evaluation-harness 0.4.13.
public enum LMEvalTask {
    /// Options of a task that are not in its file.
    public struct Options: Hashable, Sendable {
        /// Number of examples before a question (default: the task's own).
        public var fewShot: Int?
        /// Seed for drawing examples (default in lm-evaluation-harness: 1234).
        public var seed: UInt64
        /// Maximum number of samples; `nil` for all.
        public var limit: Int?
        /// Folder of the data files, instead of the task's folder.
        public var dataFolder: String?

        public init(fewShot: Int? = nil, seed: UInt64 = 1234, limit: Int? = nil, dataFolder: String? = nil) {
            self.fewShot = fewShot
            self.seed = seed
            self.limit = limit
            self.dataFolder = dataFolder
        }
    }

    /// Loads the tasks of a file: one, or those of a group.
    ///
    /// - Throws: `Problem` with file and line for anything unsupported.
    public static func load(path: String, _ options: Options = Options()) throws(Problem) -> [EvalTask] {
        let root = try LMEvalFiles.root(of: path)
        if root["group"] != nil, let members = root["task"], case .list(let entries) = members.content {
            var tasks: [EvalTask] = []
            for entry in entries { tasks.append(try task(LMEvalFiles.member(entry, of: root), options)) }
            guard !tasks.isEmpty else { throw members.error("the group has no tasks") }
            return tasks
        }
        return [try task(root, options)]
    }

    private static func task(_ root: YAMLNode, _ options: Options) throws(Problem) -> EvalTask {
        let task = try LMEvalDefinition(root, fewShot: options.fewShot)
        let data = try LMEvalData(task, folder: options.dataFolder)
        let rows = data.questions
        guard let first = rows.first else { throw task.dataFiles.error("the dataset has no rows") }
        let columns = Set((first.members ?? []).map(\.key))
        var prompt = try LMEvalPrompt(task, columns: columns, pool: data.examples, seed: options.seed)
        if task.output == .choice, prompt.own.choice == nil {
            throw Problem(.missing, task.path, line: task.line, "the key `doc_to_choice` is missing")
        }
        guard prompt.own.target != nil else {
            throw Problem(.missing, task.path, line: task.line, "the key `doc_to_target` is missing")
        }
        let isMultiple = try prompt.own.target(first).elements != nil
        if isMultiple, let metric = task.metrics.first(where: { ["bleu", "chrf", "chrf++", "ter"].contains($0.name) }) {
            throw Problem(
                .unsupported, task.path, line: metric.line, "`\(metric.name)` with a list of targets is not supported")
        }
        let maker = LMEvalSample(task, isMultiple: isMultiple)
        var samples: [TaskSample] = []
        samples.reserveCapacity(rows.count)
        for (index, row) in rows.prefix(max(0, options.limit ?? rows.count)).enumerated() {
            samples.append(try maker.sample(index, row, &prompt))
        }
        return EvalTask(
            name: task.name, version: LMEvalDefinition.written(task.version), summary: task.alias ?? "",
            format: "lm-eval",
            path: task.path, samples: samples, scorers: [task.scorer], metrics: task.metricChoices,
            settings: [
                EvalSetting("output", task.output.rawValue), EvalSetting("examples", String(task.exampleCount)),
                EvalSetting("example seed", String(options.seed)), EvalSetting("rows", String(rows.count)),
            ] + (task.repeats > 1 ? [EvalSetting("repeats", String(task.repeats))] : []),
            source: task.exported, notes: task.notes)
    }
}

/// Finds the files of a task: its includes, and the members of a group.
enum LMEvalFiles {
    /// Returns a file as YAML, merged over the files that it includes.
    static func root(of path: String, seen: Set<String> = []) throws(Problem) -> YAMLNode {
        guard let bytes = SmallFile.content(path, limit: 16 << 20) else {
            throw Problem(.limit, path, "the file cannot be read or is larger than 16 MiB")
        }
        var root = try YAMLNode(parsing: String(decoding: bytes, as: UTF8.self), path: path)
        guard case .map(let members) = root.content, let include = root["include"] else { return root }
        guard !seen.contains(path), seen.count < 16 else { throw include.error("circular include") }
        var merged: [(key: String, node: YAMLNode)] = []
        func put(_ key: String, _ node: YAMLNode) {
            if let place = merged.firstIndex(where: { $0.key == key }) {
                merged[place].node = node
            } else {
                merged.append((key, node))
            }
        }
        let names = include.value?.string.map { [$0] } ?? include.value?.elements?.compactMap(\.string) ?? []
        for name in names {
            let included = name.hasPrefix("/") ? name : folder(of: path) + name
            let other = try Self.root(of: included, seen: seen.union([path]))
            guard case .map(let entries) = other.content else { throw other.error("a task must be a mapping of keys") }
            for entry in entries { put(entry.key, entry.node) }
        }
        for member in members where member.key != "include" { put(member.key, member.node) }
        root.content = .map(merged)
        return root
    }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Returns a member of a group: the name of a file next to it, a task name, or an inline task.
    static func member(_ entry: YAMLNode, of group: YAMLNode) throws(Problem) -> YAMLNode {
        if case .map = entry.content { return entry }
        guard let name = entry.value?.string else { throw entry.error("a task of a group must be a name or a mapping") }
        let folder = folder(of: group.path)
        for candidate in [name, name + ".yaml", name + ".yml"] where candidate.hasSuffix("ml") {
            if ByteFile.exists(folder + candidate) { return try root(of: folder + candidate) }
        }
        for file in Folder.readableNames(in: folder.isEmpty ? "." : folder)
        where file.hasSuffix(".yaml") || file.hasSuffix(".yml") {
            guard folder + file != group.path, let node = try? root(of: folder + file),
                node["task"]?.value?.string == name
            else { continue }
            return node
        }
        throw entry.error("no file next to the group defines the task `\(name)`")
    }
}
