import Agents
import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import LanguageModels
import ModelLab
import Models
import Providers
import System
import Traces
import Workspace

extension AgentCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Answer a question with tools, step by step.",
            discussion: """
                The tools are a calculator, table lookup, and document search. Words and numbers that the \
                model never read are marked. The exit status is 1 if there is no answer, if the model answers that \
                it does not know, or if the answer is not grounded in the question and the observations. The run is \
                stored as a trace unless you add --no-trace; in the trace, o opens a model call in Tokens.
                """)

        @Argument(help: "Question; - reads standard input.")
        var question: String

        @Option(help: "Model: name, file, or provider:model (default: orrery-mini).", completion: .file())
        var model: String?

        @OptionGroup var tools: AgentToolOptions

        @Option(
            help: "File with documents to read first, one document per line.",
            completion: .file())
        var read: String?

        @Option(help: "Prompt format: automatic, text, messages, or tools (native tool calls).")
        var form: AgentForm = .automatic

        @Option(help: "Maximum number of model calls.")
        var maxSteps: Int = 8

        @Option(help: "Maximum number of generated tokens.")
        var maxTokens: Int = 2048

        @Option(help: "Maximum duration in seconds.")
        var maxSeconds: Double = 120

        @Option(help: "Sampling temperature; 0 picks the most probable token.")
        var temperature: Double = 0

        @Option(help: "Seed for sampling; the same seed gives the same tokens.")
        var seed: UInt64?

        @OptionGroup var local: LocalModelOptions

        @Flag(inversion: .prefixedNo, help: "Record the run as a trace in the workspace.")
        var trace = true

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            let checks: [(Bool, String)] = [
                (maxSteps > 0, "--max-steps must be at least 1."), (maxTokens > 0, "--max-tokens must be at least 1."),
                (maxSeconds > 0 && maxSeconds.isFinite, "--max-seconds must be above 0."),
                (temperature >= 0 && temperature.isFinite, "--temperature must be at least 0."),
            ]
            for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
        }

        func run() throws {
            try answering {
                let question = try Self.text(question)
                let (box, reading) = try tools.open()
                if let reading, !output.json { tools.note(reading) }
                let given = try read.map { try Self.lines($0) } ?? []
                let workspace = trace || !place.isUnused ? try place.open() : nil
                let opened = try open(workspace)
                let folder = FileLocation.currentFolder()
                let recorder = trace ? workspace.map { AgentRunRecorder($0, project: folder) } : nil
                let agent = ReActAgent(
                    opened.model, tools: box, options: try options(for: opened, workspace))
                let cancellation = Cancellation()
                var screen = AgentScreen(isSilent: output.json)
                let run = try Interruption.cancelling(cancellation) {
                    agent.run(
                        question, documents: given, sink: recorder, isCancelled: { cancellation.isCancelled },
                        receive: { screen.show($0) })
                }
                finish(run, opened, recorder, reading)
                guard let problem = run.outcome.problem ?? run.doubt else { return }
                Output.note("orrery: \(problem)")
                throw ExitCode(1)
            }
        }

        private func open(_ workspace: Workspace?) throws -> OpenedModel {
            if let model { return try local.open(model, workspace: workspace) }
            // A registered model of this name is the user's own choice.
            if let workspace, try ModelHouse(workspace).registry.entry(named: OwnModel.name) != nil {
                return try local.open(OwnModel.name, workspace: workspace)
            }
            return try local.open(try OwnModel.path(), workspace: workspace)
        }

        private func options(for opened: OpenedModel, _ workspace: Workspace?) throws -> ReActAgent.Options {
            let limits = AgentLimits(
                steps: maxSteps, tokens: maxTokens, seconds: maxSeconds, tokensPerTurn: min(512, maxTokens))
            var form = form.form
            // A model without a chat template was not trained on conversations.
            if form == .automatic, opened.local?.hasChatTemplate == false { form = .text }
            return ReActAgent.Options(
                limits: limits, form: form, sampling: Sampling(temperature: temperature, seed: seed),
                alternatives: opened.local == nil ? 0 : 10, specification: try specification(opened, workspace))
        }

        /// Returns a specification that reopens the model: its registered name or its file. Others may contain secrets.
        private func specification(_ opened: OpenedModel, _ workspace: Workspace?) throws -> String? {
            if let workspace, let entry = try ModelHouse(workspace).registry.entry(named: opened.word) {
                return entry.name
            }
            guard let path = opened.local?.path, let real = realpath(path, nil) else { return nil }
            defer { free(real) }
            return String(cString: real)
        }

        private func finish(
            _ run: AgentRun, _ opened: OpenedModel, _ recorder: AgentRunRecorder?, _ reading: SearchTool.Reading?
        ) {
            let kept = recorder.flatMap { $0.problem == nil ? $0.trace : nil }
            if output.json {
                Output.json(AgentRunJSON(run: run, model: opened.model.name, trace: kept, reading: reading))
            } else {
                Output.note(Self.figures(run))
            }
            if let problem = recorder?.problem {
                Output.note("orrery: the run was not recorded: \(problem)")
            } else if let kept, !output.json {
                let id = kept.prefix(12)
                Output.note(
                    "trace \(id). To show the trace, run: orrery trace show \(id), or open it in orrery and press o "
                        + "on a call"
                )
            }
        }

        private static func figures(_ run: AgentRun) -> String {
            [
                run.outcome.name, Format.count(run.steps.count + run.toolCalls, "step"),
                run.toolCalls == 1 ? "1 tool call" : "\(run.toolCalls) tool calls",
                "\(Format.count(run.usage.input)) tokens read, \(Format.count(run.usage.output)) written",
                Format.duration(seconds: run.seconds),
            ].joined(separator: ", ")
        }

        private static func text(_ given: String) throws -> String {
            let text = given == "-" ? String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self) : given
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw Problem(
                    .missing, "", "the question is empty",
                    remedy: "Pass a question as an argument or on standard input.")
            }
            return text
        }

        private static func lines(_ path: String) throws -> [String] {
            try SmallFile.text(path).split(whereSeparator: \.isNewline).map(String.init).filter { line in
                line.contains { !$0.isWhitespace }
            }
        }
    }
}

/// Prompt formats, as an option.
enum AgentForm: String, ExpressibleByArgument, CaseIterable {
    case automatic, text, messages, tools

    var form: ReActAgent.Form {
        switch self {
        case .automatic: .automatic
        case .text: .text
        case .messages: .messages
        case .tools: .tools
        }
    }
}

/// Prints a run in progress: generated text, tool calls, and observations.
struct AgentScreen {
    let isSilent: Bool
    private var last: Character = "\n"
    /// Whether this turn was streamed: providers without streaming report a turn only at its end.
    private var hasStreamed = false

    init(isSilent: Bool) { self.isSilent = isSilent }

    mutating func show(_ event: AgentEvent) {
        guard !isSilent else { return }
        switch event {
        case .stepBegan: hasStreamed = false
        case .token(let step):
            guard !step.text.isEmpty else { return }
            hasStreamed = true
            write(step.text)
        case .reasoning(let text): write(text)
        case .thought(let text): if !hasStreamed { line("Thought: \(text)") }
        case .action(let call):
            endLine()
            // In text form, the model has already written the action.
            if !hasStreamed || !call.id.hasPrefix("call-") { line("▸ \(call.name)(\(call.arguments))") }
        case .invented(let words):
            line("[not found in the question or an observation: \(words.joined(separator: ", "))]")
        case .malformed(let text):
            if !hasStreamed { line("Malformed turn: \(text.isEmpty ? "(empty)" : text)") }
        case .observation(let observation): line("Observation: \(observation.text)")
        case .answer(let text): if !hasStreamed { line("Answer: \(text)") }
        case .ended: endLine()
        }
    }

    private mutating func line(_ text: String) {
        endLine()
        write(text + "\n")
    }

    private mutating func endLine() { if last != "\n" { write("\n") } }

    private mutating func write(_ text: String) {
        Output.raw(isatty(STDOUT_FILENO) == 1 ? Printable.text(text) : text)
        last = text.last ?? last
    }
}

/// A run as JSON.
struct AgentRunJSON: JSONRepresentable {
    let run: AgentRun
    let model: String
    let trace: String?
    let reading: SearchTool.Reading?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("question", run.question)
            json.member("model", model)
            json.member("outcome", run.outcome.name)
            json.member("answer", run.outcome.answer)
            json.member("problem", run.outcome.problem)
            json.member("doubt", run.doubt)
            if let reading {
                json.member("documents") { json in
                    json.object { json in
                        json.member("files", reading.files)
                        json.member("bytes", reading.bytes)
                        json.member("skipped", reading.skipped)
                    }
                }
            }
            json.member("steps") { json in
                json.array { json in for step in run.steps { Self.write(step, to: &json) } }
            }
            json.member("tool_calls", run.toolCalls)
            json.member("input_tokens", run.usage.input)
            json.member("output_tokens", run.usage.output)
            json.member("seconds", run.seconds)
            json.member("trace", trace)
        }
    }

    private static func write(_ step: AgentStep, to json: inout JSONWriter) {
        json.object { json in
            json.member("number", step.number)
            json.member("thought", step.thought)
            json.objects("calls", of: step.calls) { call, json in
                json.member("tool", call.name)
                json.member("arguments") { json in
                    if let document = try? JSONDocument(parsing: call.arguments) {
                        document.withRoot { json.copy($0) }
                    } else {
                        json.string(call.arguments)
                    }
                }
            }
            json.member("invented", step.invented)
            json.member("malformed", step.malformed)
            json.objects("observations", of: step.observations) { observation, json in
                json.member("text", observation.text)
                json.member("is_error", observation.isError)
            }
        }
    }
}
