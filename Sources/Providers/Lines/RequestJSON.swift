package import JSON
package import LanguageModels
package import System

/// A request as JSON: what an external program reads, and what recordings keep.
///
/// ```json
/// {"messages": [{"role": "user", "parts": [{"type": "text", "text": "Hello"}]}],
///  "tools": [{"name": "clock", "description": "The time", "parameters": {"type": "object"}}],
///  "sampling": {"temperature": 0.7, "max_tokens": 100, "stop": ["\n"]},
///  "alternatives": 5, "template_variables": {"enable_thinking": false}}
/// ```
/// `text` or `tokens` (ids) may stand in place of `messages` and `tools`. What is not set is left away.
package struct RequestJSON: JSONRepresentable {
    package var request: ModelRequest

    package init(_ request: ModelRequest) { self.request = request }

    package func write(to json: inout JSONWriter) { json.object { members(to: &$0) } }

    /// Writes the members into an object that has others.
    func members(to json: inout JSONWriter) {
        switch request.input {
        case .messages(let messages, let tools):
            json.member("messages", messages)
            if !tools.isEmpty { write(tools, to: &json) }
        case .text(let text): json.member("text", text)
        case .tokens(let ids): json.member("tokens", ids)
        }
        if request.sampling != Sampling() {
            json.member("sampling") { json in json.object { Self.write(request.sampling, to: &$0) } }
        }
        if request.alternatives > 0 { json.member("alternatives", request.alternatives) }
        guard !request.templateVariables.isEmpty else { return }
        json.member("template_variables") { json in
            json.object { json in
                for (name, text) in request.templateVariables.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    Self.write(text, to: &json)
                }
            }
        }
    }

    private func write(_ tools: [ToolDefinition], to json: inout JSONWriter) {
        json.objects("tools", of: tools) { tool, json in
            json.member("name", tool.name)
            json.member("description", tool.description)
            json.key("parameters")
            Self.write(tool.parameters, to: &json)
        }
    }

    private static func write(_ sampling: Sampling, to json: inout JSONWriter) {
        for (field, value) in sampling.settings() { json.member(field.name, value) }
        if !sampling.bias.isEmpty {
            json.member("bias", Dictionary(uniqueKeysWithValues: sampling.bias.map { (String($0.key), $0.value) }))
        }
        if !sampling.stop.isEmpty { json.member("stop", sampling.stop) }
        json.member("seed", ifPresent: sampling.seed)
        json.member("max_tokens", ifPresent: sampling.maximumTokens)
    }

    /// Writes JSON text as JSON, or as a string if it is not valid JSON.
    private static func write(_ text: String, to json: inout JSONWriter) {
        if let document = try? JSONDocument(parsing: text, maximumDepth: 256) {
            document.withRoot { json.copy($0) }
        } else {
            json.string(text)
        }
    }
}

extension RequestJSON {
    /// Reads a request.
    package init(_ node: JSONNode) throws(Problem) {
        guard node.kind == .object else { throw Problem(.invalid, "", "a request must be an object") }
        let input: ModelRequest.Input
        if let messages = node["messages"] {
            guard messages.kind == .array else { throw Problem(.invalid, "", "'messages' must be an array") }
            var read: [Message] = []
            for message in messages.elements { read.append(try Message(message)) }
            let tools = node["tools"]?.elements.map { tool in
                ToolDefinition(
                    name: tool["name"]?.string ?? "", description: tool["description"]?.string ?? "",
                    parameters: Self.text(of: tool["parameters"]))
            }
            input = .messages(read, tools: tools ?? [])
        } else if let text = (node["text"] ?? node["prompt"])?.string {
            input = .text(text)
        } else if let tokens = node["tokens"], tokens.kind == .array {
            let ids = tokens.elements.compactMap { $0.int.map(Int.init) }
            guard ids.count == tokens.count else { throw Problem(.invalid, "", "'tokens' must be whole numbers") }
            input = .tokens(ids)
        } else {
            throw Problem(.invalid, "", "a request must have 'messages', 'text', or 'tokens'")
        }
        var variables: [String: String] = [:]
        for (key, value) in (node["template_variables"] ?? node).members
        where node["template_variables"] != nil {
            variables[key.string ?? ""] = Self.text(of: value)
        }
        request = ModelRequest(
            input, sampling: try Self.sampling(node["sampling"]), alternatives: Int(node["alternatives"]?.int ?? 0),
            templateVariables: variables)
    }

    private static func text(of node: JSONNode?) -> String {
        node.map { $0.string ?? String(decoding: $0.source, as: UTF8.self) } ?? ""
    }

    /// Members of sampling settings that are not fields.
    private static let structured: Set = ["bias", "stop", "seed", "max_tokens"]

    private static func sampling(_ node: JSONNode?) throws(Problem) -> Sampling {
        guard let node, !node.isNull else { return Sampling() }
        guard node.kind == .object else { throw Problem(.invalid, "", "'sampling' must be an object") }
        var bias: [Int: Double] = [:]
        for (key, value) in node["bias"]?.members ?? node.members where node["bias"] != nil {
            guard let id = Int(key.string ?? ""), let number = value.double else {
                throw Problem(.invalid, "", "'bias' must map token IDs to numbers")
            }
            bias[id] = number
        }
        let stop = node["stop"].map { $0.string.map { [$0] } ?? $0.elements.compactMap(\.string) }
        var sampling = Sampling(
            bias: bias, stop: stop ?? [], seed: node["seed"]?.uint, maximumTokens: node["max_tokens"]?.int.map(Int.init)
        )
        let standard = Dictionary(uniqueKeysWithValues: SamplingField.standard.map { ($0.name, $0) })
        for (key, value) in node.members {
            guard let name = key.string, !Self.structured.contains(name), value.kind == .number else { continue }
            let field = standard[name] ?? SamplingField(named: name)
            guard sampling[field] == nil else { continue }
            if case .count = field.storage {
                sampling[field] = value.int.map { .count(Int($0)) }
            } else {
                sampling[field] = value.double.map(SamplingValue.number)
            }
        }
        return sampling
    }
}

extension JSONWriter {
    /// Writes the value of a sampling setting.
    mutating func member(_ name: String, _ value: SamplingValue) {
        switch value {
        case .number(let number): member(name, number)
        case .count(let count): member(name, count)
        }
    }
}
