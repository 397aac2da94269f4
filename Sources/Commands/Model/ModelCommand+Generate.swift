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

extension ModelCommand {
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "generate", abstract: "Generate text with a model, and print it as it arrives.",
            discussion: """
                --prompt is text to continue; --user is a message in the model's chat format. A prompt file, as saved \
                by the tokens panel, can contain a whole conversation with tools and settings. Each call is recorded \
                as a span in the workspace unless you add --no-trace.
                """)

        @Argument(help: "Model name, file, folder, or provider:model.", completion: .file())
        var model: String

        @Option(name: .shortAndLong, help: "Text to continue; - reads standard input.")
        var prompt: String?

        @Option(help: "User message in the chat format; - reads standard input.")
        var user: String?

        @Option(help: "System prompt for --user.")
        var system: String?

        @Option(help: "Prompt file.", completion: .file())
        var file: String?

        @OptionGroup var sampling: SamplingOptions
        @OptionGroup var local: LocalModelOptions

        @Option(help: "Number of alternatives per token, with --json or --keep.")
        var alternatives: Int = 0

        @Option(help: "Safetensors file for captured activations.", completion: .file())
        var capture: String?

        @Option(
            name: .customLong("hook"),
            help: "Hook to capture; repeatable (default: blocks.*.hook_resid_post).")
        var hooks: [String] = []

        @Flag(help: "Overwrite an existing file of activations.")
        var force = false

        @Flag(help: "Save the generation as a session in the tokens panel.")
        var keep = false

        @Flag(inversion: .prefixedNo, help: "Record the call as a span in the workspace.")
        var trace = true

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func validate() throws {
            guard [prompt, user, file].compactMap(\.self).count == 1 else {
                throw ValidationError("exactly one of --prompt, --user, or --file is required.")
            }
            if let capture, !force, access(capture, F_OK) == 0 {
                throw ValidationError("\(capture) already exists. Add --force to overwrite the file.")
            }
            guard hooks.isEmpty || capture != nil else { throw ValidationError("--hook requires --capture FILE.") }
            guard (0...200).contains(alternatives) else { throw ValidationError("--alternatives must be 0 to 200.") }
        }

        func run() throws {
            try answering {
                let document = try document()
                let workspace = trace || keep || !place.isUnused ? try place.open() : nil
                let recorder =
                    trace
                    ? workspace.map {
                        ModelCallRecorder(
                            $0, conversation: "orrery model generate \(Clock.nanoseconds(.wall))", origin: .chat)
                    } : nil
                let opened = try local.open(model, workspace: workspace)
                let capturing = try capture.map { path in
                    try opened.capturing(hooks.isEmpty ? ["blocks.*.hook_resid_post"] : hooks, to: path)
                }
                let answerer: any LanguageModel = recorder.map { CallReporting(opened.model, to: $0) } ?? opened.model
                let cancellation = Cancellation()
                var generation = Generation(
                    session: 0, document: document, model: opened.model.name, started: Clock.nanoseconds(.wall))
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
                        Output.note("the model has no chat template, so the conversation was formatted as ChatML")
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
                    Output.note("orrery: the call was not recorded: \(problem)")
                }
            }
        }

        private func document() throws -> PromptDocument {
            var document: PromptDocument
            if let file {
                let text = try SmallFile.text(file)
                do { document = try PromptDocument(text: text) } catch { throw error.in(file) }
            } else if let prompt {
                document = PromptDocument(input: .text(try Self.text(prompt)))
            } else {
                var messages = system.map { [Message(.system, [.text($0)])] } ?? []
                messages.append(Message(.user, [.text(try Self.text(user ?? ""))]))
                document = PromptDocument(input: .messages(messages, tools: []))
            }
            document.model = model
            document.alternatives = keep ? max(alternatives, PromptDocument.standardAlternatives) : alternatives
            do {
                try sampling.apply(to: &document)
            } catch let error as Problem {
                throw Problem(error.kind, "--sampler", error.what, remedy: error.remedy)
            }
            return document
        }

        private static func keep(_ generation: inout Generation, in workspace: Workspace) throws {
            let store = GenerationStore(workspace)
            let title = generation.document.caption.split(whereSeparator: \.isNewline).joined(separator: " ")
            let session = try store.save(
                Session(
                    title: String(title.prefix(60)), created: generation.started, changed: Clock.nanoseconds(.wall),
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
                words.append("first token after \(Format.duration(seconds: first))")
            }
            if let rate = generation.tokensPerSecond { words.append("\(Format.fixed(rate, digits: 1)) tokens/s") }
            return words.joined(separator: ", ")
        }
    }
}

/// Sampling settings.
struct SamplingOptions: ParsableArguments {
    @Option(help: ArgumentHelp(SamplingField.temperature.help))
    var temperature: Double?

    @Option(help: ArgumentHelp(SamplingField.topK.help))
    var topK: Int?

    @Option(help: ArgumentHelp(SamplingField.topP.help))
    var topP: Double?

    @Option(help: ArgumentHelp(SamplingField.minP.help))
    var minP: Double?

    @Option(help: ArgumentHelp(SamplingField.typicalP.help))
    var typicalP: Double?

    @Option(help: ArgumentHelp(SamplingField.repetitionPenalty.help))
    var repetitionPenalty: Double?

    @Option(help: ArgumentHelp(SamplingField.presencePenalty.help))
    var presencePenalty: Double?

    @Option(help: ArgumentHelp(SamplingField.frequencyPenalty.help))
    var frequencyPenalty: Double?

    @Option(help: "Seed for sampling; the same seed gives the same tokens.")
    var seed: UInt64?

    @Option(help: "Text that ends the generation; repeatable.")
    var stop: [String] = []

    @Option(name: .shortAndLong, help: "Maximum number of generated tokens.")
    var maxTokens: Int?

    @Option(
        name: .customLong("sampler"),
        help: ArgumentHelp("Setting of any sampler; repeatable.", valueName: "name=value", visibility: .hidden))
    var samplers: [String] = []

    /// Values of the fields that have options.
    private var values: [(field: SamplingField, value: SamplingValue)] {
        let numbers: [(SamplingField, Double?)] = [
            (.temperature, temperature), (.topP, topP), (.minP, minP), (.typicalP, typicalP),
            (.repetitionPenalty, repetitionPenalty), (.presencePenalty, presencePenalty),
            (.frequencyPenalty, frequencyPenalty),
        ]
        var values = numbers.compactMap { field, number in number.map { (field, SamplingValue.number($0)) } }
        if let topK { values.append((.topK, .count(topK))) }
        return values
    }

    func apply(to document: inout PromptDocument) throws {
        apply(to: &document.sampling)
        for setting in samplers { try document.apply(settings: setting) }
    }

    private func apply(to sampling: inout Sampling) {
        for (field, value) in values { sampling[field] = value }
        sampling.seed = seed ?? sampling.seed
        sampling.maximumTokens = maxTokens ?? sampling.maximumTokens
        if !stop.isEmpty { sampling.stop = stop }
    }

    func validate() throws {
        let checks: [(Bool, String)] = [
            ((temperature ?? 0) >= 0, "--temperature must be at least 0."),
            ((0...1).contains(topP ?? 0), "--top-p must be 0 to 1."),
            ((0...1).contains(minP ?? 0), "--min-p must be 0 to 1."),
            ((0...1).contains(typicalP ?? 0), "--typical-p must be 0 to 1."),
            (!stop.contains(""), "--stop requires nonempty text."),
            ((topK ?? 1) > 0, "--top-k must be at least 1."),
            ((maxTokens ?? 1) > 0, "--max-tokens must be at least 1."),
            ((repetitionPenalty ?? 1) > 0, "--repetition-penalty must be above 0."),
        ]
        for (isFine, sentence) in checks where !isFine { throw ValidationError(sentence) }
    }
}
