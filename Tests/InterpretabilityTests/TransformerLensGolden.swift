import Glibc
import Interpretability
import Models
import Tensors
import TestFixtures
import Testing
import Tokenizers

/// What TransformerLens computed for tiny seeded models: weights under `name.w.`, activations of two sequences under
/// `name.a.`, processed weights under `name.fw.`, in float64.
struct TransformerLensGolden {
    private let file: TensorFile

    /// The large golden file next to the package; `nil` if it is missing.
    static let shared: TransformerLensGolden? = {
        let package = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        let path = "\(package)/../shared/peers/training/tl_golden.safetensors"
        return access(path, R_OK) == 0 ? try? TransformerLensGolden(path) : nil
    }()

    /// The small one of `Goldens/hooked.py`: `llama` (rotary, RMS norms, grouped queries, a gate) and `gpt`.
    static func small() throws -> TransformerLensGolden {
        let folder = #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
        return try TransformerLensGolden("\(folder)/Goldens/hooked.safetensors")
    }

    init(_ path: String) throws { file = try TensorFile.open(path) }

    var names: [String] { file.names }

    func tensor(_ name: String) throws -> Tensor<Double> {
        try file.tensor(named: name).converted(to: Double.self)
    }

    /// The sequences of a model, two of them.
    func tokens(_ model: String) throws -> [[TokenID]] {
        let tokens = try file.tensor(named: "\(model).tokens").converted(to: Int32.self)
        return try (0..<tokens.shape[0]).map { try tokens[$0].elements.map { TokenID($0) } }
    }

    /// Tensors whose names begin with a prefix, without it.
    func tensors<Scalar: FloatingAccumulator>(
        _ prefix: String, as type: Scalar.Type = Double.self
    ) throws -> [String: Tensor<Scalar>] {
        var found: [String: Tensor<Scalar>] = [:]
        for name in names where name.hasPrefix(prefix) {
            found[String(name.dropFirst(prefix.count))] = try tensor(name).converted(to: type)
        }
        return found
    }

    /// A model of the file in either precision: `gpt`, `attn2` or `llama`.
    func model<Scalar: FloatingAccumulator>(
        _ name: String, as type: Scalar.Type = Double.self
    ) throws -> HookedTransformer<Scalar> {
        try HookedTransformer(named: tensors("\(name).w.", as: type)) { configuration in
            if name == "llama" { configuration.activation = .silu }
        }
    }

    /// The models that it has.
    var models: [String] { ["gpt", "attn2", "llama"].filter { names.contains("\($0).tokens") } }
}

/// The largest difference of two tensors: |a − b| ≤ tolerance · (1 + |b|) is a difference of at most 1. Infinite where
/// shapes differ, a number is missing, or only one of them is infinite.
func misfit<Scalar: FloatingAccumulator>(
    _ found: Tensor<Scalar>, _ expected: Tensor<Double>, within tolerance: Double
) -> Double {
    guard found.shape == expected.shape else { return .infinity }
    return zip(found.elements, expected.elements).reduce(0) { worst, pair in
        let (a, b) = (pair.0.float64, pair.1)
        if a == b { return worst }
        let difference = abs(a - b) / (tolerance * (1 + abs(b)))
        return difference.isNaN ? .infinity : max(worst, difference)
    }
}
