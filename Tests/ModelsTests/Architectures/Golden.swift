import Glibc
import Kernels
import Models
import Tensors
import TestFixtures
import Testing
import Tokenizers

/// A tiny model that Goldens/architectures/architectures.py made, with what transformers computed from it.
struct Golden {
    let folder: String
    let transformer: Transformer
    private let expected: TensorFile

    static let root =
        #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/Goldens/architectures"

    init(_ name: String) throws {
        folder = "\(Self.root)/\(name)"
        transformer = try Transformer.load(Checkpoints.open(folder))
        expected = try TensorFile.open("\(folder)/expected.safetensors")
    }

    var names: [String] { expected.names }

    /// Numbers by name, and their shape.
    func values(_ name: String) throws -> (shape: [Int], values: [Float]) {
        let tensor = try expected.tensor(named: name)
        return (tensor.shape, try tensor.converted(to: Float.self).elements)
    }

    func tokens(_ name: String = "tokens") throws -> [TokenID] {
        try expected.tensor(named: name, as: Int32.self).elements
    }
}

/// Returns the logits of a sequence that runs in pieces of a fixed size, or at once if no size is given.
func logits(
    _ transformer: Transformer, _ tokens: [TokenID], pieces: Int? = nil, in pass: ForwardPass = ForwardPass()
) throws -> [Float] {
    let cache = ContiguousKeyValues(transformer.configuration, capacity: 8)
    var all: [Float] = []
    var rest = tokens[...]
    while !rest.isEmpty {
        let piece = Array(rest.prefix(pieces ?? tokens.count))
        rest = rest.dropFirst(piece.count)
        let logits = try transformer.forward([Segment(piece, cache: cache, outputs: .all)], in: pass)
        for row in 0..<logits.rows { all += logits[row] }
    }
    return all
}

/// Returns the largest difference; infinite if sizes differ or a value is NaN.
func worst(_ found: [Float], _ expected: [Float]) -> Float {
    guard found.count == expected.count else { return .infinity }
    return zip(found, expected).reduce(0) { worst, pair in
        let difference = pair.0 == pair.1 ? 0 : abs(pair.0 - pair.1)
        return difference.isNaN ? .infinity : max(worst, difference)
    }
}

/// Rows whose best token differs, although the two best are further apart than rounding reaches.
func otherChoices(_ found: [Float], _ expected: [Float], vocabulary: Int) -> [Int] {
    (0..<expected.count / vocabulary).filter { row in
        let range = row * vocabulary..<(row + 1) * vocabulary
        let sorted = expected[range].sorted(by: >)
        guard sorted[0] - sorted[1] > 2e-4 else { return false }
        return found[range].firstIndex(of: found[range].max()!) != expected[range].firstIndex(of: sorted[0])
    }
}

/// Real data next to the package; `nil` if it is missing.
func sharedData(_ path: String) -> String? {
    let package = #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
    for root in ["\(package)/../shared/data"] where access("\(root)/\(path)", R_OK) == 0 {
        return "\(root)/\(path)"
    }
    return nil
}
