public import EvalLogs
internal import JSON
internal import Sandbox
public import System
internal import Traces

/// Scores 1 if code that a model wrote passes its test, as in HumanEval (Chen et al., "Evaluating Large Language Models
/// Trained on Code", 2021).
///
/// The answer continues the prompt, or is a fenced block with the whole function. It runs in the `Sandbox`, without
/// access to the network or to users' files; without a working sandbox it does not run.
///
/// The test and a call of `check(entry_point)` run in a process of their own, which calls the functions of the code in
/// another process and receives plain values (numbers, strings, lists, tuples, sets, dictionaries, and the like) and
/// exceptions. The code never sees the test or its expected values and cannot claim to have passed: it can neither end
/// the test early, nor return an object that equals everything, nor change `assert` or the modules of the test. Some
/// ways to cheat remain: answering calls without the requested function, such as from a memorized table or from earlier
/// calls; raising the exception that a test expects; exploiting a hole in the kernel or in Python. Names that the test
/// uses but neither the test nor the prompt defines come from the code, and so do helpers above `{code}` in a template.
/// A test that passes functions or objects of its own cannot run this way, and its sample is not scored.
public struct CodeScorer: Scorer {
    public static let kind = ScorerKind(
        "code", "1 if the model's code passes its test in a sandbox",
        settings: [
            ScorerSetting("language", "programming language; only python is supported", standard: .string("python")),
            ScorerSetting("prompt", "field that the answer continues", standard: .string("prompt")),
            ScorerSetting("test", "field with the test, which defines check()", standard: .string("test")),
            ScorerSetting("entry_point", "field with the function's name", standard: .string("entry_point")),
            ScorerSetting(
                "template",
                "program to run instead, with {code}, the test below it, and {field} for any field of the row",
                standard: .string("")),
            ScorerSetting("timeout", "time limit in seconds", standard: .number(10)),
            ScorerSetting("memory", "memory limit in MiB", standard: .integer(1024)),
            ScorerSetting("interpreter", "path of python3 (default: the system's)", standard: .string("")),
        ])

    private let fields: (prompt: String, test: String, entryPoint: String)
    private let template: String
    private let interpreter: String
    private let limits: SandboxLimits

    public init(_ settings: ScorerSettings) throws(Problem) {
        let language = try settings.string("language", "python")
        guard language == "python" else {
            throw settings.error("unsupported language \"\(language)\"", "Use python.")
        }
        fields = (
            try settings.string("prompt", "prompt"), try settings.string("test", "test"),
            try settings.string("entry_point", "entry_point")
        )
        template = try settings.string("template", "")
        guard template.isEmpty || CodeTemplate(template) != nil else {
            throw settings.error(
                "\"template\" must contain {code} once, with the test on the lines below",
                "The test runs separately, so that the code cannot fake it.")
        }
        interpreter = try settings.string("interpreter", "")
        let seconds = try settings.double("timeout", 10)
        guard seconds > 0, seconds <= 3600 else {
            throw settings.error("\"timeout\" must be above 0 and at most 3600")
        }
        let memory = try settings.int("memory", 1024, in: 64...1_048_576)
        limits = SandboxLimits(seconds: seconds, cpuSeconds: seconds, memory: memory << 20)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("code")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard solution.answers.first != nil else {
            return [EvalScore("code", value: nil, problem: "There is no code to run.")]
        }
        let order: CodeOrder
        do throws(MissingField) {
            order = try assembled(solution.answer, sample)
        } catch {
            return [EvalScore("code", value: nil, problem: "The sample has no text field \"\(error.name)\".")]
        }
        do throws(Problem) {
            let python = try CodeInterpreter(interpreter)
            let sandbox = try Sandbox(readable: python.readable)
            let outcome = try sandbox.run(
                python.path, ["-I", "-B", "-c", CodeHarness.python], input: order.json, limits: limits,
                isCancelled: room.isCancelled)
            return [Self.score(outcome, order, tier: sandbox.tier)]
        } catch {
            return [EvalScore("code", value: nil, answer: order.text, problem: error.sentence)]
        }
    }

    private static func score(_ outcome: SandboxOutcome, _ order: CodeOrder, tier: SandboxTier) -> EvalScore {
        if outcome.ending == .cancelled {
            return EvalScore("code", value: nil, answer: order.text, problem: "The test was canceled.")
        }
        let verdict = order.verdict(in: String(decoding: outcome.output, as: UTF8.self))
        switch (verdict?.state, outcome.ending) {
        case ("passed", .exited(0)):
            return EvalScore(
                "code", value: 1, label: "passed", answer: order.text, explanation: "passed (\(tier.title))")
        case ("unfit", .exited):
            let reason = verdict?.reason ?? ""
            return EvalScore("code", value: nil, answer: order.text, problem: "The test cannot be run: \(reason).")
        case (nil, .exited):
            let said =
                String(decoding: outcome.standardError.suffix(300), as: UTF8.self)
                .split(whereSeparator: \.isNewline).last.map { ": \($0)" } ?? ""
            return EvalScore(
                "code", value: nil, answer: order.text,
                problem: "Python cannot judge code here: \(outcome.summary)\(said).")
        default:
            let reason = verdict.map(\.reason).flatMap { $0.isEmpty ? nil : $0 } ?? outcome.summary
            return EvalScore(
                "code", value: 0, label: label(outcome), answer: order.text, explanation: "\(reason) (\(tier.title))")
        }
    }

    /// An error for a field that the program needs and the row lacks.
    private struct MissingField: Error {
        var name: String
    }

    private func assembled(_ answer: String, _ sample: TaskSample) throws(MissingField) -> CodeOrder {
        func field(_ name: String) throws(MissingField) -> String {
            guard let text = sample.fields[name]?.plainText else { throw MissingField(name: name) }
            return text
        }
        if let template = CodeTemplate(template) {
            let text = AnsweredCode(answer, prompt: "", entryPoint: "").text
            return CodeOrder(
                text: text, setup: try Self.filled(template.above, "", field),
                program: try Self.filled(template.program, text, field), test: try Self.filled(template.test, "", field)
            )
        }
        let entryPoint = try field(fields.entryPoint)
        let prompt = try field(fields.prompt)
        let text = AnsweredCode(answer, prompt: prompt, entryPoint: entryPoint).text
        return CodeOrder(
            text: text, setup: prompt, program: text, test: "\(try field(fields.test))\n\ncheck(\(entryPoint))\n",
            entryPoint: entryPoint)
    }

    /// Returns the template with code and fields inserted; braces around anything other than a field stay as they are.
    private static func filled(
        _ template: String, _ code: String, _ field: (String) throws(MissingField) -> String
    ) throws(MissingField) -> String {
        var filled = ""
        var rest = template[...]
        while let brace = rest.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...].dropFirst()
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            guard !name.isEmpty, rest.dropFirst(name.count).first == "}" else {
                filled += "{"
                continue
            }
            filled += name == "code" ? code : try field(String(name))
            rest = rest.dropFirst(name.count + 1)
        }
        return filled + rest
    }

    private static func label(_ outcome: SandboxOutcome) -> String {
        switch outcome.ending {
        case .limit(let limit): limit == .wallTime || limit == .cpuTime ? "timed out" : "limit"
        default: "failed"
        }
    }
}
