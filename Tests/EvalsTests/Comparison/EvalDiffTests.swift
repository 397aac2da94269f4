import EvalLogs
import Evals
import Hashing
import Statistics
import Testing

/// Changes between two runs.
struct EvalDiffTests {
    @Test("regressions, fixes, and the difference match a direct computation", arguments: 0..<5 as Range<UInt64>)
    func flipsAreThoseOfANaiveJoin(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        func rows() -> [EvalRow] {
            var rows = (0..<400).filter { _ in random.next(below: 10) > 0 }.map { number in
                let draw = random.nextUnit()
                let value = draw < 0.1 ? Double.nan : draw < 0.5 ? 0 : 1
                return (number, value)
            }
            rows.shuffle(using: &random)
            return rows.enumerated().map { MadeRuns.row($0.offset, "id\($0.element.0)", [$0.element.1]) }
        }
        let (rowsA, rowsB) = (rows(), rows())
        let diff = try EvalDiff(EvalJoin(MadeRuns.run("A"), rowsA, MadeRuns.run("B"), rowsB), measure: nil)
        var naive: [String: EvalChange] = [:]
        var (onlyA, onlyB) = (0, 0)
        for a in rowsA {
            let matches = rowsB.filter { $0.id == a.id && $0.epoch == a.epoch }
            guard let b = matches.first else {
                onlyA += 1
                continue
            }
            let (x, y) = (a.scores[0], b.scores[0])
            naive[a.id] =
                x.isNaN
                ? .unscored : y.isNaN ? .lost : x == 1 ? (y == 1 ? .bothPass : .broken) : y == 1 ? .fixed : .bothFail
        }
        for b in rowsB where !rowsA.contains(where: { $0.id == b.id }) { onlyB += 1 }
        #expect(Dictionary(uniqueKeysWithValues: diff.pairs.map { ($0.id, $0.change) }) == naive)
        #expect(diff.onlyA == onlyA && diff.onlyB == onlyB && onlyA > 0 && onlyB > 0)
        let flips = try #require(diff.total?.flips)
        #expect(flips.broken == naive.values.count { $0 == .broken })
        #expect(flips.fixed == naive.values.count { $0 == .fixed })
        #expect(flips.bothPass == naive.values.count { $0 == .bothPass })
        #expect(flips.bothFail == naive.values.count { $0 == .bothFail })
        for pair in diff.pairs {
            #expect(rowsA[pair.rowA].id == pair.id && rowsB[pair.rowB].id == pair.id)
        }
    }

    @Test("regressions are sorted by size, largest first") func regressionOrder() throws {
        let kind = EvalScoreKind("f1", passesAt: 0.5)
        let a = [0.9, 0.6, 0.2, 0.8, 0.3, 0.4, 0.9, 0.4]
        let b = [0.9, 0.4, 0.9, 0.1, 0.3, 0.2, 0.75, 0.45]
        let runs = (MadeRuns.run("A", scores: [kind]), MadeRuns.run("B", scores: [kind]))
        let diff = try EvalDiff(EvalJoin(runs.0, MadeRuns.rows(a), runs.1, MadeRuns.rows(b)), measure: nil)
        #expect(diff.pairs.map(\.id) == ["s3", "s1", "s5", "s6", "s2", "s7", "s4", "s0"])
        #expect(diff.nextRegression(after: -1) == 0)
        #expect(diff.nextRegression(after: 2) == 3)
        #expect(diff.nextRegression(after: 3) == nil)
        #expect(diff.nextRegression(after: .max - 1) == nil)
    }

    @Test("epochs are reduced before anything else") func epochs() throws {
        func rows(_ values: [[Double]]) -> [EvalRow] {
            var index = 0
            return values.enumerated().flatMap { sample, epochs in
                epochs.enumerated().map { epoch, value in
                    index += 1
                    return MadeRuns.row(index - 1, "s\(sample)", epoch: epoch + 1, [value])
                }
            }
        }
        let a = rows([[1, 1, 1], [1, 0, 0], [0, 0, 1], [.nan, 1, 1]])
        let b = rows([[0, 1, 0], [1, 1, 0], [0, 1], [1, 1, 1]])
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(join.unevenEpochs == 1)
        let diff = try EvalDiff(join, measure: nil)
        let total = try #require(diff.total)
        #expect(total.samples == 4)
        let gains = [1.0 / 3 - 1, 2.0 / 3 - 1.0 / 3, 0.5 - 1.0 / 3, 0]
        #expect(abs(total.difference - gains.reduce(0, +) / 4) < 1e-12)
        #expect(abs((total.standardError ?? 0) - (MeanEstimate(of: gains)?.standardError ?? -1)) < 1e-12)
        let broken = try #require(diff.pairs.first)
        #expect(broken.id == "s0" && broken.change == .broken)
        // Epochs to show: one of A that passed, one of B that failed.
        #expect(a[broken.rowA].scores[0] == 1 && b[broken.rowB].scores[0] == 0)
    }

    @Test("a duplicate row counts once") func duplicateRow() throws {
        let a = [MadeRuns.row(0, "x", [1]), MadeRuns.row(1, "x", [0]), MadeRuns.row(2, "y", [1])]
        let b = [
            MadeRuns.row(0, "y", [1]), MadeRuns.row(1, "x", [1]), MadeRuns.row(2, "z", [1]), MadeRuns.row(3, "z", [1]),
        ]
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(join.repeated == 2)
        #expect(join.onlyB == [2])
        #expect(try EvalDiff(join, measure: nil).total?.flips == EvalFlips(bothPass: 2))
    }

    @Test("clusters widen the interval") func clusters() throws {
        var random = SplitMix64(seed: 3)
        var (a, b, clusters): ([Double], [Double], [String?]) = ([], [], [])
        for cluster in 0..<40 {
            // All samples of a cluster change together.
            let turn = random.next(below: 3)
            for _ in 0..<10 {
                a.append(turn == 0 ? 0 : 1)
                b.append(turn == 1 ? 0 : 1)
                clusters.append("doc\(cluster)")
            }
        }
        let alone = try #require(try EvalDiff(MadeRuns.join(a, b), measure: nil).total)
        let diff = try EvalDiff(MadeRuns.join(a, b, clusters: clusters), measure: nil)
        let total = try #require(diff.total)
        #expect(total.clusters == 40 && total.degrees == 39)
        #expect((total.standardError ?? 0) > 3 * (alone.standardError ?? .infinity))
        let expected = MeanEstimate(of: zip(a, b).map { $1 - $0 }, clusters: clusterNumbers(clusters))
        #expect(total.standardError == expected?.standardError)
        // With one cluster, chance cannot be assessed.
        let one = try EvalDiff(MadeRuns.join([1, 1, 0], [0, 1, 0], clusters: ["d", "d", "d"]), measure: nil)
        #expect(one.total?.interval == nil)
        #expect(
            one.sentence
                == "B is 33.3 points worse in exact, but all samples are in one cluster, so chance cannot be assessed")
    }

    @Test("slices are corrected for multiple comparisons") func slices() throws {
        let (run, other) = (
            MadeRuns.run("A", slices: ["language", "id"]), MadeRuns.run("B", slices: ["id", "language"])
        )
        let values = (0..<300).map { number -> (Double, Double, String) in
            let language = ["de", "en", "fr"][number % 3]
            return (1, language == "fr" && number % 2 == 0 ? 0 : 1, language)
        }
        let a = values.enumerated().map { MadeRuns.row($0, "s\($0)", [$1.0], slices: [$1.2, "\($0)"]) }
        let b = values.enumerated().map { MadeRuns.row($0, "s\($0)", [$1.1], slices: ["\($0)", $1.2]) }
        let diff = try EvalDiff(EvalJoin(run, a, other, b), measure: nil)
        #expect(diff.slices.map(\.value) == ["de", "en", "fr"])
        let french = try #require(diff.slices.last).estimate
        #expect(french.flips == EvalFlips(broken: 50, bothPass: 50))
        let adjusted = Multiplicity.holm(diff.slices.compactMap(\.estimate.p))
        #expect(diff.slices.map(\.estimate.adjusted?.p) == adjusted)
        #expect((french.adjusted?.p ?? 1) > (french.p ?? 1))
        // The interval is widened by the correction, so that it agrees with the corrected p value.
        let (wide, narrow) = (try #require(french.adjusted?.interval), try #require(french.interval))
        #expect(wide.lower < narrow.lower && wide.upper > narrow.upper && wide.level == 0.95)
    }

    @Test("a score for which lower is better is compared in that direction") func lowerIsBetter() throws {
        let kind = EvalScoreKind("errors", higherIsBetter: false, passesAt: 0)
        let runs = (MadeRuns.run("A", scores: [kind]), MadeRuns.run("B", scores: [kind]))
        let join = EvalJoin(runs.0, MadeRuns.rows([0, 0, 3, 2, 0]), runs.1, MadeRuns.rows([2, 0, 0, 2, 4]))
        let diff = try EvalDiff(join, measure: "errors")
        #expect(diff.pairs.map(\.id) == ["s4", "s0", "s2", "s3", "s1"])
        #expect(diff.sentence.hasPrefix("B is 0.600 worse"))
    }
}
