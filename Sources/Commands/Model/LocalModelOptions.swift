import ArgumentParser
import CommandSupport
import Kernels
import LanguageModels
import ModelLab
import Models
import Providers
import System
import Workspace

/// Options for a model in this process.
struct LocalModelOptions: ParsableArguments {
    @Option(help: "Number of threads, for local models only.")
    var threads: Int?

    @Option(help: "LoRA adapter folder in PEFT format, for local models only.", completion: .directory)
    var adapter: String?

    @Flag(help: "Merge the adapter into the weights before the run.")
    var merge = false

    @Option(
        name: .customLong("context"),
        help: "Context length in tokens, for local models only.")
    var contextLength: Int?

    func validate() throws {
        guard threads.map({ (1...ThreadPool.usableProcessors).contains($0) }) ?? true else {
            throw ValidationError("--threads must be 1 to \(ThreadPool.usableProcessors) on this machine.")
        }
        guard !merge || adapter != nil else { throw ValidationError("--merge requires --adapter.") }
        guard (contextLength ?? 1) > 0 else { throw ValidationError("--context must be at least 1.") }
    }

    /// Opens the model that a specification names; a local model gets these options.
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
            throw Problem(
                .invalid, "", "\(word) is not a local model",
                remedy: "Remove --threads, --adapter, and --context, which apply to local models only.")
        }
        return OpenedModel(model: model, local: local, word: word)
    }
}

/// A model opened for one command.
struct OpenedModel {
    let model: any LanguageModel
    /// The model in this process; `nil` for a remote model.
    let local: LocalModel?
    let word: String

    /// Starts capturing activations at hooks.
    ///
    /// - Throws: `Problem` if the model is remote or a pattern matches no hook.
    func capturing(_ patterns: [String], to path: String) throws -> ActivationCapture {
        guard let local else {
            throw Problem(
                .invalid, "", "\(word) is not a local model",
                remedy: "Activations can be captured only from a local file or folder.")
        }
        let capture = try HookCapture(patterns, for: local.configuration)
        local.withGenerator { _, pass in pass.visitor = capture }
        return ActivationCapture(capture: capture, path: path)
    }
}

/// A capture of activations in progress.
struct ActivationCapture {
    let capture: HookCapture
    let path: String

    /// Writes the captured activations.
    func finish() throws {
        let file = capture.activations()
        try file.write(to: path)
        Output.note("wrote activations of \(file.activations.count) hooks to \(path)")
        if capture.isTruncated {
            Output.note(
                "orrery: the capture reached its memory limit, and later tokens are missing. "
                    + "Select fewer hooks with --hook."
            )
        }
    }
}
