internal import Console
internal import Glibc
internal import Interpretability
internal import Models

/// Computes the views of a request from one snapshot of a run; the run recomputes numbers that the snapshot has only in
/// reduced form.
struct AttentionReader {
    let run: InspectedRun
    let snapshot: RunSnapshot
    let request: AttentionRequest

    var atlas: AttentionAtlas { snapshot.attention }
    private var weighting: AttentionWeighting { request.isWeighted ? .values : .plain }
    private var measure: AttentionMeasure { request.pooling == .max ? .max : .mean }

    /// Small maps of the heads, with the weights behind a cell.
    var heatmaps: ([HeatGrid], CellSpan?) {
        guard request.miniRows > 0, request.miniColumns > 0, snapshot.readCount > 0 else { return ([], nil) }
        // Small maps use the mean, whatever the large head uses: the maximum of many weights is near 1 almost
        // everywhere.
        let grid = atlas.grid(
            rows: request.miniRows, columns: request.miniColumns, measure: .mean, weighting: weighting)
        let pictures = (0..<grid.layers * grid.heads).map { index in
            HeatGrid(
                rows: grid.rows, columns: grid.columns,
                values: Array(grid.cells(layer: index / grid.heads, head: index % grid.heads)))
        }
        return (
            pictures,
            CellSpan(
                queries: grid.queriesPerCell, keys: grid.keysPerCell, pooling: .mean,
                isWeighted: request.isWeighted)
        )
    }

    /// Returns the large head from stored cells, or from exact ones if the stored cells are too coarse for the window.
    func picture() throws -> HeadPicture? {
        guard request.rows > 0, request.columns > 0, snapshot.readCount > 0 else { return nil }
        let queries = request.window.queries(of: snapshot.readCount)
        let keys = request.window.keys(of: snapshot.readCount)
        var cells = atlas.cells(
            layer: request.layer, head: request.head, queries: queries, keys: keys, rows: request.rows,
            columns: request.columns, measure: measure, weighting: weighting)
        if cells.isCoarser, queries.count * keys.count <= Self.mostExact {
            cells = try run.exactCells(
                layer: request.layer, head: request.head, queries: queries, keys: keys, rows: request.rows,
                columns: request.columns, measure: measure, weighting: weighting)
        }
        return HeadPicture(
            grid: HeatGrid(rows: cells.rows, columns: cells.columns, values: cells.values), queries: cells.queries,
            keys: cells.keys, queriesPerCell: cells.queriesPerCell, keysPerCell: cells.keysPerCell,
            note: cells.isCoarser ? cells.note + ", zoom in for finer cells" : cells.note)
    }

    /// Maximum number of pairs to recompute for a picture.
    private static let mostExact = 1 << 20

    // MARK: Weights

    func attended() throws -> [Float] {
        try atlas.weights(layer: request.layer, head: request.head, query: request.token, weighting: weighting)
            ?? run.weights(layer: request.layer, head: request.head, query: request.token, weighting: weighting)
    }

    /// Returns the attention of later tokens to the cursor's token; NaN for earlier tokens.
    func attending() throws -> [Float] {
        let weights =
            try atlas.weights(layer: request.layer, head: request.head, key: request.token, weighting: weighting)
            ?? run.weights(layer: request.layer, head: request.head, key: request.token, weighting: weighting)
        return Array(repeating: .nan, count: request.token) + weights
    }

    /// Returns the attention of the cursor's token to a range, summed over heads; only earlier tokens count.
    func share(of range: Range<Int>) throws -> RangeShare? {
        guard request.token < snapshot.readCount else { return nil }
        let counted = range.clamped(to: 0..<request.token + 1)
        var heads: [(layer: Int, head: Int, share: Float)] = []
        for layer in 0..<snapshot.layerCount {
            for head in 0..<snapshot.headCount {
                let weights =
                    try atlas.weights(layer: layer, head: head, query: request.token)
                    ?? run.weights(layer: layer, head: head, query: request.token, weighting: .plain)
                heads.append((layer, head, weights[counted].reduce(0, +)))
            }
        }
        let top = heads.sorted { ($1.share, $0.layer, $0.head) < ($0.share, $1.layer, $1.head) }.prefix(4)
        return RangeShare(
            range: range, sum: heads.reduce(0) { $0 + $1.share }, heads: heads.count,
            top: Array(top))
    }

    // MARK: Readings

    var facts: TokenFacts? {
        guard snapshot.records.indices.contains(request.token) else { return nil }
        let record = snapshot.records[request.token]
        return TokenFacts(
            probability: record.logProbability.map { exp($0) }, entropy: record.entropy,
            alternatives: record.alternatives.map { (run.model.text(of: $0.id), exp($0.logProbability)) })
    }

    /// Returns the tokens around the cursor that fit into the reading pane.
    func positions(columnsEach: Int) -> Range<Int> {
        let count = min(snapshot.readCount, max(1, request.positions / max(1, columnsEach)))
        let first = max(0, min(request.token - count / 2, snapshot.readCount - count))
        return first..<first + count
    }

    func norms(_ positions: Range<Int>) -> HeatGrid? {
        guard !snapshot.residualNorms.isEmpty else { return nil }
        var values: [Float] = []
        for layer in 0..<snapshot.layerCount {
            for position in positions { values.append(snapshot.residualNorm(layer: layer, position: position)) }
        }
        return HeatGrid(rows: snapshot.layerCount, columns: positions.count, values: values)
    }

    /// Returns the routing weights of the experts; `nil` if the model has no experts.
    func routing(_ positions: Range<Int>) -> HeatGrid? {
        guard snapshot.expertCount > 0 else { return nil }
        var values = [Float](repeating: .nan, count: snapshot.expertCount * positions.count)
        for (column, position) in positions.enumerated() {
            let weights = snapshot.expertWeights(layer: request.layer, position: position)
            for (expert, weight) in weights.enumerated() { values[expert * positions.count + column] = weight }
        }
        return HeatGrid(rows: snapshot.expertCount, columns: positions.count, values: values)
    }

    /// Returns the predictions of each layer at the tokens around the cursor.
    func lens(isCancelled: () -> Bool) throws -> LensPicture? {
        let positions = positions(columnsEach: AttentionPage.lensColumns)
        guard !positions.isEmpty else { return nil }
        let chosen = request.target.flatMap { try? TypedToken.one($0, in: run.model.tokenizer) }
        let table = try run.lens(
            positions: positions, top: 5, target: chosen.map { .token($0) } ?? .next, isCancelled: isCancelled)
        return LensPicture(
            layers: table.points.map(\.label), positions: positions, cells: table.cells.map { $0.map(shown) },
            target: chosen.map { ShadedTokens.visible(run.model.text(of: $0)) }
                ?? request.target.map { "the next token (\($0) is not a single token)" } ?? "the next token")
    }

    private func shown(_ cell: LensCell) -> LensPicture.Cell {
        let top = cell.top.map { (text: run.model.text(of: $0.token), probability: Float($0.probability)) }
        return (top, cell.rank, cell.chosen.map { Float($0.probability) })
    }
}
