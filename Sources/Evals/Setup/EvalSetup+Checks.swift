internal import LanguageModels
internal import Providers
internal import System

/// Errors and notes before the first request.
extension EvalSetup {
    /// Checks that there is a model or program to answer.
    ///
    /// - Throws: `Problem` if none was named and a sample needs one.
    func checkAsked(_ task: EvalTask, _ word: String) throws(Problem) {
        guard word.isEmpty else { return }
        for sample in task.samples {
            let need: String
            switch sample.request {
            case .recorded: continue
            case .retrieval(let question):
                guard question.prompt != nil else { continue }
                need = "a model"
            case .program: need = "a program, such as exec:./solve.py"
            case .generation, .turns, .likelihood, .rolling, .choice, .agent: need = "a model"
            }
            throw Problem(
                .invalid, task.path ?? task.name,
                "the task sends a \(sample.request.kindName) request, which needs \(need)",
                remedy: "Choose one with --model.")
        }
    }

    /// Checks that a program exists.
    static func checkProgram(_ words: [String]) throws(LanguageModelError) {
        guard let problem = ProgramStamp.problem(of: words) else { return }
        throw LanguageModelError(
            .local, model: ProviderSpecification.program(words).description,
            problem: "the program cannot be started: \(problem)", remedy: "Check its path and permissions.")
    }

    /// Returns a note on a model that reads a task as a conversation; `nil` if there is no concern.
    static func templateNote(_ task: EvalTask, _ model: (any LanguageModel)?) -> String? {
        guard let local = model as? LocalModel, !local.hasChatTemplate else { return nil }
        let isChat = task.samples.contains { sample in
            switch sample.request {
            case .generation(let request): if case .messages = request.input { true } else { false }
            case .turns, .agent: true
            default: false
            }
        }
        guard isChat else { return nil }
        let remedy =
            task.format == OrreryTaskFormat.name
            ? " Write form = \"text\" in the task to send plain text instead."
            : ""
        return
            "the model \(local.name) has no chat template: conversations are written as ChatML, which this model may not know."
            + remedy
    }
}
