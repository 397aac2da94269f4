import Interpretability
import Models
import Testing
import Tokenizers

/// Cells against a naive reduction of the whole pattern.
struct AttentionAtlasTests {
    private struct Case {
        var queries: Range<Int>
        var keys: Range<Int>
        var rows: Int
        var columns: Int
    }

    /// Cells of a pattern `[heads, T, T]`, pair by pair.
    private func naive(_ pattern: HookActivation, head: Int, like cells: AttentionCells) -> [Float] {
        let length = pattern.shape[1]
        var values: [Float] = []
        for row in 0..<cells.rows {
            for column in 0..<cells.columns {
                var (most, sum, pairs): (Float, Float, Int) = (0, 0, 0)
                for query in cells.queries(ofRow: row) {
                    for key in cells.keys(ofColumn: column) where key <= query {
                        let weight = pattern.values[(head * length + query) * length + key]
                        most = max(most, weight)
                        sum += weight
                        pairs += 1
                    }
                }
                values.append(pairs == 0 ? .nan : cells.measure == .max ? most : sum / Float(pairs))
            }
        }
        return values
    }

    private func read(_ options: RunOptions = RunOptions()) throws -> (InspectedRun, [HookActivation]) {
        let model = try LiveModels.mini()
        let tokens = model.tokens(of: LiveModels.text)
        let run = try model.run(tokens, options)
        try run.read()
        return (run, try LiveModels.patterns(model, tokens))
    }

    @Test("agrees with the whole pattern where weights are kept", arguments: AttentionMeasure.allCases)
    func wholeWeights(measure: AttentionMeasure) throws {
        let (run, patterns) = try read()
        let atlas = run.snapshot.attention
        #expect(atlas.exactFrom == 0 && atlas.length == run.snapshot.tokens.count)
        for size in [1, 3, 7, 1000] {
            let cells = atlas.cells(layer: 2, head: 3, rows: size, columns: size + 1, measure: measure)
            #expect(cells.rows <= size && cells.columns <= size + 1)
            expectSameNumbers(cells.values, naive(patterns[2], head: 3, like: cells), within: 1e-5)
        }
    }

    @Test("agrees with the whole pattern where only cells are kept", arguments: AttentionMeasure.allCases)
    func keptCells(measure: AttentionMeasure) throws {
        let (run, patterns) = try read(RunOptions(exactBudget: 0, queryBudget: 0))
        let atlas = run.snapshot.attention
        let length = atlas.length
        #expect(atlas.exactFrom == length && atlas.cellSide == 4)
        let cases = [
            Case(queries: 0..<length, keys: 0..<length, rows: 5, columns: 9),
            Case(queries: 0..<length, keys: 0..<length, rows: 1, columns: 1),
            Case(queries: 9..<length - 1, keys: 3..<21, rows: 4, columns: 3),
        ]
        for one in cases {
            let cells = atlas.cells(
                layer: 4, head: 1, queries: one.queries, keys: one.keys, rows: one.rows, columns: one.columns,
                measure: measure)
            #expect(cells.rows <= one.rows && cells.columns <= one.columns)
            // Outward to whole cells: nothing of what was asked for is left out.
            #expect(
                cells.queries.lowerBound <= one.queries.lowerBound && one.queries.upperBound <= cells.queries.upperBound
            )
            #expect(cells.keys.upperBound <= length)
            expectSameNumbers(cells.values, naive(patterns[4], head: 1, like: cells), within: 1e-5)
        }
    }

    @Test("says so where finer cells are asked for than are kept, and the run has them")
    func finer() throws {
        let (run, patterns) = try read(RunOptions(exactBudget: 0))
        let cells = run.snapshot.attention.cells(
            layer: 1, head: 0, queries: 8..<24, keys: 0..<16, rows: 16, columns: 16)
        #expect(cells.isCoarser && cells.rows == 4 && cells.note == "1 cell = 4 × 4, max")
        let exact = try run.exactCells(layer: 1, head: 0, queries: 8..<24, keys: 0..<16, rows: 16, columns: 16)
        #expect(exact.isExact && exact.note == "1 cell = 1 weight")
        expectSameNumbers(exact.values, naive(patterns[1], head: 0, like: exact), within: 1e-5)
    }

    @Test(
        "computes rows and columns again, from kept queries or by running the tokens once more",
        arguments: [0, 1 << 26])
    func again(queryBudget: Int) throws {
        let (run, patterns) = try read(RunOptions(exactBudget: 0, queryBudget: queryBudget))
        let length = run.snapshot.readCount
        #expect(run.snapshot.attention.weights(layer: 3, head: 2, query: 20) == nil)
        let row = try run.weights(layer: 3, head: 2, query: 20)
        expectSameNumbers(
            row, patterns[3].values[(2 * length + 20) * length..<(2 * length + 20) * length + 21], within: 1e-5)
        let column = try run.weights(layer: 3, head: 2, key: 5)
        expectSameNumbers(column, (5..<length).map { patterns[3].values[(2 * length + $0) * length + 5] }, within: 1e-5)
    }

    @Test("weighs by the norms of values, and sums to 1 for each query")
    func valueWeighted() throws {
        let (run, patterns) = try read()
        let tokens = run.snapshot.tokens
        let values = try LiveModels.rows(.value(layer: 2), run.model, tokens)
        let (heads, width, length) = (values.shape[1], values.shape[2], tokens.count)
        let kvHead = 4 / (run.snapshot.headCount / heads)
        let norms = (0..<length).map { token in
            values.values[(token * heads + kvHead) * width..<(token * heads + kvHead + 1) * width]
                .reduce(0) { $0 + $1 * $1 }.squareRoot()
        }
        let query = length - 2
        let products = (0...query).map { patterns[2].values[(4 * length + query) * length + $0] * norms[$0] }
        let expected = products.map { $0 / products.reduce(0, +) }
        let atlas = run.snapshot.attention
        expectSameNumbers(
            try #require(atlas.weights(layer: 2, head: 4, query: query, weighting: .values)), expected, within: 1e-5)
        let (cellRun, _) = try read(RunOptions(exactBudget: 0))
        let cells = cellRun.snapshot.attention.cells(
            layer: 2, head: 4, queries: query..<query + 1, keys: 0..<length, rows: 1, columns: 1, measure: .mean,
            weighting: .values)
        let pairs = cells.queries.reduce(0) { $0 + $1 + 1 }
        #expect(abs(cells.values[0] - Float(cells.queries.count) / Float(pairs)) < 1e-5)
    }

    @Test("draws all heads as it draws each")
    func grid() throws {
        let (run, _) = try read(RunOptions(exactBudget: 0))
        let atlas = run.snapshot.attention
        let grid = atlas.grid(rows: 4, columns: 6)
        for (layer, head) in [(0, 0), (3, 5), (5, 1)] {
            let cells = atlas.cells(layer: layer, head: head, rows: 4, columns: 6)
            #expect(cells.rows == grid.rows && cells.columns == grid.columns)
            expectSameNumbers(grid.cells(layer: layer, head: head), cells.values, within: 0)
        }
    }

    @Test("coarsens where its budget is short, and stays true")
    func coarser() throws {
        let (run, patterns) = try read(RunOptions(exactBudget: 0, cellBudget: 40_000))
        let atlas = run.snapshot.attention
        #expect(atlas.cellSide > 4)
        let cells = atlas.cells(layer: 0, head: 5, rows: 100, columns: 100, measure: .mean)
        #expect(cells.isCoarser && cells.queriesPerCell == atlas.cellSide)
        expectSameNumbers(cells.values, naive(patterns[0], head: 5, like: cells), within: 1e-5)
    }

    @Test("counts visible pairs in windows as pair by pair")
    func windows() {
        let layout = AttentionLayout(layers: 2, heads: 1, kvHeads: 1, keyWidth: 4, windows: [nil, 5])
        for layer in 0..<2 {
            for queries in [0..<3, 4..<9, 2..<17] {
                for keys in [0..<1, 3..<8, 0..<17, 12..<14] {
                    let pairs = queries.reduce(0) { sum, query in
                        sum + keys.count { $0 <= query && (layer == 0 || $0 > query - 5) }
                    }
                    #expect(layout.visiblePairs(layer: layer, queries: queries, keys: keys) == pairs)
                }
            }
        }
    }

    @Test("streams head scores as their definitions say")
    func scores() throws {
        let (run, patterns) = try read()
        let (tokens, scores) = (run.snapshot.tokens, run.snapshot.attention.scores)
        let length = tokens.count
        func weight(_ layer: Int, _ head: Int, _ query: Int, _ key: Int) -> Float {
            patterns[layer].values[(head * length + query) * length + key]
        }
        for (layer, head) in [(0, 0), (2, 4), (5, 5)] {
            let previous = (1..<length).reduce(Float(0)) { $0 + weight(layer, head, $1, $1 - 1) } / Float(length - 1)
            #expect(abs(try #require(scores.score(.previousToken, layer: layer, head: head)) - previous) < 1e-5)
            var (sum, count): (Float, Float) = (0, 0)
            for query in 0..<length {
                let before = (0..<query).filter { tokens[$0] == tokens[query] }
                guard !before.isEmpty else { continue }
                count += 1
                sum += before.reduce(0) { $0 + weight(layer, head, query, $1 + 1) }
            }
            #expect(count > 5)
            #expect(abs(try #require(scores.score(.induction, layer: layer, head: head)) - sum / count) < 1e-5)
        }
    }
}
