internal import Kernels

extension AttentionAtlas {
    /// Weights that are read at most to make cells of one head without kept cells.
    static let mostWeights = 4 << 20

    /// Cells of one head.
    ///
    /// Uses exact weights if the region still has them, otherwise the coarsest stored cells that are fine enough.
    /// Nothing is made up: where finer ones are asked for than are kept, there are fewer and `isCoarser` says so.
    ///
    /// - Parameters:
    ///   - queries: Range of queries (default: all), clamped to the length.
    ///   - rows: Maximum number of cells.
    /// - Complexity: The kept cells, or weights, that are read.
    public func cells(
        layer: Int, head: Int, queries: Range<Int>? = nil, keys: Range<Int>? = nil, rows: Int, columns: Int,
        measure: AttentionMeasure = .max, weighting: AttentionWeighting = .plain
    ) -> AttentionCells {
        let (queries, keys) = (queries ?? 0..<length, keys ?? 0..<length)
        guard (0..<layers).contains(layer), (0..<heads).contains(head), length > 0 else {
            return AttentionCells(
                CellGeometry(0..<0, 0..<0, rows: 0, columns: 0, side: 1, length: 0), [], measure, weighting,
                isCoarser: false)
        }
        let geometry = geometry(queries, keys, rows: rows, columns: columns, mostWeights: Self.mostWeights)
        let isCoarser =
            geometry.side > 1
            && (geometry.rows < min(rows, queries.clamped(to: 0..<length).count)
                && geometry.queriesPerCell == geometry.side
                || geometry.columns < min(columns, keys.clamped(to: 0..<length).count)
                    && geometry.keysPerCell == geometry.side)
        return cells(
            layer: layer, head: head, geometry, measure: measure, weighting: weighting, isCoarser: isCoarser)
    }

    /// Cells that are cut as they are to be.
    func cells(
        layer: Int, head: Int, _ geometry: CellGeometry, measure: AttentionMeasure, weighting: AttentionWeighting,
        isCoarser: Bool
    ) -> AttentionCells {
        var values = [Float](repeating: .nan, count: geometry.rows * geometry.columns)
        values.withUnsafeMutableBufferPointer { values in
            fill(values, geometry, layer: layer, head: head, measure, weighting)
            CellDivisors(geometry, layout, layer: layer, measure)?.divide(values)
        }
        return AttentionCells(geometry, values, measure, weighting, isCoarser: isCoarser)
    }

    /// Cells of weights that come from elsewhere.
    ///
    /// - Parameter row: The weights of a query, from the first key of the geometry on.
    func cells(
        layer: Int, _ geometry: CellGeometry, measure: AttentionMeasure, weighting: AttentionWeighting,
        row source: (Int) -> [Float]
    ) -> AttentionCells {
        var values = [Float](repeating: .nan, count: geometry.rows * geometry.columns)
        values.withUnsafeMutableBufferPointer { values in
            for row in 0..<geometry.rows {
                for query in geometry.queries(ofRow: row) {
                    let first = geometry.keys.lowerBound
                    let count = min(geometry.keys.upperBound, query + 1)
                    guard count > first else { continue }
                    source(query).withUnsafeBufferPointer { line in
                        guard let line = line.baseAddress else { return }
                        gather(line - first, count, row, values, geometry, measure)
                    }
                }
            }
            CellDivisors(geometry, layout, layer: layer, measure)?.divide(values)
        }
        return AttentionCells(geometry, values, measure, weighting, isCoarser: false)
    }

    /// Returns the weights of all keys up to a query; `nil` if they are no longer exact.
    public func weights(
        layer: Int, head: Int, query: Int, weighting: AttentionWeighting = .plain
    ) -> [Float]? {
        guard (0..<layers).contains(layer), (0..<heads).contains(head), let (block, index) = place(of: query),
            let kept = block.weights
        else { return nil }
        let start = kept.pointer + block.weightStart(index, layer: layer, head: head)
        let row = Array(UnsafeBufferPointer(start: start, count: query + 1))
        return weighting == .plain ? row : weighted(row, layer: layer, head: head)
    }

    /// Returns the weights of queries for a key, starting at the key itself; `nil` if they are no longer exact.
    public func weights(
        layer: Int, head: Int, key: Int, weighting: AttentionWeighting = .plain
    ) -> [Float]? {
        guard (0..<layers).contains(layer), (0..<heads).contains(head), (0..<length).contains(key), key >= exactFrom
        else { return nil }
        return (key..<length).map { query in
            if weighting == .values {
                return weights(layer: layer, head: head, query: query, weighting: .values)?[key] ?? .nan
            }
            guard let (block, index) = place(of: query), let kept = block.weights else { return .nan }
            return kept.pointer[block.weightStart(index, layer: layer, head: head) + key]
        }
    }

    /// A row of weights, each by the norm of its value, summing to 1.
    func weighted(_ row: [Float], layer: Int, head: Int) -> [Float] {
        let norms = valueNorms(layer: layer, head: head, count: row.count)
        let products = zip(row, norms).map { $0 * $1 }
        let total = products.reduce(0, +)
        return total > 0 ? products.map { $0 / total } : products
    }

    /// How a region is read.
    func geometry(
        _ queries: Range<Int>, _ keys: Range<Int>, rows: Int, columns: Int, mostWeights: Int
    ) -> CellGeometry {
        func cut(_ side: Int) -> CellGeometry {
            CellGeometry(queries, keys, rows: rows, columns: columns, side: side, length: length)
        }
        let weights = cut(1)
        if weights.queries.lowerBound >= exactFrom, weights.queries.count * weights.keys.count <= mostWeights {
            return weights
        }
        let wanted = min(weights.queriesPerCell, weights.keysPerCell)
        let level = levels.last { $0.side <= wanted } ?? levels[0]
        return cut(level.side)
    }

    /// The greatest weights or the sums of one head's cells; what has no pair stays as it is.
    ///
    /// - Parameter values: NaN, for each cell.
    func fill(
        _ values: UnsafeMutableBufferPointer<Float>, _ geometry: CellGeometry, layer: Int, head: Int,
        _ measure: AttentionMeasure, _ weighting: AttentionWeighting
    ) {
        if geometry.side == 1 {
            let size = geometry.keys.upperBound
            for row in 0..<geometry.rows {
                let queries = geometry.queries(ofRow: row)
                for query in queries {
                    guard let (block, index) = place(of: query), let kept = block.weights else { continue }
                    let start = kept.pointer + block.weightStart(index, layer: layer, head: head)
                    let count = min(size, query + 1)
                    if weighting == .plain {
                        gather(start, count, row, values, geometry, measure)
                    } else {
                        let weighted = weighted(
                            Array(UnsafeBufferPointer(start: start, count: query + 1)), layer: layer, head: head)
                        weighted.withUnsafeBufferPointer { line in
                            guard let line = line.baseAddress else { return }
                            gather(line, count, row, values, geometry, measure)
                        }
                    }
                }
            }
        } else if let level = levels.first(where: { $0.side == geometry.side }) {
            fill(values, geometry, level, unit: layer * heads + head, measure.plane(weighting), measure)
        }
    }

    /// One query's weights, into the cells of its row.
    private func gather(
        _ weights: UnsafePointer<Float>, _ count: Int, _ row: Int, _ values: UnsafeMutableBufferPointer<Float>,
        _ geometry: CellGeometry, _ measure: AttentionMeasure
    ) {
        var (key, column) = (geometry.keys.lowerBound, row * geometry.columns)
        while key < count {
            let end = min(key + geometry.keysPerCell, count)
            var value: Float = 0
            if measure == .max {
                for index in key..<end { value = max(value, weights[index]) }
            } else {
                for index in key..<end { value += weights[index] }
            }
            Self.add(value, to: values, at: column, measure)
            (key, column) = (end, column + 1)
        }
    }

    /// Kept cells, into the cells that hold them.
    private func fill(
        _ values: UnsafeMutableBufferPointer<Float>, _ geometry: CellGeometry, _ level: CellLevel, unit: Int,
        _ plane: Int, _ measure: AttentionMeasure
    ) {
        let side = level.side
        let (firstRow, endRow) = (geometry.queries.lowerBound / side, (geometry.queries.upperBound + side - 1) / side)
        let (firstKey, endKey) = (geometry.keys.lowerBound / side, (geometry.keys.upperBound + side - 1) / side)
        let (down, across) = (geometry.queriesPerCell / side, geometry.keysPerCell / side)
        for row in firstRow..<endRow {
            let kept = level.rows[row]
            let line = kept.head(unit) + plane * kept.columns
            var column = (row - firstRow) / down * geometry.columns
            var key = firstKey
            let end = min(endKey, kept.columns)
            if down == 1, across == 1, key < end {
                // A kept cell is a cell.
                let cells = UnsafeMutableBufferPointer(rebasing: values[column..<column + end - key])
                _ = cells.update(fromContentsOf: UnsafeBufferPointer(start: line + key, count: end - key))
                continue
            }
            while key < end {
                let stop = min(key + across, end)
                var value: Float = 0
                if measure == .max {
                    for index in key..<stop { value = max(value, line[index]) }
                } else {
                    for index in key..<stop { value += line[index] }
                }
                Self.add(value, to: values, at: column, measure)
                (key, column) = (stop, column + 1)
            }
        }
    }

    @inline(__always)
    private static func add(
        _ value: Float, to values: UnsafeMutableBufferPointer<Float>, at index: Int, _ measure: AttentionMeasure
    ) {
        let held = values[index]
        values[index] = held.isNaN ? value : measure == .max ? max(held, value) : held + value
    }
}

extension AttentionCells {
    init(
        _ geometry: CellGeometry, _ values: [Float], _ measure: AttentionMeasure, _ weighting: AttentionWeighting,
        isCoarser: Bool
    ) {
        self.init(
            rows: geometry.rows, columns: geometry.columns, values: values, queries: geometry.queries,
            keys: geometry.keys, queriesPerCell: geometry.queriesPerCell, keysPerCell: geometry.keysPerCell,
            measure: measure, weighting: weighting, isCoarser: isCoarser)
    }
}
