import Interpretability
import JSON
import Tensors
import TestFixtures
import Testing

/// What sae-lens makes of the dictionaries in Goldens/dictionaries: dictionaries.py.
struct DictionaryGoldens {
    static let names = [
        "batchtopk", "gated", "jumprelu", "matryoshka", "standard", "standard-norm", "topk", "topk-flat",
        "topk-layernorm", "topk-rescaled",
    ]
    static let folder =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Goldens/dictionaries"

    let file: TensorFile

    init() throws { file = try TensorFile.open("\(Self.folder)/expected.safetensors") }

    func tensor(_ name: String) throws -> Tensor<Float> { try file.tensor(named: name, as: Float.self) }

    static func open(_ name: String) throws -> SparseAutoencoder { try DictionaryFile.open("\(folder)/\(name)") }

    /// A measure of a dictionary, computed in NumPy.
    static func measure(_ name: String, of dictionary: String) throws -> Double {
        let bytes = try #require(File.bytes("\(folder)/measures.json"))
        return try JSONDocument(parsing: bytes).withRoot {
            try #require($0.member(named: dictionary)?.member(named: name)?.double)
        }
    }
}

/// Shapes first, then the worst place.
func expectNear(
    _ actual: Tensor<Float>, _ expected: Tensor<Float>, within tolerance: Float, _ what: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(actual.shape == expected.shape, "\(what)", sourceLocation: sourceLocation)
    guard actual.shape == expected.shape else { return }
    let (a, b) = (actual.elements, expected.elements)
    let isWorse = { (i: Int, j: Int) in !(abs(a[i] - b[i]) >= abs(a[j] - b[j])) }
    guard let worst = a.indices.max(by: isWorse) else { return }
    #expect(
        abs(a[worst] - b[worst]) <= tolerance * max(1, abs(b[worst])), "\(what), element \(worst)",
        sourceLocation: sourceLocation)
}
