public import EvalLogs
internal import Workspace

extension EvalTask {
    /// Stores the text of the prompt in the workspace, and records its version among the settings.
    ///
    /// - Parameter text: Template with the places that samples fill. If a task has several prompts, its setting
    ///   `prompt` names the prompt.
    mutating func keepPrompt(_ text: String, in workspace: Workspace?) {
        guard let workspace else { return }
        let variant = settings.first { $0.name == "prompt" }?.value ?? ""
        do {
            let kept = try PromptStore(workspace).keep(text, as: PromptStore.name(of: name, variant))
            settings.append(EvalSetting(PromptStore.setting, String(kept.version)))
        } catch {
            notes.append("The prompt version could not be stored: \(error).")
        }
    }
}

extension PromptStore {
    /// Name of the run setting with the version of the prompt.
    static let setting = "prompt version"

    /// Returns the name under which a prompt of a task is stored.
    static func name(of task: String, _ variant: String) -> String { "\(task)/\(variant)" }

    /// Returns the template of the prompt of a run.
    ///
    /// - Returns: `nil` if the run does not record the version of its prompt, or the workspace does not have it.
    public func prompt(of run: EvalRun) throws -> PromptVersion? {
        func told(_ name: String) -> String? { run.settings.first { $0.name == name }?.value }
        guard let version = told(Self.setting).flatMap({ Int($0) }) else { return nil }
        return try versions(of: Self.name(of: run.task, told("prompt") ?? "")).first { $0.version == version }
    }
}
