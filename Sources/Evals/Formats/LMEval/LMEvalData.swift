internal import JSON
internal import System

/// The rows of a task: rows for samples, and rows for examples.
struct LMEvalData {
    let questions: [JSONValue]
    let examples: [JSONValue]

    /// - Parameter folder: Folder of the data files (default: the task's folder, then the current folder).
    init(_ task: LMEvalDefinition, folder: String? = nil) throws(Problem) {
        let files = try Self.files(task, folder)
        var read: [String: [JSONValue]] = [:]
        func rows(_ split: String) throws(Problem) -> [JSONValue] {
            if let rows = read[split] { return rows }
            guard let paths = files[split] else {
                throw task.dataFiles.error(
                    "the dataset has no split `\(split)`", "Available: \(files.keys.sorted().joined(separator: ", ")).")
            }
            let rows = try LMEvalRows.read(paths, kind: task.datasetPath, at: task.dataFiles)
            read[split] = rows
            return rows
        }
        guard let split = task.test ?? task.validation else {
            throw Problem(.invalid, task.path, line: task.line, "neither `test_split` nor `validation_split` is set")
        }
        questions = try rows(split)
        guard task.exampleCount > 0 else {
            examples = []
            return
        }
        if let split = task.exampleSplit {
            examples = try rows(split)
        } else if let given = task.exampleRows {
            examples = given
        } else {
            examples = try rows(task.training ?? task.validation ?? split)
        }
    }

    /// Returns paths by split. Files without a split belong to the split train.
    private static func files(_ task: LMEvalDefinition, _ folder: String?) throws(Problem) -> [String: [String]] {
        func paths(_ node: YAMLNode) throws(Problem) -> [String] {
            let names = node.value?.string.map { [$0] } ?? node.value?.elements?.compactMap(\.string) ?? []
            guard !names.isEmpty else {
                throw node.error("`data_files` must be a path, a list of paths, or a mapping from splits to paths")
            }
            var paths: [String] = []
            for name in names {
                if name.contains("://") { throw node.error("\(name): only local data files are supported") }
                let beside = (folder.map { $0 + "/" } ?? LMEvalFiles.folder(of: node.path)) + name
                paths.append(name.hasPrefix("/") || !ByteFile.exists(beside) ? name : beside)
            }
            return paths
        }
        guard case .map(let members) = task.dataFiles.content else { return ["train": try paths(task.dataFiles)] }
        var files: [String: [String]] = [:]
        for (split, node) in members { files[split] = try paths(node) }
        return files
    }
}
