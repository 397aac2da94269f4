internal import Console
internal import Retrieval

/// The pipeline: choosing, changing, and saving it, and answers by its model.
extension RetrievalPage {
    /// Asks for one of several names, or for text that matches none.
    static func choose(
        _ title: String, _ choices: [Choice<String>], typed verb: String,
        then: @escaping (inout Self, String) -> Work<Self>
    ) -> Work<Self> {
        .choose(title, choices, typed: (verb, { $1.trimmed.isEmpty ? [] : then(&$0, $1.trimmed) }), then: then)
    }

    /// Asks for a pipeline or one of its earlier versions, such as `hybrid@1`.
    func choosePipeline() -> Work<Self> {
        let names = catalog.pipelines.flatMap { name in
            [name] + (1..<max(1, catalog.versions[name] ?? 1)).reversed().map { "\(name)@\($0)" }
        }
        return .choose("Pipeline", choices(names)) { page, name in
            page.read("pipeline", { try $0.pipeline(named: name) }) { $0.use($1) }
        }
    }

    /// Names of pipelines; the current one is marked.
    private func choices(_ names: [String]) -> [Choice<String>] {
        names.map { Choice($0, isCurrent: $0 == pipeline.named.name) }
    }

    private mutating func use(_ choice: PipelineChoice) -> Work<Self> {
        pipeline = choice
        return search()
    }

    // MARK: Settings

    /// Asks which setting to change; typed text such as `dense.k = 24` sets it at once.
    func chooseSetting() -> Work<Self> {
        let settings = pipeline.definition.settings(for: corpus?.settings)
        let choices = settings.map { setting in
            // An empty value also means the default.
            let isStandard = !setting.isSet || setting.value.isEmpty
            return Choice(
                setting.name, facts: [isStandard ? "\(setting.standard) (default)" : setting.value],
                detail: setting.help)
        }
        return Self.choose("Settings of \(pipeline.named.name)", choices, typed: "Set") { page, typed in
            if let setting = settings.first(where: { $0.name == typed }) { return page.fill(setting) }
            do { return page.set(try PipelineChoice.settings(typed)) } catch {
                return .notify("\(error)", .failure)
            }
        }
    }

    /// Asks for the value of a setting.
    private func fill(_ setting: PipelineDefinition.Setting) -> Work<Self> {
        let (definition, name) = (pipeline.definition, setting.name)
        let field = Form.Field(
            name, value: setting.value, defaultValue: setting.standard, choices: setting.choices,
            allowed: setting.allowed, help: setting.help, check: { definition.problem(name, with: $0) })
        return .form(Form("Setting of \(pipeline.named.name)", [field])) { page, values in
            let value = values[name] ?? ""
            return value == setting.value
                ? [] : page.set([(name, value)])
        }
    }

    /// Changes settings and searches again.
    mutating func set(_ changes: [(key: String, value: String?)]) -> Work<Self> {
        do { return use(try pipeline.changing(changes)) } catch { return .notify("\(error)", .failure) }
    }

    // MARK: Saving

    func chooseName() -> Work<Self> {
        Self.choose(
            "Save as a new version of which pipeline?", choices(catalog.pipelines), typed: "Save as the new pipeline"
        ) { $0.confirmSave(as: $1) }
    }

    /// Asks before it replaces a pipeline that other searches use.
    private func confirmSave(as name: String) -> Work<Self> {
        guard catalog.pipelines.contains(name) else { return save(as: name) }
        // Saving keeps the built-in pipeline as version 1.
        let version = catalog.versions[name] ?? 1
        let users = name == Retriever.standardName ? "\(name) or no pipeline" : name
        return .question(
            Question(
                "Replace \(name)?",
                lines: [
                    "Changed: \(pipeline.changes.map(\.text).joined(separator: ", ")).",
                    "Searches that name \(users) will use version \(version + 1).",
                    "The current version remains available as \(name)@\(version).",
                ], [.init("s", "save as version \(version + 1) of \(name)", value: name)])
        ) { $0.save(as: $1) }
    }

    private func save(as name: String) -> Work<Self> {
        write { [pipeline] in
            try $0.save(pipeline, as: name)
        } then: { [pipeline] page, saved in
            // The user may have chosen another pipeline meanwhile.
            let isCurrent = page.pipeline == pipeline
            return [isCurrent ? page.use(saved) : [], .notify("saved \(saved.title)", .success), .changed]
        } failed: { _, _ in
            .changed
        }
    }

    // MARK: Answers

    /// Asks for the model that answers this question.
    func chooseModel() -> Work<Self> {
        read("models", { try $0.models() }) { page, names in
            let own = page.pipeline.definition.answer.model
            let usual = page.answerModel.isEmpty ? own.isEmpty ? names.first ?? "" : own : page.answerModel
            return .model(ModelChoices.request("Answer with", names: names, current: usual) { $0 }) { page, model in
                page.answerModel = model
                page.view = .answer
                return page.search(answeringWith: model)
            }
        }
    }
}
