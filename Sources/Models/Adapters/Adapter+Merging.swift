public import Kernels
internal import Tokenizers

extension Adapter {
    /// The checkpoint with this adapter's changes in its weights: W + s B A, kept in memory as float32 or float16.
    ///
    /// - Parameter format: `.f32` or `.f16`; other formats would round the change away.
    /// - Throws: `ModelError` where a matrix is missing or memory is short.
    public func merged(
        into checkpoint: any Checkpoint, as format: WeightFormat = .f32
    ) throws(ModelError) -> any Checkpoint {
        guard format == .f32 || format == .f16 else {
            throw ModelError(
                path, problem: "an adapter cannot be merged into \(format.rawValue) weights",
                remedy: "Merge it as f32 or f16, and quantize the result.")
        }
        let configuration = checkpoint.configuration
        var matrices: [String: WeightMatrix] = [:]
        for (name, change) in changes {
            guard let (rows, columns) = configuration.linearShape(name), rows == change.b.rows,
                columns == change.a.columns
            else {
                throw ModelError(
                    path, problem: "\(name) has different sizes in \(checkpoint.path)",
                    remedy: "Use the model that the adapter was trained for.")
            }
            let source = name == "output.weight" && checkpoint.shape(of: name) == nil ? "token_embd.weight" : name
            let base = try checkpoint.matrix(source, rows: rows, columns: columns)
            matrices[name] = try merge(change, into: base, as: format)
        }
        return MergedCheckpoint(base: checkpoint, matrices: matrices)
    }

    private func merge(
        _ change: LowRankChange, into base: WeightMatrix, as format: WeightFormat
    ) throws(ModelError) -> WeightMatrix {
        do {
            let weights = try AlignedBuffer<Float>(count: base.rows * base.columns)
            ThreadPool.shared.run(chunks: base.rows) { row, _ in
                let line = weights.pointer + row * base.columns
                base.decode(row: row, into: line)
                change.merge(into: line, row: row)
            }
            return try WeightMatrix(
                format, encoding: weights.pointer, rows: base.rows, columns: base.columns, pool: .shared)
        } catch {
            throw ModelError(path, error)
        }
    }
}

/// A checkpoint some of whose matrices were replaced.
struct MergedCheckpoint: Checkpoint {
    let base: any Checkpoint
    let matrices: [String: WeightMatrix]

    var path: String { base.path }
    var configuration: ModelConfiguration {
        var configuration = base.configuration
        if matrices["output.weight"] != nil { configuration.tiesEmbeddings = false }
        return configuration
    }
    var tensorNames: [String] {
        base.tensorNames + matrices.keys.filter { base.shape(of: $0) == nil }.sorted()
    }
    var weightBytes: Int { base.weightBytes }
    var chatTemplateSource: String? { base.chatTemplateSource }
    func tokenizer() throws(ModelError) -> Tokenizer? { try base.tokenizer() }

    func shape(of name: String) -> [Int]? { matrices[name].map { [$0.rows, $0.columns] } ?? base.shape(of: name) }

    func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix {
        guard let matrix = matrices[name], matrix.rows == rows, matrix.columns == columns else {
            return try base.matrix(name, rows: rows, columns: columns)
        }
        return matrix
    }

    func matrices(_ name: String, count: Int, rows: Int, columns: Int) throws(ModelError) -> [WeightMatrix] {
        try base.matrices(name, count: count, rows: rows, columns: columns)
    }

    func vector(_ name: String, count: Int) throws(ModelError) -> [Float] { try base.vector(name, count: count) }
}
