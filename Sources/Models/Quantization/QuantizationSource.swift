internal import Kernels
internal import Tensors

/// A tensor that is to be written, and where its numbers come from.
struct QuantizationSource {
    /// The name under which it is written.
    var name: String
    var shape: [Int]
    var origin: Origin

    enum Origin {
        /// One tensor of a file, or one for each expert.
        case stored([StoredWeights], rowOrder: RowOrder = .kept)
        /// Numbers that were computed.
        case values([Float])
    }

    /// How rows of queries and keys lie.
    enum RowOrder {
        case kept
        /// From halves, as Hugging Face keeps the pairs of a rotation, to adjacent ones, as GGUF does for the llama
        /// family: row 2i + j of a head is its row i + j · width / 2.
        case adjacent(headWidth: Int)

        func source(_ row: Int) -> Int {
            guard case .adjacent(let width) = self else { return row }
            let inside = row % width
            return row - inside + inside / 2 + inside % 2 * (width / 2)
        }
    }

    var columns: Int { shape.last ?? 1 }
    var rows: Int { shape.dropLast().reduce(1, *) }
    var elementCount: Int { shape.reduce(1, *) }

    /// What the files call the type.
    var spelling: String {
        if case .stored(let parts, _) = origin { parts[0].spelling } else { "F32" }
    }

    /// The only tensor, where its bytes can be taken as they are.
    var whole: StoredWeights? {
        guard case .stored(let parts, .kept) = origin, parts.count == 1, parts[0].conversion == .none else {
            return nil
        }
        return parts[0]
    }

    /// Bytes as stored in the files.
    var byteCount: Int {
        switch origin {
        case .stored(let parts, _): parts.reduce(0) { $0 + $1.storedByteCount }
        case .values(let values): 4 * values.count
        }
    }

    /// The tensor is done: its part of the map may go.
    func forget() {
        if case .stored(let parts, _) = origin { for part in parts { part.forget() } }
    }

    func reader() throws(ModelError) -> RowReader { try RowReader(self) }
}

/// Hands out rows of a tensor as float32.
struct RowReader {
    private let matrices: [WeightMatrix]
    private let values: [Float]
    private let order: QuantizationSource.RowOrder
    private let rowsOfMatrix: Int
    private let columns: Int

    init(_ source: QuantizationSource) throws(ModelError) {
        columns = source.columns
        var matrices: [WeightMatrix] = []
        var values: [Float] = []
        var order = QuantizationSource.RowOrder.kept
        var rows = max(1, source.rows)
        switch source.origin {
        case .values(let told): values = told
        case .stored(let parts, let told):
            order = told
            if parts.count == 1, source.shape.count < 2 {
                let own = try parts[0].floats(source.name)
                // A bias has one number where a matrix has a row.
                values = own.indices.map { own[told.source($0)] }
                order = .kept
            } else {
                rows /= parts.count
                for part in parts { matrices.append(try part.matrix(source.name, rows: rows, columns: columns)) }
            }
        }
        self.matrices = matrices
        self.values = values
        self.order = order
        rowsOfMatrix = rows
    }

    func read(_ rows: Range<Int>, into target: UnsafeMutablePointer<Float>, pool: ThreadPool) {
        guard !matrices.isEmpty else {
            for index in 0..<rows.count * columns { target[index] = values[rows.lowerBound * columns + index] }
            return
        }
        let height = max(1, 16_384 / columns)
        pool.run(chunks: (rows.count + height - 1) / height) { chunk, _ in
            for place in chunk * height..<min(rows.count, (chunk + 1) * height) {
                let row = order.source(rows.lowerBound + place)
                matrices[row / rowsOfMatrix].decode(row: row % rowsOfMatrix, into: target + place * columns)
            }
        }
    }
}
