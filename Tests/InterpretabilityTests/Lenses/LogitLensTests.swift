import Glibc
import Interpretability
import Models
import System
import Tensors
import Testing

@Suite("Logit lens")
struct LogitLensTests {
    private func expectGolden<Scalar: FloatingAccumulator>(
        _ name: String, as type: Scalar.Type, within tolerance: Double
    ) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let model = try golden.model(name, as: type)
        for (row, tokens) in try golden.tokens(name).enumerated() {
            let stack = try model.run(tokens).accumulatedResidual(layerCount: 2, includingMid: name == "gpt")
            let logits = try LogitLens(model.readout()).logits(of: stack)
            let expected = try golden.tensor("\(name).logit_lens")[.all, row]
            #expect(misfit(logits, expected, within: tolerance) <= 1, "\(name)")
        }
    }

    @Test(
        "has the logits of TransformerLens's stack",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"),
        arguments: ["gpt", "attn2"])
    func golden(name: String) throws {
        try expectGolden(name, as: Double.self, within: 1e-9)
        try expectGolden(name, as: Float.self, within: 1e-4)
    }

    @Test("with the final scale tells layers apart by what they add to the logits", arguments: ["gpt", "llama"])
    func frozen(name: String) throws {
        let model = try TransformerLensGolden.small().model(name)
        let (cache, readout) = (try model.run([1, 5, 2, 9]), try model.readout())
        let points = try cache.accumulatedResidual(layerCount: 2, at: .only(3))
        let logits = try LogitLens(readout, scale: .final).logits(of: points)
        let sum = try cache.attribution(
            of: .token(4), at: 3, by: .components, readout: readout, weights: WritingWeights(layerCount: 2))
        let attention = try #require(sum.terms.first { $0.part == .attention(layer: 1) })
        let added = try logits.element(at: [3, 0, 4]) - logits.element(at: [2, 0, 4])
        #expect(abs(added - attention.value) <= 1e-10)
        #expect(abs(try logits.element(at: [-1, 0, 4]) - sum.logit) <= 1e-10)
    }

    /// A run of random streams, whose vocabulary is read in several pieces.
    private func cache<Scalar: FloatingAccumulator>(
        _: Scalar.Type
    ) throws -> (ActivationCache<Scalar>, Readout<Scalar>) {
        let (count, width, vocabulary) = (130, 12, 20_000)
        var cache = ActivationCache<Scalar>(tokens: (0..<count).map { Int32(($0 * 7919) % vocabulary) })
        for layer in 0..<2 {
            let seed = UInt64(layer)
            cache.activations[.residualPre(layer: layer)] = try .normal([count, width], seed: seed)
        }
        cache.activations[.residualPost(layer: 1)] = try .normal([count, width], seed: 2)
        let readout = Readout<Scalar>(
            norm: .rms(gain: try .uniform([width], in: 0.5..<1.5, seed: 3), epsilon: 1e-6),
            unembedding: try .normal([width, vocabulary], seed: 4), bias: try .normal([vocabulary], seed: 5),
            softcap: 8)
        return (cache, readout)
    }

    private func expectTwin<Scalar: FloatingAccumulator>(_ type: Scalar.Type, within tolerance: Double) throws {
        let (cache, readout) = try cache(type)
        let lens = LogitLens(readout, topCount: 4)
        let positions = PositionSelection.range(0..<130)
        let table = try lens.table(of: cache, layerCount: 2, at: positions)
        #expect(table.points.map(\.label) == ["0_pre", "1_pre", "final_post"])
        for position in [0, 64, 129] {
            let stack = try cache.accumulatedResidual(layerCount: 2, includingMid: false, at: .only(position))
            let shares = try logSoftmax(try lens.logits(of: stack).converted(to: Double.self))
            let final = try shares[-1, 0].elements
            for point in 0..<3 {
                let (cell, row) = (table.cells[point][position], try shares[point, 0].elements)
                let entropy = row.reduce(0) { $0 - exp($1) * $1 }
                let divergence = zip(final, row).reduce(0) { $0 + exp($1.0) * ($1.0 - $1.1) }
                #expect(abs(cell.entropy - entropy) <= tolerance, "entropy at \(point), \(position)")
                #expect(abs(cell.divergence - divergence) <= tolerance, "divergence at \(point), \(position)")
                for token in cell.top { #expect(abs(token.logProbability - row[Int(token.token)]) <= tolerance) }
                let least = try #require(cell.top.last).logProbability
                #expect(cell.top.count == 4 && row.count { $0 > least + tolerance } == 3)
                #expect(cell.top.map(\.logProbability) == cell.top.map(\.logProbability).sorted(by: >))
                guard position + 1 < cache.tokens.count else {
                    #expect(cell.chosen == nil && cell.rank == nil)
                    continue
                }
                let next = Int(cache.tokens[position + 1])
                #expect(Int(try #require(cell.chosen).token) == next)
                #expect(abs(try #require(cell.chosen).logProbability - row[next]) <= tolerance)
                let rank = row.count { $0 > row[next] } + 1
                #expect(abs(try #require(cell.rank) - rank) <= (tolerance < 1e-6 ? 0 : 2))
            }
        }
        #expect(table.cells[2].allSatisfy { $0.divergence <= tolerance })
    }

    @Test("tells top tokens, rank, entropy and KL as a softmax over all logits does, piece by piece")
    func twin() throws {
        try expectTwin(Double.self, within: 1e-9)
        try expectTwin(Float.self, within: 1e-4)
    }

    @Test("sums surprise to perplexity over the positions that have the token")
    func perplexity() throws {
        let (cache, readout) = try cache(Double.self)
        let table = try LogitLens(readout).table(of: cache, layerCount: 2)
        let surprises = table.cells[0].compactMap { $0.chosen?.logProbability }
        #expect(surprises.count == 129)
        let expected = exp(-surprises.reduce(0, +) / 129)
        #expect(abs(try #require(table.perplexity(at: 0)) - expected) <= 1e-9 * expected)
        let silent = try LogitLens(readout).table(of: cache, layerCount: 2, at: .only(3), target: .none)
        #expect(silent.perplexity(at: 0) == nil && silent.cells[0].count == 1)
    }

    @Test("refuses a token that is not in the vocabulary")
    func refusal() throws {
        let (cache, readout) = try cache(Double.self)
        let error = #expect(throws: Problem.self) {
            try LogitLens(readout).table(of: cache, layerCount: 2, target: .token(20_000))
        }
        #expect(error?.what == "not in the model's vocabulary")
    }
}
