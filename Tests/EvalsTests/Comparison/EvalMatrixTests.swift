import EvalLogs
import Evals
import Statistics
import Testing

/// Comparisons of several runs.
struct EvalMatrixTests {
    @Test("each run is compared with each other run") func pairs() throws {
        let values = [
            (0..<200).map { $0 % 4 == 0 ? 0.0 : 1.0 }, (0..<200).map { $0 % 3 == 0 ? 0.0 : 1.0 },
            (0..<200).map { $0 % 10 == 0 ? 0.0 : 1.0 },
        ]
        let entries = values.enumerated().map { EvalMatrix.Entry(MadeRuns.run("r\($0)"), MadeRuns.rows($1)) }
        let matrix = EvalMatrix(entries)
        #expect(matrix.means.map { $0?.mean } == values.map { $0.reduce(0, +) / 200 })
        var raw: [Double] = []
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let alone = try #require(try EvalDiff(MadeRuns.join(values[a], values[b]), measure: nil).total)
            let cell = try #require(matrix.cells[a][b])
            #expect(cell.difference == alone.difference && cell.p == alone.p)
            let back = try #require(matrix.cells[b][a])
            #expect(back.difference == -cell.difference && back.interval?.lower == -(cell.interval?.upper ?? 0))
            #expect(back.flips.fixed == cell.flips.broken && back.adjusted?.p == cell.adjusted?.p)
            raw.append(alone.p ?? 1)
        }
        // A row of the table is its run minus the others: the first is correct in 75 %, the second in 66.5 %.
        #expect(abs((matrix.differences(of: 0)[1]?.difference ?? 0) - 0.085) < 1e-12)
        #expect(abs((matrix.differences(of: 1)[0]?.difference ?? 0) + 0.085) < 1e-12)
        #expect(matrix.differences(of: 1)[1] == nil)
        let adjusted = Multiplicity.holm(raw)
        #expect([matrix.cells[0][1], matrix.cells[0][2], matrix.cells[1][2]].map { $0?.adjusted?.p } == adjusted)
        #expect(matrix.cells[1][1] == nil)
        let loose = EvalMatrix(entries, adjustment: .benjaminiHochberg)
        #expect(loose.cells[1][2]?.adjusted?.p == Multiplicity.benjaminiHochberg(raw)[2])
    }

    @Test("runs without a common score have no cell") func nothingInCommon() {
        let other = MadeRuns.run("other", scores: [EvalScoreKind("bleu")])
        let matrix = EvalMatrix([
            EvalMatrix.Entry(MadeRuns.run("a"), MadeRuns.rows([1, 0])), EvalMatrix.Entry(other, MadeRuns.rows([1, 0])),
            EvalMatrix.Entry(MadeRuns.run("empty"), []),
        ])
        #expect(matrix.cells.joined().allSatisfy { $0 == nil })
        #expect(matrix.means[2] == nil)
    }
}
