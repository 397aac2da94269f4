internal import Models
public import System
internal import Tensors
internal import Tokenizers

/// Differences between the hooks, logits, and processed weights of this implementation and those of TransformerLens.
/// The reference tensors come from a file with weights under `MODEL.w.`, two sequences under `MODEL.tokens`, hooks
/// under `MODEL.a.`, and processed weights under `MODEL.fw.`.
public struct HookComparison: Hashable, Sendable {
    /// Tensors of one kind.
    public struct Group: Hashable, Sendable {
        public var name: String
        public var tensors = 0
        /// The largest |a − b| / (1 + |b|).
        public var worst = 0.0
        /// The tensor in which it is.
        public var at = ""
    }

    public private(set) var groups: [Group]

    /// Runs every model of a file, in both precisions.
    ///
    /// - Throws: An error if the file cannot be read, or holds no model.
    public static func run(_ path: String) throws(Problem) -> HookComparison {
        try telling {
            let file = try TensorFile.open(path)
            let models = file.names.filter { $0.hasSuffix(".tokens") }.map { String($0.dropLast(".tokens".count)) }
            guard !models.isEmpty else {
                throw Problem(.missing, path, "missing tokens, such as gpt.tokens")
            }
            var comparison = HookComparison(groups: [])
            comparison.groups = [
                try group("float64", file, models, Double.self), try group("float32", file, models, Float.self),
                try folded(file, models),
            ]
            return comparison
        }
    }

    private static func group<Scalar: FloatingAccumulator>(
        _ name: String, _ file: TensorFile, _ models: [String], _: Scalar.Type
    ) throws -> Group {
        var group = Group(name: name)
        for model in models {
            let hooked = try HookedTransformer<Scalar>(named: weights(model + ".w.", file))
            let sequences = try file.tensor(named: model + ".tokens").converted(to: Int32.self)
            for row in 0..<sequences.shape[0] {
                let cache = try hooked.run(try sequences[row].elements.map { TokenID($0) })
                for (hook, tensor) in cache.activations {
                    let key = hook == .logits ? model + ".logits" : model + ".a." + hook.name
                    guard file.names.contains(key) else { continue }
                    group.take(tensor, try file.tensor(named: key).converted(to: Double.self)[row], key)
                }
            }
        }
        return group
    }

    private static func folded(_ file: TensorFile, _ models: [String]) throws -> Group {
        var group = Group(name: "folded")
        for model in models where file.names.contains(where: { $0.hasPrefix(model + ".fw.") }) {
            let processed = try HookedTransformer<Double>(named: weights(model + ".w.", file)).processed()
            for (name, tensor) in processed.weights.named where file.names.contains(model + ".fw." + name) {
                let key = model + ".fw." + name
                group.take(tensor, try file.tensor(named: key).converted(to: Double.self), key)
            }
        }
        return group
    }

    private static func weights<Scalar: FloatingAccumulator>(
        _ prefix: String, _ file: TensorFile
    ) throws -> [String: Tensor<Scalar>] {
        var found: [String: Tensor<Scalar>] = [:]
        for name in file.names where name.hasPrefix(prefix) {
            found[String(name.dropFirst(prefix.count))] = try file.tensor(named: name).converted(to: Scalar.self)
        }
        return found
    }
}

extension HookComparison.Group {
    /// One tensor more; of another shape it is infinitely far.
    fileprivate mutating func take<Scalar: FloatingAccumulator>(
        _ found: Tensor<Scalar>, _ expected: Tensor<Double>, _ name: String
    ) {
        tensors += 1
        var distance = found.shape == expected.shape ? 0 : Double.infinity
        for (a, b) in zip(found.elements, expected.elements) where Double(a) != b {
            let one = abs(Double(a) - b) / (1 + abs(b))
            distance = one.isNaN ? .infinity : max(distance, one)
        }
        if distance >= worst { (worst, at) = (distance, name) }
    }
}
