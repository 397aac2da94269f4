public import EvalLogs
internal import Formatting
internal import JSON
public import LanguageModels
internal import ModelLab
internal import Providers
internal import Retrieval
internal import System
internal import Traces
public import Workspace

extension EvalSetup {
    /// Returns one order per run: every variant of the prompt with every model and every combination of parameters.
    /// Opens their parts, so unreadable files and unknown models are reported here.
    ///
    /// - Throws: `Problem`, and errors of opening a model.
    public func orders(in workspace: Workspace) throws -> [EvalOrder] {
        let points = try points()
        let tasks = try tasks(in: workspace).map { task throws(Problem) in try task.checked() }
        let room = try room(in: workspace)
        // A provider named in the task file counts unless the setup names a model.
        let named = tasks.first?.settings.filter { $0.name == "provider" }.map(\.value) ?? []
        let words = models.isEmpty ? (named.isEmpty ? [""] : named) : models
        let count = tasks.count * words.count * points.count
        let group = count > 1 ? options.group ?? "\(tasks.first?.name ?? task) \(count) runs" : options.group
        var opened: [String: any LanguageModel] = [:]
        var orders: [EvalOrder] = []
        for task in tasks {
            for word in words {
                var task = task
                let solver: any Solver
                try checkAsked(task, word)
                if task.isRecorded {
                    solver = Solvers.recorded
                } else if task.asksPrograms, case .program(let program)? = try? ProviderSpecification(word) {
                    try Self.checkProgram(program)
                    let seconds = programSeconds ?? task.programSeconds ?? ProgramLimits().seconds
                    solver = Solvers.make(program: program, limits: ProgramLimits(seconds: seconds))
                } else {
                    // Open a model of several runs only once.
                    if opened[word] == nil {
                        opened[word] = try Self.model(
                            word, in: workspace, programSeconds: programSeconds ?? task.programSeconds)
                    }
                    let asked = Solvers.make(
                        model: opened[word], specification: word.isEmpty ? nil : word,
                        identity: Self.identity(of: word, in: workspace), workspace: workspace,
                        resources: PipelineResources(of: workspace), alternatives: kept(of: opened[word]))
                    if let note = Self.templateNote(task, opened[word]) { task.notes.append(note) }
                    let program = opened[word] as? AskedProgram
                    solver = program.map { AskedProgramSolver(base: asked, program: $0) } ?? asked
                }
                for point in points { orders.append(order(task, word, solver, point, room, group)) }
            }
        }
        Self.name(&orders, called: options.name)
        return orders
    }

    /// Returns the order of a run in the workspace: that is, its setup's order with its task and settings.
    ///
    /// - Throws: `Problem` if its task is no longer in the file, and errors of `orders(in:)`.
    public func order(of run: EvalRun, in workspace: Workspace) throws -> EvalOrder {
        let orders = try orders(in: workspace).filter { $0.task.name == run.task }
        guard !orders.isEmpty else {
            throw Problem(.invalid, task, "the file no longer contains the task \(run.task)")
        }
        func fits(_ order: EvalOrder) -> Bool { order.task.settings.allSatisfy { run.settings.contains($0) } }
        guard let order = orders.first(where: fits) else {
            throw Problem(
                .missing, task, "no settings in the file match those of run \(run.key)",
                remedy: "Restore the file, or start a new run.")
        }
        return order
    }

    /// Returns the number of alternatives to store for each token: the chosen number, or else five for local models,
    /// which report them at no cost, and none for others.
    private func kept(of model: (any LanguageModel)?) -> Int {
        alternatives ?? (model.map { $0.provider == "in-process" } ?? false ? Self.usualAlternatives : 0)
    }

    /// Number of alternatives for local models.
    private static let usualAlternatives = 5

    /// Creates a setup from the stored arguments of a run: one word, the setup as JSON.
    public init?(arguments: [String]) {
        guard arguments.count == 1, let value = try? JSONValue(json: arguments[0]) else { return nil }
        self.init(value)
    }

    /// Returns the tasks of the setup's word: those of a file, or questions about a corpus's passages.
    private func tasks(in workspace: Workspace) throws -> [EvalTask] {
        if let plan = PreferencePlan.parse(task) { return [try plan.task(in: EvalStore(workspace))] }
        guard let (corpus, plan) = TestSetPlan.parse(task) else {
            return try TaskFormats.load(task, loading(in: workspace))
        }
        let store = CorpusStore(workspace)
        return [try plan.task(of: try store.corpus(named: corpus), in: store)]
    }

    private func loading(in workspace: Workspace) -> TaskLoading {
        // Named samples may be beyond the first ones.
        TaskLoading(
            workspace: workspace, limit: options.only.isEmpty ? options.limit : nil, fewShot: fewShot, prompts: prompts,
            variables: variables,
            seed: options.seed)
    }

    private func order(
        _ task: EvalTask, _ word: String, _ solver: any Solver, _ point: [ParameterValue], _ room: ScoringRoom,
        _ group: String?
    ) -> EvalOrder {
        var task = task
        for index in task.samples.indices { task.samples[index].request.apply(point) }
        task.settings += point.map { .init($0.name.rawValue, $0.text) }
        // The stored setup describes this run alone, within its group.
        var one = self
        one.models = word.isEmpty ? [] : [word]
        one.parameters = point.map { EvalParameter($0.name, [$0.value]) }
        one.options.group = group
        if let prompt = task.settings.first(where: { $0.name == "prompt" })?.value { one.prompts = [prompt] }
        var options = one.options
        if options.concurrency == EvalOptions().concurrency,
            let most = task.settings.first(where: { $0.name == "concurrency" }).flatMap({ Int($0.value) }), most > 0
        {
            options.concurrency = min(most, 512)
        }
        return EvalOrder(task: task, solver: solver, room: room, options: options, arguments: [one.json()])
    }

    /// Opens a model for a run. It does not wait by itself; the run waits and shows the wait.
    ///
    /// - Parameters:
    ///   - word: Name in the registry, path, or `openai:...`; empty opens none.
    ///   - programSeconds: Time limit for an answer of a program (default: the usual limit).
    /// - Throws: An error if the word is unknown or a file cannot be opened.
    public static func model(
        _ word: String, in workspace: Workspace, programSeconds: Double? = nil
    ) throws -> (any LanguageModel)? {
        guard !word.isEmpty else { return nil }
        let house = ModelHouse(workspace)
        if case .program(let words) = try house.specification(of: word) {
            try checkProgram(words)
            return AskedProgram(ProgramModel(words, seconds: programSeconds ?? ProgramLimits().seconds))
        }
        // Local models are opened through the house, which shares them with other users.
        return try Providers.make(try house.specification(of: word).forRuns) { _ in try house.model(word) }
    }

    /// Returns the identity of a model, which prevents reuse of another model's answers: the resolved word, and for
    /// files their sizes and times.
    private static func identity(of word: String, in workspace: Workspace) -> String? {
        guard !word.isEmpty else { return nil }
        guard let specification = try? ModelHouse(workspace).specification(of: word) else { return word }
        let stamp: String? =
            switch specification {
            case .local(let path), .replay(let path): FileStampText.of(path)
            // A program's identity includes the files that its arguments name, such as its script.
            case .program(let words): ProgramStamp.of(words)
            case .openAI, .anthropic, .scripted: nil
            }
        return [specification.description, stamp].compactMap { $0 }.joined(separator: " ")
    }

    private func room(in workspace: Workspace) throws -> ScoringRoom {
        let judgeModel = try judge.flatMap { try self.judgeModel($0, in: workspace) }
        var room = ScoringRoom(judge: judgeModel, judgeSpecification: judge)
        room.programSeconds = programSeconds
        if let embedder {
            let vectors = try EmbedderSpecification(embedder).open()
            room.embed = { texts in try Self.rows(vectors, texts) }
        }
        return room
    }

    /// Returns the judge. A judge program stays running and reads the same line format as a solver program.
    private func judgeModel(_ word: String, in workspace: Workspace) throws -> (any LanguageModel)? {
        guard case .program(let words)? = try? ModelHouse(workspace).specification(of: word) else {
            return try Self.model(word, in: workspace)
        }
        try Self.checkProgram(words)
        return JudgeProgram(words, seconds: programSeconds ?? ProgramLimits().seconds)
    }

    /// Returns one vector per text.
    private static func rows(_ embedder: any Embedder, _ texts: [String]) throws -> [[Float]] {
        let flat = try embedder.embed(texts, as: .passage, isCancelled: { false })
        let width = max(1, embedder.dimension)
        return stride(from: 0, to: flat.count, by: width).map { Array(flat[$0..<min($0 + width, flat.count)]) }
    }

    fileprivate struct ParameterValue: Hashable {
        var name: EvalParameter.Name
        var value: Double

        var text: String { Format.plain(value) }
    }

    /// Returns every combination of parameters, the last one changing fastest; a single empty one without parameters.
    private func points() throws(Problem) -> [[ParameterValue]] {
        for parameter in parameters {
            for value in parameter.values where !parameter.name.takes(value) {
                throw Problem(
                    .invalid, task, "\(parameter.name.rawValue) is out of range: \(value)",
                    remedy: parameter.name.remedy)
            }
        }
        return MatrixPlan.points(parameters.map { ($0.name.rawValue, $0.values) }).map { point in
            point.values.compactMap { one in
                EvalParameter.Name(rawValue: one.name).map { ParameterValue(name: $0, value: one.value) }
            }
        }
    }
}

extension EvalParameter.Name {
    /// Returns whether models accept a value.
    fileprivate func takes(_ value: Double) -> Bool {
        switch self {
        case .temperature: value.isFinite && value >= 0
        case .topP: value > 0 && value <= 1
        case .maximumTokens: Int(exactly: value).map { $0 > 0 } ?? false
        // A Double represents every integer up to 2^53 exactly.
        case .seed: value <= 0x1p53 && UInt64(exactly: value) != nil
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .temperature: "Use 0 or more."
        case .topP: "Use a number above 0 and at most 1."
        case .maximumTokens: "Use a whole number of at least 1."
        case .seed: "Use a whole number from 0 to 2^53."
        }
    }
}

extension EvalTask {
    /// Whether every answer is already in the data.
    fileprivate var isRecorded: Bool {
        samples.allSatisfy { if case .recorded = $0.request { true } else { false } }
    }

    /// Whether a program receives the samples themselves. An agent and a pipeline use it as a model.
    fileprivate var asksPrograms: Bool {
        !samples.contains { sample in
            switch sample.request {
            case .agent, .retrieval: true
            default: false
            }
        }
    }
}

extension EvalRequest {
    /// Applies parameter values to the sampling of the request; a request without sampling stays unchanged.
    fileprivate mutating func apply(_ point: [EvalSetup.ParameterValue]) {
        guard !point.isEmpty else { return }
        switch self {
        case .generation(var request):
            request.sampling.apply(point)
            self = .generation(request)
        case .turns(let system, let user, var sampling):
            sampling.apply(point)
            self = .turns(system: system, user: user, sampling: sampling)
        case .retrieval(var question):
            question.sampling.apply(point)
            self = .retrieval(question)
        case .agent(var question):
            question.sampling.apply(point)
            self = .agent(question)
        case .likelihood, .rolling, .choice, .program, .recorded: break
        }
    }
}

extension Sampling {
    fileprivate mutating func apply(_ point: [EvalSetup.ParameterValue]) {
        for parameter in point {
            switch parameter.name {
            case .temperature: temperature = parameter.value
            case .topP: topP = parameter.value
            case .maximumTokens: maximumTokens = Int(exactly: parameter.value)
            case .seed: seed = UInt64(exactly: parameter.value)
            }
        }
    }
}
