internal import JSON
internal import LanguageModels
internal import System

/// The `args` of an eval in the registry.
struct OpenAIEvalsArguments {
    /// Path of the samples file.
    let data: String
    private(set) var exampleCount = 0
    private(set) var maximumTokens: Int?
    private var exampleFile: String?

    private static let known = ["samples_jsonl", "ignore_case", "max_tokens", "few_shot_jsonl", "num_few_shot"]

    /// Creates arguments for a file of samples without a registry.
    init(data: String) { self.data = data }

    /// - Throws: `Problem` with the line of an unknown key.
    init(_ node: YAMLNode, of name: String, _ options: TaskLoading) throws(Problem) {
        let arguments = node["args"]
        for (key, value) in arguments?.members ?? [] where !Self.known.contains(key) {
            throw value.error(
                "`\(key)` of args is not supported", "Supported: \(Self.known.joined(separator: ", ")).")
        }
        guard let file = arguments?["samples_jsonl"], let data = file.value?.string else {
            throw node.error("`\(name)` has no `samples_jsonl`")
        }
        self.data = try Self.found(data, file, options)
        maximumTokens = try arguments?["max_tokens"].flatMap { node throws(Problem) in try Self.count(node, from: 1) }
        let count = try arguments?["num_few_shot"].flatMap { node throws(Problem) in try Self.count(node, from: 0) }
        exampleCount = options.fewShot ?? count ?? 0
        guard exampleCount > 0 else { return }
        guard let examples = arguments?["few_shot_jsonl"], let path = examples.value?.string else {
            throw (arguments?["num_few_shot"] ?? node).error(
                "examples are requested, but `few_shot_jsonl` names no file")
        }
        exampleFile = try Self.found(path, examples, options)
    }

    private static func count(_ node: YAMLNode, from least: Int) throws(Problem) -> Int? {
        if node.value == .null { return nil }
        guard let count = node.value?.int, count >= least else {
            throw node.error("expected a whole number of at least \(least)")
        }
        return count
    }

    /// Returns the path of a data file: next to the registry, in its `data` folder, or in the chosen folder.
    private static func found(_ data: String, _ node: YAMLNode, _ options: TaskLoading) throws(Problem) -> String {
        let folder = LMEvalFiles.folder(of: node.path)
        let places = [options.dataFolder.map { $0 + "/" }, folder, folder + "data/", folder + "../data/", ""]
        for place in places.compactMap({ $0 }) where data.hasPrefix("/") || ByteFile.exists(place + data) {
            return data.hasPrefix("/") ? data : place + data
        }
        throw node.error(
            "\(data) does not exist",
            "Put the file in the folder of the eval file or in a data folder there, or use its absolute path.")
    }

    /// Returns the messages of the first examples, which precede the last message of every sample.
    ///
    /// A row of examples has its messages under `sample`.
    func examples() throws(Problem) -> [Message] {
        guard let exampleFile else { return [] }
        guard let bytes = SmallFile.content(exampleFile, limit: 64 << 20) else {
            throw Problem(.limit, exampleFile, "the file cannot be read or is larger than 64 MiB")
        }
        var messages: [Message] = []
        var count = 0
        for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            if count == exampleCount { break }
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            guard let row = try? JSONValue(json: String(decoding: line, as: UTF8.self)), let sample = row["sample"]
            else {
                throw Problem(.invalid, exampleFile, line: index + 1, "the line is not a JSON object with a `sample`")
            }
            messages += try OpenAIEvalsMessages.read(sample, exampleFile, index + 1)
            count += 1
        }
        guard count == exampleCount else {
            throw Problem(.invalid, exampleFile, "the file has only \(count) of the \(exampleCount) examples")
        }
        return messages
    }
}

/// Parser of messages in rows of the data.
enum OpenAIEvalsMessages {
    static func read(_ input: JSONValue, _ path: String, _ line: Int) throws(Problem) -> [Message] {
        if let text = input.string { return [Message(.user, [.text(text)])] }
        guard let entries = input.elements, !entries.isEmpty else {
            throw Problem(.invalid, path, line: line, "expected a string or a list of messages")
        }
        var messages: [Message] = []
        for entry in entries {
            guard let text = entry["content"]?.string else {
                throw Problem(.invalid, path, line: line, "the `content` of a message must be a string")
            }
            messages.append(Message(try role(entry, path, line), [.text(text)]))
        }
        return messages
    }

    /// Returns the role of a message. System messages with the name of an example get the example's role.
    private static func role(_ entry: JSONValue, _ path: String, _ line: Int) throws(Problem) -> Role {
        switch entry["name"]?.string {
        case "example_user": return .user
        case "example_assistant": return .assistant
        case nil: break
        case let name?:
            throw Problem(
                .unsupported, path, line: line, "unsupported message name `\(name)`",
                remedy: "Supported: example_user, example_assistant.")
        }
        switch entry["role"]?.string {
        case "system", "developer": return .system
        case "assistant": return .assistant
        case "user", nil: return .user
        case let role?:
            throw Problem(.unknown, path, line: line, "unknown message role `\(role)`")
        }
    }
}
