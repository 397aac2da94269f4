internal import Console
internal import Formatting
internal import ModelLab

/// The models of a workspace as rows of a chooser, identical on every page.
enum ModelChoices {
    /// Value of the row that opens the file browser.
    static let findFile = "find a model file"

    /// Row that opens the file browser.
    static let findChoice = Choice(
        "find a file…", detail: "A GGUF file, a Hugging Face folder, or a llama2.c file.", value: findFile)

    /// Asks for the model to use: one of the workspace, a file, or a typed provider.
    static func request<Answer>(
        _ title: String, _ entries: [ModelEntry], current: String, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) -> ChoiceRequest<Answer> {
        let choices = entries.map { entry in
            Choice(
                entry.name,
                facts: [
                    entry.file == nil ? "endpoint" : "in process", entry.file.map { Format.bytes($0.bytes) } ?? "",
                ],
                detail: entry.specification, isCurrent: entry.name == current || entry.specification == current,
                value: entry.name)
        }
        return request(title, choices, cancelled: cancelled, accept: accept)
    }

    /// Asks for the model to use if only names are known.
    static func request<Answer>(
        _ title: String = "Model", names: [String], current: String, cancelled: Answer? = nil,
        accept: @escaping @Sendable (String) -> Answer
    ) -> ChoiceRequest<Answer> {
        let choices = names.map { Choice($0, facts: ["in process"], isCurrent: $0 == current) }
        return request(title, choices, cancelled: cancelled, accept: accept)
    }

    /// Asks for the model to add: a file from the browser, or a typed path or provider.
    static func adding<Answer>(accept: @escaping @Sendable (String) -> Answer) -> ChoiceRequest<Answer> {
        request("Add a model", [], verb: "Add the model at", cancelled: nil, accept: accept)
    }

    /// Browses for a model: a GGUF file, a Hugging Face folder, or a llama2.c file.
    static func browse<Answer>(accept: @escaping @Sendable (String) -> Answer) -> FileRequest<Answer> {
        FileRequest(
            "Model file", .fileOrFolder,
            isExpected: { name in [".gguf", ".bin", ".safetensors"].contains { name.hasSuffix($0) } }, accept: accept)
    }

    private static func request<Answer>(
        _ title: String, _ choices: [Choice<String>], verb: String = "Use the model at", cancelled: Answer?,
        accept: @escaping @Sendable (String) -> Answer
    ) -> ChoiceRequest<Answer> {
        var request = ChoiceRequest(
            title, choices + [findChoice], typed: verb, cancelled: cancelled, accept: accept)
        request.chooser.placeholder = "type to filter, or a path, openai:NAME, http://HOST#NAME"
        return request
    }
}

extension Work {
    /// Asks for a name, file, or provider of a model.
    static func model(_ request: ChoiceRequest<String>, then: @escaping (inout P, String) -> Work) -> Work {
        .choose(request) { page, typed in
            if typed == ModelChoices.findFile { return .browse(ModelChoices.browse { $0 }, then: then) }
            return typed.trimmed.isEmpty ? [] : then(&page, PathCompletion.expanded(typed.trimmed))
        }
    }
}
