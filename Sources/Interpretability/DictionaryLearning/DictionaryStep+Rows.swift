internal import Kernels
internal import Synchronization
internal import System

extension DictionaryStep {
    /// Fills the tiles: pre-activations, choice of features, gradients of entries and outputs.
    func goThroughRows(_ batch: UnsafePointer<Float>) throws(Problem) {
        let packed = try packedEncoder()
        let failed = Atomic(false)
        if objective.seesWholeBatch {
            pool.run(chunks: tiles.count) { tile, _ in
                let start = activations.pointer + tile * Self.tileRows * weights.features
                if !project(tile, batch, packed, into: start) { return failed.store(true, ordering: .relaxed) }
                forEachRow(of: tile, activations: start) { objective.survey($0) }
            }
            guard !failed.load(ordering: .relaxed) else { throw noMemory }
            objective.settle()
            pool.run(chunks: tiles.count) { tile, worker in choose(tile, wholeBatchRows(tile), worker) }
            objective.agree(tiles)
            pool.run(chunks: tiles.count) { tile, _ in differentiate(tile, wholeBatchRows(tile)) }
        } else {
            pool.run(chunks: tiles.count) { tile, worker in
                let start = activations.pointer + worker * Self.tileRows * weights.features
                if !project(tile, batch, packed, into: start) { return failed.store(true, ordering: .relaxed) }
                choose(tile, start, worker)
                differentiate(tile, start)
            }
        }
        guard !failed.load(ordering: .relaxed) else { throw noMemory }
    }

    private func packedEncoder() throws(Problem) -> PackedMatrix<Float> {
        let rows = MatrixView(
            UnsafePointer(weights.encoder.values.pointer), rows: weights.features, columns: weights.width)
        do { return try PackedMatrix(rows.transposed, pool: pool) } catch { throw noMemory }
    }

    private var noMemory: Problem {
        Problem(
            .limit, "training step", "not enough memory for the product of its rows and the encoder",
            remedy: "Use fewer features, or fewer rows per step.")
    }

    private func rows(of tile: Int) -> Range<Int> {
        tile * Self.tileRows..<min(configuration.batchRows, (tile + 1) * Self.tileRows)
    }

    private func wholeBatchRows(_ tile: Int) -> UnsafeMutablePointer<Float> {
        activations.pointer + tile * Self.tileRows * weights.features
    }

    /// x − b_dec and (x − b_dec) W_enc of a tile; whether there was memory.
    private func project(
        _ tile: Int, _ batch: UnsafePointer<Float>, _ packed: PackedMatrix<Float>,
        into activations: UnsafeMutablePointer<Float>
    ) -> Bool {
        let (rows, width, sums) = (rows(of: tile), weights.width, tiles[tile])
        sums.inputSums.withUnsafeMutableBufferPointer { inputSums in
            guard let inputSums = inputSums.baseAddress else { return }
            for row in rows {
                let squares = SparseFeatures.difference(
                    batch + row * width, weights.decoderBias.values.pointer, into: inputs.pointer + row * width,
                    sums: inputSums, count: width)
                sums.inputSquares += Double(squares)
            }
        }
        let input = MatrixView(
            UnsafePointer(inputs.pointer + rows.lowerBound * width), rows: rows.count, columns: width)
        let output = MutableMatrixView(activations, rows: rows.count, columns: weights.features)
        do { try MatrixProduct.multiply(input, packed, into: output, pool: .single) } catch { return false }
        return true
    }

    private func choose(_ tile: Int, _ activations: UnsafeMutablePointer<Float>, _ worker: Int) {
        forEachRow(of: tile, activations: activations) { row in
            objective.choose(row, tiles[tile], scratches[worker])
            tiles[tile].entries.endRow()
        }
    }

    private func differentiate(_ tile: Int, _ activations: UnsafeMutablePointer<Float>) {
        let starts = tiles[tile].entries.starts
        let first = tile * Self.tileRows
        forEachRow(of: tile, activations: activations) { row in
            let place = row.index - first
            objective.differentiate(row, starts[place]..<starts[place + 1], tiles[tile])
        }
    }

    private func forEachRow(
        of tile: Int, activations: UnsafeMutablePointer<Float>, _ body: (DictionaryRow) -> Void
    ) {
        let (width, slots) = (weights.width, objective.slots)
        for (place, row) in rows(of: tile).enumerated() {
            body(
                DictionaryRow(
                    index: row, activations: activations + place * weights.features,
                    input: inputs.pointer + row * width, outputs: outputs.pointer + row * slots * width))
        }
    }
}
