public import LanguageModels
public import Retrieval
public import Workspace

/// Answers every kind of request with the matching solver.
public struct RequestSolver: Solver {
    public let name: String
    public let identity: String
    private let model: ModelSolver?
    private let retrieval: RetrievalSolver?
    private let agent: AgentSolver?
    private let program: ProgramSolver?

    public init(
        name: String, identity: String, model: ModelSolver? = nil, retrieval: RetrievalSolver? = nil,
        program: ProgramSolver? = nil
    ) {
        self.name = name
        self.identity = identity
        self.model = model
        self.retrieval = retrieval
        self.program = program
        agent = model.map { AgentSolver($0) }
    }

    public var pricedName: String? { model?.pricedName ?? program?.pricedName }

    public func state(for sample: TaskSample) -> String? {
        if case .retrieval = sample.request, let retrieval { return retrieval.state(for: sample) }
        // A model sees only the request.
        return model == nil ? program?.state(for: sample) : nil
    }

    public func solve(_ sample: TaskSample, _ attempt: SolvingAttempt) throws(LanguageModelError) -> Solution {
        let solver: (any Solver)?
        let missing: String
        switch sample.request {
        case .recorded(let record): return Solution(answers: [record.answer])
        case .generation, .turns, .likelihood, .rolling, .choice: (solver, missing) = (model, "a model")
        case .retrieval: (solver, missing) = (retrieval, "a workspace with the corpus")
        case .agent: (solver, missing) = (agent, "a model")
        case .program: (solver, missing) = (program, "a program, such as exec:./solve.py")
        }
        // A user's program accepts requests of every kind.
        guard let chosen = solver ?? program else {
            throw LanguageModelError(
                .request, model: name.isEmpty ? "eval" : name,
                problem: "the task sends a \(sample.request.kindName) request, which needs \(missing)",
                remedy: "Choose one with --model.")
        }
        return try chosen.solve(sample, attempt)
    }
}

/// Makes solvers from words of a command line.
public enum Solvers {
    /// Creates a solver with a model, the workspace's corpora, or both.
    ///
    /// - Parameters:
    ///   - specification: Specification that opens the model again, and its name in the run.
    ///   - identity: Text that distinguishes this model's answers from another's (default: provider, name, and
    ///     specification).
    public static func make(
        model: (any LanguageModel)?, specification: String?, identity: String? = nil, workspace: Workspace?,
        resources: PipelineResources = PipelineResources(), alternatives: Int = 0
    ) -> RequestSolver {
        let asked = model.map {
            ModelSolver($0, specification: specification, identity: identity, alternatives: alternatives)
        }
        let retrieval = workspace.map { RetrievalSolver($0, resources: resources, model: asked) }
        return RequestSolver(
            name: asked?.name ?? specification ?? "retrieval", identity: asked?.identity ?? identity ?? "retrieval",
            model: asked, retrieval: retrieval)
    }

    /// A solver that returns the answers in the data.
    public static let recorded = RequestSolver(name: "recorded", identity: "recorded")

    /// Creates a solver that sends every request to a user's program.
    ///
    /// - Parameter instances: Maximum number of instances at a time.
    public static func make(
        program words: [String], instances: Int = 64, limits: ProgramLimits = ProgramLimits()
    ) -> RequestSolver {
        let program = ProgramSolver(words, instances: instances, limits: limits)
        return RequestSolver(name: program.name, identity: program.identity, program: program)
    }
}
