public import Kernels

extension AttentionAtlas {
    /// Cells of all heads over everything, of the same size for all.
    ///
    /// - Parameters:
    ///   - rows: Maximum number of cells per head.
    ///   - pool: Threads that share the heads.
    /// - Complexity: The kept cells that are read and those that are made.
    public func grid(
        rows: Int, columns: Int, measure: AttentionMeasure = .max, weighting: AttentionWeighting = .plain,
        pool: ThreadPool = .shared
    ) -> AttentionGrid {
        let geometry = geometry(
            0..<length, 0..<length, rows: rows, columns: columns, mostWeights: Self.mostWeights / (layers * heads))
        let (layers, heads, size) = (layers, heads, geometry.rows * geometry.columns)
        var byWindow: [Int?: CellDivisors] = [:]
        for (layer, window) in layout.windows.enumerated() where byWindow[window] == nil {
            byWindow[window] = CellDivisors(geometry, layout, layer: layer, measure)
        }
        let divisors = layout.windows.map { byWindow[$0] }
        let values = [Float](unsafeUninitializedCapacity: layers * heads * size) { all, count in
            count = layers * heads * size
            guard let first = all.baseAddress else { return }
            nonisolated(unsafe) let base = first
            pool.run(chunks: layers * heads) { unit, _ in
                (base + unit * size).initialize(repeating: .nan, count: size)
                let cells = UnsafeMutableBufferPointer(start: base + unit * size, count: size)
                fill(cells, geometry, layer: unit / heads, head: unit % heads, measure, weighting)
                divisors[unit / heads]?.divide(cells)
            }
        }
        let cells = AttentionCells(geometry, [], measure, weighting, isCoarser: false)
        return AttentionGrid(
            layers: layers, heads: heads, rows: geometry.rows, columns: geometry.columns,
            queriesPerCell: geometry.queriesPerCell, keysPerCell: geometry.keysPerCell, values: values,
            note: cells.note)
    }
}
