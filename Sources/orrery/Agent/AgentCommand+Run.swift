import Agents
import ArgumentParser
import Console
import Glibc
import JSON
import LanguageModels
import ModelLab
import Models
import Providers
import Traces
import Workspace

extension AgentCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Answer a question with tools, thought by thought.",
            discussion: """
                The tools are a calculator, lookup in a table, and search in documents. Words and numbers that the model \
                never read are marked. The exit status is 1 if there is no answer, if the model does not know it, or if \
                the answer is not grounded in the question and the observations. Every run is stored as a trace unless \
                --no-trace is given; in the trace, o opens a model call in Tokens.
                """)

        @Argument(help: "The question; - reads standard input.")
        var question: String

        @Option(help: "A model's name, file, or who answers; orrery-mini unless given.", completion: .file())
        var model: String?

        @OptionGroup var tools: AgentToolOptions

        @Option(
            help: "A file whose lines the model is given to read before the question, a document each.",
            completion: .file())
        var read: String?

        @Option(help: "How the model is spoken to: automatic, text, messages, or tools (its own tool calls).")
        var form: AgentForm = .automatic

        @Option(help: "End the run after N model calls.")
        var maxSteps: Int = 8

        @Option(help: "The run ends after so many tokens that the model wrote.")
        var maxTokens: Int = 2048

        @Option(help: "The run ends after so many seconds.")
        var maxSeconds: Double = 120

        @Option(help: "Logits are divided by it; 0 takes the likeliest token.")
        var temperature: Double = 0

        @Option(help: "The same seed gives the same tokens.")
        var seed: UInt64?

        @OptionGroup var local: LocalModelOptions

        @Flag(inversion: .prefixedNo, help: "Keep the run as a trace of the workspace.")
        var trace = true

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            let checks: [(Bool, String)] = [
                (maxSteps > 0, "--max-steps takes 1 or more."), (maxTokens > 0, "--max-tokens takes 1 or more."),
                (maxSeconds > 0 && maxSeconds.isFinite, "--max-seconds takes more than 0."),
                (temperature >= 0 && temperature.isFinite, "--temperature takes 0 or more."),
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
                let recorder = trace ? workspace.map { AgentRunRecorder($0, project: FilePlace.currentFolder()) } : nil
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
            // A model of that name in the registry is a person's own choice.
            if let workspace, try ModelHouse(workspace).registry.entry(named: OwnModel.name) != nil {
                return try local.open(OwnModel.name, workspace: workspace)
            }
            return try local.open(try OwnModel.path(), workspace: workspace)
        }

        private func options(for opened: OpenedModel, _ workspace: Workspace?) throws -> ReActAgent.Options {
            let limits = AgentLimits(
                steps: maxSteps, tokens: maxTokens, seconds: maxSeconds, tokensPerTurn: min(512, maxTokens))
            var form = form.form
            // Without a chat template a model has never seen a conversation.
            if form == .automatic, opened.local?.hasChatTemplate == false { form = .text }
            return ReActAgent.Options(
                limits: limits, form: form, sampling: Sampling(temperature: temperature, seed: seed),
                alternatives: opened.local == nil ? 0 : 10, specification: try specification(opened, workspace))
        }

        /// What opens the model again: its name in the registry, or its file. Other words may hold what is secret.
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
                Output.note("orrery: the run was not kept as a trace: \(problem)")
            } else if let kept, !output.json {
                let id = kept.prefix(12)
                Output.note("trace \(id): orrery trace show \(id), or orrery, where o opens a call in the tokens panel")
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
            guard text.contains(where: { !$0.isWhitespace }) else { throw Failure("the question is empty.") }
            return text
        }

        private static func lines(_ path: String) throws -> [String] {
            try SmallFile.text(path).split(whereSeparator: \.isNewline).map(String.init).filter { line in
                line.contains { !$0.isWhitespace }
            }
        }
    }
}

/// How a model is spoken to, as an option.
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

/// A run as it is printed while it is running: what the model writes, and what it is told.
struct AgentScreen {
    let isSilent: Bool
    private var last: Character = "\n"
    /// What this turn has shown so far: providers that do not stream tell a turn only as a whole.
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
            // In the text form the model has written the action itself.
            if !hasStreamed || !call.id.hasPrefix("call-") { line("▸ \(call.name)(\(call.arguments))") }
        case .invented(let words):
            line("[neither in the question nor in an observation: \(words.joined(separator: ", "))]")
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
            json.member("calls") { json in
                json.array { json in
                    for call in step.calls {
                        json.object { json in
                            json.member("tool", call.name)
                            json.member("arguments") { json in
                                if let document = try? JSONDocument(parsing: call.arguments) {
                                    document.withRoot { json.copy($0) }
                                } else {
                                    json.string(call.arguments)
                                }
                            }
                        }
                    }
                }
            }
            json.member("invented", step.invented)
            json.member("malformed", step.malformed)
            json.member("observations") { json in
                json.array { json in
                    for observation in step.observations {
                        json.object { json in
                            json.member("text", observation.text)
                            json.member("is_error", observation.isError)
                        }
                    }
                }
            }
        }
    }
}
