import ArgumentParser
import Kernels
import LanguageModels
import ModelLab
import Models
import Providers
import Workspace

/// How a model in this process is run.
struct LocalModelOptions: ParsableArguments {
    @Option(help: "How many threads (in this process).")
    var threads: Int?

    @Option(help: "A LoRA adapter, a folder as PEFT writes it (in this process).", completion: .directory)
    var adapter: String?

    @Flag(help: "Add the adapter to the weights first, rather than apply it beside them.")
    var merge = false

    @Option(name: .customLong("context"), help: "Tokens of its context (in this process).")
    var contextLength: Int?

    func validate() throws {
        guard threads.map({ (1...ThreadPool.usableProcessors).contains($0) }) ?? true else {
            throw ValidationError("--threads takes 1 to \(ThreadPool.usableProcessors) here.")
        }
        guard !merge || adapter != nil else { throw ValidationError("--merge needs --adapter.") }
        guard (contextLength ?? 1) > 0 else { throw ValidationError("--context takes 1 or more.") }
    }

    /// The model that a word means, with these options where it runs here.
    func open(_ word: String, workspace: Workspace?) throws -> OpenedModel {
        let specification =
            try workspace.map { try ModelHouse($0).specification(of: word) } ?? ModelHouse.unregistered(word)
        var local: LocalModel?
        let model = try Providers.make(specification) { path in
            let opened = try LocalModel(
                path: path,
                options: .init(
                    threads: threads, adapter: adapter, mergesAdapter: merge,
                    contextLength: contextLength))
            local = opened
            return opened
        }
        guard local != nil || (threads == nil && adapter == nil && contextLength == nil) else {
            throw Failure(
                "\(word) answers elsewhere: --threads, --adapter and --context are for models in this process.")
        }
        return OpenedModel(model: model, local: local, word: word)
    }
}

/// A model that was opened for one command.
struct OpenedModel {
    let model: any LanguageModel
    /// nil where it answers elsewhere.
    let local: LocalModel?
    let word: String

    /// Captures hooked activations of all that the model does from now on.
    ///
    /// - Throws: where it answers elsewhere, or a pattern names no hook.
    func capturing(_ patterns: [String], to path: String) throws -> ActivationCapture {
        guard let local else {
            throw Failure("\(word) answers elsewhere: only a model in this process shows its activations.")
        }
        let capture = try HookCapture(patterns, for: local.configuration)
        local.withGenerator { _, pass in pass.visitor = capture }
        return ActivationCapture(capture: capture, path: path)
    }
}

/// Activations while they are captured.
struct ActivationCapture {
    let capture: HookCapture
    let path: String

    /// Writes what was captured.
    func finish() throws {
        let file = capture.activations()
        try file.write(to: path)
        Output.note("\(path): \(file.activations.count) hooks are in it")
        if capture.isTruncated {
            Output.note(
                "orrery: the limit of memory was reached, and later tokens were not captured: name fewer hooks.")
        }
    }
}
