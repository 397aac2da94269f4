internal import Models
public import System
internal import Tensors
internal import Tokenizers

/// Hooks that TransformerLens captured, read and compared, and the same hooks written for it.
public enum HookExchange {
    /// Runs the text of a captured file through the program's own runtime.
    ///
    /// - Parameters:
    ///   - captured: Activations by hook; the metadata text `tokens` lists the IDs, separated by spaces.
    ///   - model: Folder of the model that the activations come from.
    ///   - written: Destination of this run's hooks; must end in .safetensors.
    /// - Throws: An error if a file cannot be read or records no tokens.
    public static func run(
        _ captured: String, model: String, writing written: String
    ) throws(Problem) -> ExchangeReport {
        let (file, runtime) = try telling {
            (try ActivationFile.read(captured), try RuntimeModel(try Checkpoints.open(model)))
        }
        let tokens = (file.metadata["tokens"] ?? "").split(separator: " ").compactMap { TokenID($0) }
        guard !tokens.isEmpty else {
            throw Problem(
                .missing, captured, "the run's tokens are missing", remedy: "Store them in the `tokens` metadata entry."
            )
        }
        let cache = try runtime.run(tokens)
        var (report, own) = (ExchangeReport(), ActivationFile())
        for (hook, tensor) in cache.activations {
            own[hook] = HookActivation(shape: tensor.shape, values: tensor.elements)
            guard let other = file[hook] else { continue }
            try report.take(tensor, telling { try Tensor(other.values, shape: other.shape) }, hook.name)
        }
        own.metadata["tokens"] = file.metadata["tokens"]
        try telling { try own.write(to: written) }
        return report
    }
}
