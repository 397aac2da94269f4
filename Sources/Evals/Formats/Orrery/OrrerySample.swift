internal import EvalLogs
internal import Formatting
internal import JSON
internal import LanguageModels
internal import System
internal import Traces

/// Makes samples from rows, for one variant of a task's prompt.
struct OrrerySample {
    let file: TaskTOML
    let kind: String
    var examples: FewShotExamples?
    private(set) var settings: [EvalSetting] = []
    private let sampling: Sampling
    private let prompt: TaskTemplate?
    private let system: TaskTemplate?
    private let messages: [(role: Role, text: TaskTemplate)]
    private let isChat: Bool
    private let targets: [TaskTemplate]
    private let targetColumn: String?
    private let choices: TaskTexts?
    private let right: TaskTemplate?
    private let turns: TaskTexts?
    private let documents: TaskTexts?
    private let recorded: TaskTemplate?
    private let confidence: TaskTemplate?
    private let id: TaskTemplate?
    private let cluster: TaskTemplate?
    private let delimiter: String
    private let slices: [String]
    private let variables: [JSONValue.Member]

    init(
        _ file: TaskTOML, _ variant: PromptVariant, _ sampling: (value: Sampling, point: MatrixPoint),
        _ options: TaskLoading
    ) throws(Problem) {
        func template(_ key: String, _ source: String?, line: Int? = nil) throws(Problem) -> TaskTemplate? {
            guard let source else { return nil }
            return try TaskTemplate(source, key: key, path: file.path, line: line ?? file.line(key))
        }
        self.file = file
        self.sampling = sampling.value
        kind = file.text("kind") ?? "generate"
        let table = variant.table
        prompt = try template("prompt", variant.prompt, line: table.flatMap { file.line("prompts.prompt", in: $0) })
        system = try template("system", variant.system, line: table.flatMap { file.line("prompts.system", in: $0) })
        var messages: [(role: Role, text: TaskTemplate)] = []
        for (index, table) in file.tables("messages").enumerated() {
            let line = file.line("messages.text", in: index)
            guard let role = table["role"]?.string, let text = table["text"]?.string,
                let role = Role.allCases.first(where: { $0.name == role })
            else {
                throw Problem(
                    .invalid, file.path, line: file.line(ofTable: index, "messages"), "the message needs role and text")
            }
            messages.append((role, try TaskTemplate(text, key: "messages.text", path: file.path, line: line)))
        }
        self.messages = messages
        isChat = file.text("form") != "text"
        var targets: [TaskTemplate] = []
        for source in file.texts("target") {
            targets.append(try TaskTemplate(source, key: "target", path: file.path, line: file.line("target")))
        }
        self.targets = targets
        targetColumn = file.text("targets")
        choices = file["choices"] == nil ? nil : try TaskTexts(file.texts("choices"), key: "choices", file)
        right = try template("right", file.text("right"))
        turns = file["turns"] == nil ? nil : try TaskTexts(file.texts("turns"), key: "turns", file)
        documents =
            file["agent.documents"] == nil
            ? nil : try TaskTexts(file.texts("agent.documents"), key: "agent.documents", file)
        recorded = try template("answer", file.text("answer"))
        confidence = try template("confidence", file.text("confidence"))
        id = try template("id", file.text("id"))
        cluster = try template("cluster", file.text("cluster"))
        delimiter = file.text("delimiter") ?? " "
        slices = file.texts("slices")
        variables = options.variables
        try checkParts()
        if !variant.name.isEmpty { settings.append(EvalSetting("prompt", variant.name)) }
        let count = options.fewShot ?? file.integer("few_shot.count") ?? 0
        if count > 0 { settings.append(EvalSetting("few-shot", String(count))) }
        for value in sampling.point.values {
            settings.append(EvalSetting(value.name, Format.plain(value.value)))
        }
    }

    /// Checks that the parts of this kind of request are given.
    private func checkParts() throws(Problem) {
        if prompt == nil, !["turns", "program", "recorded"].contains(kind), messages.isEmpty {
            throw file.error(
                "kind", "the task has no prompt",
                "Write prompt = \"{{ question }}\", where question is a column of the data.")
        }
        if kind == "recorded", recorded == nil {
            throw file.error(
                "kind", "the task does not name the column with the recorded answers",
                "Write answer = \"{{ answer }}\", where answer is a column of the data.")
        }
        if kind == "turns", turns == nil {
            throw file.error(
                "kind", "the task has no turns", "Write turns = [\"...\", \"...\"], or a column that holds them.")
        }
        if kind == "choice", choices == nil {
            throw file.error(
                "kind", "the task has no choices", "Write choices = [\"...\", \"...\"], or a column that holds them.")
        }
        if kind == "likelihood", targets.isEmpty, targetColumn == nil {
            throw file.error(
                "kind", "the task measures the probability of a target but defines no target",
                "Write target = \"{{ target }}\", where target is a column of the data.")
        }
        if kind == "retrieval", file.text("retrieval.corpus") == nil {
            throw file.error("retrieval", "no corpus is named", "Write corpus = \"...\" below [retrieval].")
        }
        for tool in file.texts("agent.tools") where !["calculator", "lookup", "search"].contains(tool) {
            throw file.error("agent.tools", "unknown tool \(tool)", "Supported: calculator, lookup, search.")
        }
    }

    /// - Throws: `Problem` if two samples have the same name or a template fails.
    func samples(_ rows: [DataRow], limit: Int?) throws(Problem) -> [TaskSample] {
        var samples: [TaskSample] = []
        samples.reserveCapacity(min(rows.count, limit ?? rows.count))
        var seen: [String: Int] = [:]
        for (index, row) in rows.prefix(limit ?? rows.count).enumerated() {
            let sample = try sample(row, index)
            if let other = seen.updateValue(index, forKey: sample.id) {
                throw file.error(
                    "id", "rows \(other + 1) and \(index + 1) have the same id, \"\(sample.id.prefix(80))\"",
                    "Write id = \"{{ column }}\" with a column of unique values, or id = \"{{ row }}\".")
            }
            samples.append(sample)
        }
        return samples
    }

    private func sample(_ row: DataRow, _ index: Int) throws(Problem) -> TaskSample {
        let name = "row \(index + 1)" + (row.line.map { " (line \($0))" } ?? "")
        let view = view(row.fields, index)
        var sample = TaskSample(id: "", request: .rolling(""), fields: row.fields)
        sample.id = try id?.text(view, name) ?? row.fields["id"]?.plainText ?? String(index + 1)
        sample.cluster = try cluster?.text(view, name)
        sample.slices = slices.map { row.fields[$0]?.plainText ?? "" }
        sample.targets = try targets(view, name)
        if let choices { sample.choices = try choices.texts(view, name, key: "choices", file) }
        sample.rightChoice = try rightChoice(sample, view, name)
        if sample.targets.isEmpty, let place = sample.rightChoice { sample.targets = [sample.choices[place]] }
        sample.request = try request(sample, view, name, index)
        return sample
    }

    /// Returns the data for templates: the row's columns, the user's variables, and `row`, its number starting at 1.
    private func view(_ fields: JSONValue, _ index: Int) -> JSONValue {
        .object(
            [JSONValue.Member(key: "row", value: .integer(index + 1))] + variables + (fields.members ?? []))
    }

    private func targets(_ view: JSONValue, _ name: String) throws(Problem) -> [String] {
        if let targetColumn {
            guard let value = view[targetColumn] else {
                throw file.error("targets", "\(name) has no column \(targetColumn)")
            }
            return (value.elements ?? [value]).compactMap(\.plainText)
        }
        var texts: [String] = []
        for target in targets { texts.append(try target.text(view, name)) }
        return texts
    }

    private func rightChoice(_ sample: TaskSample, _ view: JSONValue, _ name: String) throws(Problem) -> Int? {
        guard !sample.choices.isEmpty else { return nil }
        guard let word = try right?.text(view, name) ?? sample.targets.first else { return nil }
        if let place = sample.choices.firstIndex(of: word) { return place }
        if let place = Int(word), sample.choices.indices.contains(place) { return place }
        if word.utf8.count == 1, let byte = word.uppercased().utf8.first, byte >= 0x41,
            sample.choices.indices.contains(Int(byte) - 0x41)
        {
            return Int(byte) - 0x41
        }
        throw file.error(
            right == nil ? "target" : "right",
            "\"\(word.prefix(60))\" of \(name) is not one of the \(sample.choices.count) choices",
            "Use the text of a choice, its index from 0, or its letter.")
    }

    private func request(
        _ sample: TaskSample, _ view: JSONValue, _ name: String, _ index: Int
    ) throws(Problem) -> EvalRequest {
        let question = try prompt?.text(view, name) ?? ""
        let system = try system?.text(view, name)
        switch kind {
        case "choice":
            return .choice(
                context: try shots(index) + question, continuations: sample.choices.map { delimiter + $0 },
                alone: file.flag("alone"))
        case "likelihood":
            return .likelihood(
                context: try shots(index) + question, continuation: delimiter + (sample.targets.first ?? ""))
        case "rolling": return .rolling(question)
        case "turns":
            return .turns(
                system: system, user: try turns?.texts(view, name, key: "turns", file) ?? [], sampling: sampling)
        case "retrieval":
            return .retrieval(
                RetrievalQuestion(
                    question: question, corpus: file.text("retrieval.corpus") ?? "",
                    pipeline: file.text("retrieval.pipeline"), depth: max(1, file.integer("retrieval.depth") ?? 10),
                    prompt: file.text("retrieval.answer"), sampling: sampling))
        case "agent":
            return .agent(
                AgentQuestion(
                    question: question, documents: try documents?.texts(view, name, key: "agent.documents", file) ?? [],
                    tools: file.texts("agent.tools"), facts: facts(view),
                    maximumSteps: max(1, file.integer("agent.max_steps") ?? 8), sampling: sampling))
        case "program": return .program(sample.fields)
        case "recorded":
            return .recorded(
                RecordedAnswer(
                    question: question, answer: try recorded?.text(view, name) ?? "",
                    confidence: try confidence(view, name)))
        default: break
        }
        if !isChat, messages.isEmpty {
            return .generation(ModelRequest(.text((system ?? "") + (try shots(index)) + question), sampling: sampling))
        }
        var conversation: [Message] = []
        if let system { conversation.append(Message(.system, [.text(system)])) }
        for message in messages {
            conversation.append(Message(message.role, [.text(try message.text.text(view, name))]))
        }
        for (place, row) in (examples?.examples(for: index) ?? []).enumerated() {
            let (asked, answered) = try example(row, place)
            conversation.append(Message(.user, [.text(asked)]))
            conversation.append(Message(.assistant, [.text(answered)]))
        }
        if prompt != nil { conversation.append(Message(.user, [.text(question)])) }
        return .generation(ModelRequest(.messages(conversation, tools: []), sampling: sampling))
    }

    /// Returns the confidence of the recorded answer; `nil` if the template renders to nothing.
    private func confidence(_ view: JSONValue, _ name: String) throws(Problem) -> Double? {
        guard let text = try confidence?.text(view, name).trimmed, !text.isEmpty else { return nil }
        guard let value = Double(text), (0...1).contains(value) else {
            throw file.error(
                "confidence", "\"\(text.prefix(60))\" of \(name) is not a number from 0 to 1",
                "If the confidence is unknown, omit it.")
        }
        return value
    }

    /// Returns question and answer of a row that serves as an example.
    private func example(_ row: DataRow, _ place: Int) throws(Problem) -> (String, String) {
        let name = "example \(place + 1)" + (row.line.map { " (line \($0))" } ?? "")
        let view = view(row.fields, place)
        var answer = try targets(view, name).first ?? ""
        if let choices {
            let texts = try choices.texts(view, name, key: "choices", file)
            let sample = TaskSample(
                id: "", request: .rolling(""), targets: answer.isEmpty ? [] : [answer], choices: texts)
            if let right = try rightChoice(sample, view, name) { answer = texts[right] }
        }
        return (try prompt?.text(view, name) ?? "", answer)
    }

    /// Returns the examples of a sample as one text, each with its separator.
    private func shots(_ index: Int) throws(Problem) -> String {
        var text = ""
        for (place, row) in (examples?.examples(for: index) ?? []).enumerated() {
            let (asked, answered) = try example(row, place)
            text += asked + delimiter + answered + (file.text("few_shot.separator") ?? "")
        }
        return text
    }

    private func facts(_ view: JSONValue) -> [AgentQuestion.Fact] {
        guard let value = file.text("agent.facts").flatMap({ view[$0] }) else { return [] }
        if let members = value.members {
            return members.compactMap { member in member.value.plainText.map { .init(member.key, $0) } }
        }
        return (value.elements ?? []).compactMap { fact in
            guard let key = fact["key"]?.plainText, let value = fact["value"]?.plainText else { return nil }
            return .init(key, value)
        }
    }
}
