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

extension ModelCommand {
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate", abstract: "Have a model answer, and print the answer while it comes.",
            discussion: """
                --prompt is a text to continue, --user a question in the model's chat format. A prompt file, as \
                the tokens panel edits it, may hold a whole conversation with tools and settings. Every call becomes a \
                span of the workspace unless --no-trace is given.
                """)

        @Argument(help: "A model's name, file, or who answers.", completion: .file())
        var model: String

        @Option(name: .shortAndLong, help: "Text to continue; - reads standard input.")
        var prompt: String?

        @Option(help: "A question, in the model's chat format; - reads standard input.")
        var user: String?

        @Option(help: "What the model is told first, with --user.")
        var system: String?

        @Option(help: "A prompt file.", completion: .file())
        var file: String?

        @OptionGroup var sampling: SamplingOptions
        @OptionGroup var local: LocalModelOptions

        @Option(help: "Tell so many alternatives of every token (with --json or --keep).")
        var alternatives: Int = 0

        @Option(help: "Write hooked activations to this safetensors file.", completion: .file())
        var capture: String?

        @Option(
            name: .customLong("hook"),
            help: "Which hooks to capture, blocks.*.hook_resid_post unless given; may be given several times.")
        var hooks: [String] = []

        @Flag(help: "Replace a file of activations that is there.")
        var force = false

        @Flag(help: "Keep the answer, token by token, as a session of the tokens panel.")
        var keep = false

        @Flag(inversion: .prefixedNo, help: "Keep the call as a span of the workspace.")
        var trace = true

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard [prompt, user, file].compactMap(\.self).count == 1 else {
                throw ValidationError("give one of --prompt, --user or --file.")
            }
            if let capture, !force, access(capture, F_OK) == 0 {
                throw ValidationError("\(capture) is there already: --force replaces it.")
            }
            guard hooks.isEmpty || capture != nil else { throw ValidationError("--hook needs --capture FILE.") }
            guard (0...200).contains(alternatives) else { throw ValidationError("--alternatives takes 0 to 200.") }
        }

        func run() throws {
            try answering {
                let document = try document()
                let workspace = trace || keep || !place.isUnused ? try place.open() : nil
                let recorder =
                    trace
                    ? workspace.map {
                        ModelCallRecorder($0, conversation: "orrery model generate \(Clock.now)", origin: .chat)
                    } : nil
                let opened = try local.open(model, workspace: workspace)
                let capturing = try capture.map { path in
                    try opened.capturing(hooks.isEmpty ? ["blocks.*.hook_resid_post"] : hooks, to: path)
                }
                let answerer: any LanguageModel = recorder.map { CallReporting(opened.model, to: $0) } ?? opened.model
                let cancellation = Cancellation()
                var generation = Generation(
                    session: 0, document: document, model: opened.model.name, started: Clock.now)
                var last: Character = "\n"
                let json = output.json
                let response = try Interruption.cancelling(cancellation) {
                    try answerer.respond(to: document.request, isCancelled: { cancellation.isCancelled }) { event in
                        generation.receive(event)
                        guard !json, case .token(let step) = event, !step.text.isEmpty else { return }
                        Output.raw(isatty(STDOUT_FILENO) == 1 ? Printable.text(step.text) : step.text)
                        last = step.text.last ?? last
                    }
                }
                generation.finish(response)
                if json {
                    Output.json(generation)
                } else {
                    if !generation.text.isEmpty, response.secondsToFirstToken == nil {
                        Output.raw(isatty(STDOUT_FILENO) == 1 ? Printable.text(generation.text) : generation.text)
                    }
                    if last != "\n" { Output.raw("\n") }
                    if opened.local?.hasChatTemplate == false, case .messages = document.input {
                        Output.note("the model has no chat template: the conversation was written as ChatML")
                    }
                    for call in generation.toolCalls {
                        Output.result(Printable.text("▸ \(call.name)(\(call.arguments))"))
                    }
                    if let silence = generation.silence(Format.probability) { Output.note(silence) }
                    Output.note(Self.figures(generation, response))
                }
                try capturing?.finish()
                if keep, let workspace { try Self.keep(&generation, in: workspace) }
                if let problem = recorder?.problem {
                    Output.note("orrery: the call was not kept as a span: \(problem)")
                }
            }
        }

        private func document() throws -> PromptDocument {
            var document: PromptDocument
            if let file {
                do {
                    document = try PromptDocument(text: try SmallFile.text(file))
                } catch let error as PromptDocumentError {
                    throw Failure("\(file), \(error)")
                }
            } else if let prompt {
                document = PromptDocument(input: .text(try Self.text(prompt)))
            } else {
                var messages = system.map { [Message(.system, [.text($0)])] } ?? []
                messages.append(Message(.user, [.text(try Self.text(user ?? ""))]))
                document = PromptDocument(input: .messages(messages, tools: []))
            }
            document.model = model
            document.alternatives = keep ? max(alternatives, PromptDocument.standardAlternatives) : alternatives
            sampling.apply(to: &document.sampling)
            return document
        }

        private static func keep(_ generation: inout Generation, in workspace: Workspace) throws {
            let store = GenerationStore(workspace)
            let title = generation.document.caption.split(whereSeparator: \.isNewline).joined(separator: " ")
            let session = try store.save(
                Session(
                    title: String(title.prefix(60)), created: generation.started, changed: Clock.now,
                    draft: generation.document.text))
            generation.session = session.id
            try store.save(generation)
        }

        private static func text(_ given: String) throws -> String {
            guard given == "-" else { return given }
            return String(decoding: try SmallFile.bytes("/dev/stdin"), as: UTF8.self)
        }

        private static func figures(_ generation: Generation, _ response: ModelResponse) -> String {
            var words = [response.finish.name]
            if let usage = response.usage {
                words.append("\(Format.count(usage.input)) tokens read, \(Format.count(usage.output)) written")
            }
            if let first = response.secondsToFirstToken {
                words.append("first after \(Format.duration(seconds: first))")
            }
            if let rate = generation.tokensPerSecond { words.append("\(Format.fixed(rate, digits: 1)) tok/s") }
            return words.joined(separator: ", ")
        }
    }
}

/// How tokens are drawn.
struct SamplingOptions: ParsableArguments {
    @Option(help: "Logits are divided by it; 0 takes the likeliest token.")
    var temperature: Double?

    @Option(help: "Only the K likeliest tokens stay.")
    var topK: Int?

    @Option(help: "The likeliest tokens with this mass stay.")
    var topP: Double?

    @Option(help: "Tokens below this share of the likeliest go.")
    var minP: Double?

    @Option(help: "The locally typical tokens with this mass stay.")
    var typicalP: Double?

    @Option(help: "Tokens that occurred are made less likely by this factor.")
    var repetitionPenalty: Double?

    @Option(help: "Taken from the logit of a token that occurred.")
    var presencePenalty: Double?

    @Option(help: "Taken from the logit of a token for each time that it occurred.")
    var frequencyPenalty: Double?

    @Option(help: "The same seed gives the same tokens.")
    var seed: UInt64?

    @Option(help: "A text that ends the answer; may be given several times.")
    var stop: [String] = []

    @Option(name: .shortAndLong, help: "The answer ends after so many tokens.")
    var maxTokens: Int?

    func apply(to sampling: inout Sampling) {
        sampling.temperature = temperature ?? sampling.temperature
        sampling.topK = topK ?? sampling.topK
        sampling.topP = topP ?? sampling.topP
        sampling.minP = minP ?? sampling.minP
        sampling.typicalP = typicalP ?? sampling.typicalP
        sampling.repetitionPenalty = repetitionPenalty ?? sampling.repetitionPenalty
        sampling.presencePenalty = presencePenalty ?? sampling.presencePenalty
        sampling.frequencyPenalty = frequencyPenalty ?? sampling.frequencyPenalty
        sampling.seed = seed ?? sampling.seed
        sampling.maximumTokens = maxTokens ?? sampling.maximumTokens
        if !stop.isEmpty { sampling.stop = stop }
    }

    func validate() throws {
        let checks: [(Bool, String)] = [
            ((temperature ?? 0) >= 0, "--temperature takes 0 or more."),
            ((0...1).contains(topP ?? 0), "--top-p takes 0 to 1."),
            ((0...1).contains(minP ?? 0), "--min-p takes 0 to 1."),
            ((0...1).contains(typicalP ?? 0), "--typical-p takes 0 to 1."),
            (!stop.contains(""), "--stop takes a text."), ((topK ?? 1) > 0, "--top-k takes 1 or more."),
            ((maxTokens ?? 1) > 0, "--max-tokens takes 1 or more."),
            ((repetitionPenalty ?? 1) > 0, "--repetition-penalty takes more than 0."),
        ]
        for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
    }
}
