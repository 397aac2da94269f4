import Models
import Tensors
import Testing
import Training

/// A tiny model of a family and what transformers computes with it: the goldens of the runtime's own tests.
struct FamilyGolden {
    let name: String
    let checkpoint: any Checkpoint
    private let expected: TensorFile

    static let decoders = ["llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3", "gpt2", "phi3", "mixtral"]

    static var folder: String {
        let tests = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        return "\(tests)/ModelsTests/Goldens/architectures"
    }

    init(_ name: String) throws {
        self.name = name
        let folder = "\(Self.folder)/\(name)"
        checkpoint = try Checkpoints.open(folder)
        expected = try TensorFile.open("\(folder)/expected.safetensors")
    }

    /// Every length there is.
    var lengths: [Int] {
        expected.names.compactMap { $0.hasPrefix("logits.") ? Int($0.dropFirst("logits.".count)) : nil }
    }

    /// `[1, length]`.
    func tokens(_ length: Int) throws -> Tensor<Int32> {
        try expected.tensor(named: "tokens.\(length)", as: Int32.self).reshaped([1, length])
    }

    func values(_ name: String) throws -> [Float] {
        try expected.tensor(named: name).converted(to: Float.self).elements
    }

    var names: [String] { expected.names }
}

/// The largest difference, relative to the largest number.
func worst(_ found: [Float], _ expected: [Float]) -> Float {
    guard found.count == expected.count else { return .infinity }
    let scale = expected.reduce(Float(1e-6)) { max($0, $1.magnitude) }
    return zip(found, expected).reduce(Float(0)) { max($0, ($1.0 - $1.1).magnitude) } / scale
}
