import Kernels
import Models
import Tensors
import Tokenizers

extension Expected {
    init(_ name: String) throws {
        folder = "\(Golden.root)/\(name)"
        let file = try TensorFile.open("\(folder)/expected.safetensors")
        tokens = try file.tensor(named: "tokens", as: Int32.self).elements
        logits = try file.tensor(named: "logits", as: Float.self).elements
    }
}

/// A llama of Hugging Face as GGUF would hold it: rows of queries and keys turned, pairs side by side.
struct AdjacentPairs: Checkpoint {
    let base: any Checkpoint
    let configuration: ModelConfiguration
    var path: String { base.path }

    init(_ base: any Checkpoint) {
        self.base = base
        var configuration = base.configuration
        if case .rotary(var rotary) = configuration.positions {
            rotary.pairing = .adjacent
            configuration.positions = .rotary(rotary)
        }
        self.configuration = configuration
    }

    func shape(of name: String) -> [Int]? { base.shape(of: name) }

    func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix {
        let matrix = try base.matrix(name, rows: rows, columns: columns)
        guard name.hasSuffix("attn_q.weight") || name.hasSuffix("attn_k.weight") else { return matrix }
        let width = configuration.headWidth
        do {
            let turned = try AlignedBuffer<Float>(count: rows * columns)
            for row in 0..<rows {
                let (head, place) = (row / width, row % width)
                let target = head * width + place % (width / 2) * 2 + place / (width / 2)
                matrix.decode(row: row, into: turned.pointer + target * columns)
            }
            return try WeightMatrix(
                .f32, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(turned.elements), owner: turned)
        } catch {
            throw ModelError(path, problem: error.sentence)
        }
    }

    func matrices(_ name: String, count: Int, rows: Int, columns: Int) throws(ModelError) -> [WeightMatrix] {
        try base.matrices(name, count: count, rows: rows, columns: columns)
    }
    func vector(_ name: String, count: Int) throws(ModelError) -> [Float] { try base.vector(name, count: count) }
}
