public import Models
internal import System
public import Tensors
public import Tokenizers

/// What the hooks of one run over one sequence showed.
///
/// Shapes are those that `Hook` documents, without a batch axis: `[T, D]`, `[T, H, W]`, `[H, T, K]`.
public struct ActivationCache<Scalar: FloatingAccumulator>: Sendable {
    public var tokens: [TokenID]
    public var activations: [Hook: Tensor<Scalar>]

    public init(tokens: [TokenID], activations: [Hook: Tensor<Scalar>] = [:]) {
        self.tokens = tokens
        self.activations = activations
    }

    /// - Throws: An error that lists the captured hooks, if the hook was not captured.
    public subscript(hook: Hook) -> Tensor<Scalar> {
        get throws(Problem) {
            if let tensor = activations[hook] { return tensor }
            let kept = activations.keys.map(\.name).sorted()
            throw Problem(
                .invalid, hook.name, "not captured by the run",
                remedy: kept.isEmpty ? "Run again and capture it." : "Captured: \(Self.list(kept)).")
        }
    }

    private static func list(_ names: [String]) -> String {
        names.count <= 6 ? names.joined(separator: ", ") : names.prefix(6).joined(separator: ", ") + ", …"
    }
}
