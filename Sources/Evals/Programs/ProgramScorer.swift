public import EvalLogs
internal import JSON
internal import LanguageModels
internal import Providers
public import System
internal import Traces

/// Judges with a user's program: one JSON line in, one JSON line out for each sample.
///
/// It reads what a solver reads (`ProgramSolver`) with `"kind": "score"`, and
/// ```json
/// {"answer": "42", "answers": ["42"], "targets": ["42"], "right_choice": 0,
///  "steps": [{"tool": "search", "arguments": "{}", "result": "...", "error": false}],
///  "passages": [{"document": "d7", "text": "...", "score": 1.5}]}
/// ```
/// and writes `{"score": 0.5, "label": "partly", "explanation": "...", "answer": "42"}`, where `score` is a number,
/// true, false, or null with an `error` that says why; or `{"scores": [{"name": "tone", "score": 1}, ...]}`, the first
/// of which counts. Like a solver, it may write the `line_id` of the line. It runs with the user's own rights; code
/// from a model runs only in the scorer `code`, in a sandbox.
public struct ProgramScorer: Scorer {
    public static let kind = ScorerKind(
        "exec", "score from your own program",
        settings: [
            ScorerSetting("program", "program with its arguments, as a string or a list of words"),
            ScorerSetting("timeout", "time limit per sample in seconds", standard: .number(60)),
            ScorerSetting("passes_at", "minimum passing value", standard: .number(1)),
            ScorerSetting("score", "name of the score", standard: .string("exec")),
        ])

    private let pool: ProgramPool
    private let name: String
    private let passesAt: Double

    public init(_ settings: ScorerSettings) throws(Problem) {
        var words: [String] = []
        if let list = settings["program"]?.elements {
            words = list.compactMap(\.plainText)
        } else if let text = try settings.string("program") {
            do throws(LanguageModelError) {
                if case .program(let split) = try ProviderSpecification("exec:" + text) { words = split }
            } catch {
                throw settings.error(error.problem)
            }
        }
        guard let program = words.first, !program.isEmpty, !words.contains(where: { $0.utf8.contains(0) }) else {
            throw settings.error("\"program\" names no program", "Example: program = \"./score.py\".")
        }
        if let problem = ProgramStamp.problem(of: words) {
            throw settings.error("\(program) cannot be started: \(problem)", "Check its path and permissions.")
        }
        let seconds = try settings.double("timeout", ProgramLimits().seconds)
        guard seconds > 0 else { throw settings.error("\"timeout\" must be above 0") }
        pool = ProgramPool(
            words, instances: 64, limits: ProgramLimits(seconds: min(seconds, ProgramLimits.mostSeconds)))
        name = try settings.string("score", "exec")
        passesAt = try settings.double("passes_at", 1)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind(name, passesAt: passesAt)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let answer: (value: JSONValue, standardError: String)
        do throws(ProgramError) {
            answer = try pool.ask(
                { Self.line($0, solution, sample) }, within: room.programSeconds, isCancelled: room.isCancelled)
        } catch {
            if error.isBroken {
                room.failed(LanguageModelError(.local, model: pool.name, problem: error.problem))
                room.endRun()
            }
            return [
                EvalScore(
                    name, value: nil, explanation: error.standardError.isEmpty ? nil : error.standardError,
                    problem: "\(pool.name): \(error.problem).\(error.isViolation ? " " + ProgramLines.rule : "")")
            ]
        }
        let value = answer.value
        let said = answer.standardError.isEmpty ? nil : answer.standardError
        let told = value["scores"]?.elements ?? value.elements ?? [value]
        guard !told.isEmpty else {
            return [EvalScore(name, value: nil, explanation: said, problem: "\(pool.name): the answer has no score.")]
        }
        return told.enumerated().map { index, one in
            score(one, name: one["name"]?.string ?? (index == 0 ? name : "\(name)_\(index + 1)"), said)
        }
    }

    private func score(_ told: JSONValue, name: String, _ said: String?) -> EvalScore {
        let given = told["score"]
        let number = given?.double ?? given?.bool.map { $0 ? 1 : 0 }
        var problem: String?
        if let error = told["error"], error != .null {
            problem = "\(pool.name): \(error.string ?? error.json())"
        } else if number == nil {
            problem = "\(pool.name): \"score\" must be a number, true, or false."
        }
        return EvalScore(
            name, value: problem == nil ? number : nil, label: told["label"]?.string,
            answer: told["answer"]?.string, explanation: told["explanation"]?.string ?? said, problem: problem)
    }

    private static func line(_ number: Int, _ solution: Solution, _ sample: TaskSample) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            ProgramLines.begin("score", number, to: &json)
            json.member("id", sample.id)
            ProgramLines.asked(sample, to: &json)
            json.member("targets", sample.targets)
            if let right = sample.rightChoice { json.member("right_choice", right) }
            json.member("answer", solution.answer)
            json.member("answers", solution.answers)
            json.member("steps") { json in
                json.array { json in
                    for case .tool(let run) in solution.steps {
                        json.object { json in
                            json.member("tool", run.call.name)
                            json.member("arguments", run.call.arguments)
                            json.member("result", run.result.content)
                            json.member("error", run.result.isError)
                        }
                    }
                }
            }
            json.objects("passages", of: solution.passages) { passage, json in
                json.member("document", passage.document)
                json.member("text", passage.text)
                json.member("score", passage.score)
            }
        }
        return json.bytes
    }
}
