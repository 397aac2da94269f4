import Interpretability
import System
import Tensors
import Testing

@Suite("Directions of features")
struct DictionaryDirectionTests {
    @Test("neighbors are those of all cosines")
    func neighbors() throws {
        let dictionary = try DictionaryEncodingTests.dictionary(.relu)
        let rows = dictionary.decoder.elements.map(Double.init)
        func cosine(_ a: Int, _ b: Int) -> Double {
            let dot = { (a: Int, b: Int) in (0..<20).reduce(0) { $0 + rows[a * 20 + $1] * rows[b * 20 + $1] } }
            return dot(a, b) / (dot(a, a) * dot(b, b)).squareRoot()
        }
        let found = try SparseAutoencoder.neighbors(in: dictionary.decoder, of: [0, 17, 300], count: 4)
        for (feature, neighbors) in zip([0, 17, 300], found) {
            let expected = (0..<301).filter { $0 != feature }.sorted { cosine(feature, $0) > cosine(feature, $1) }
            #expect(neighbors.map(\.feature) == Array(expected.prefix(4)))
            for neighbor in neighbors {
                #expect(abs(Double(neighbor.cosine) - cosine(feature, neighbor.feature)) < 1e-5)
            }
        }
        let all = try SparseAutoencoder.neighbors(in: dictionary.decoder, count: 4)
        #expect(all.count == 301)
        #expect([all[0], all[17], all[300]] == found)
        #expect(throws: Problem.cancelled()) {
            try SparseAutoencoder.neighbors(in: dictionary.decoder) { true }
        }
        #expect(throws: Problem.self) {
            try SparseAutoencoder.neighbors(in: dictionary.decoder, of: [301])
        }
    }

    @Test("effects on logits are the decoder row through norm's gain and W_U, minus the mean")
    func logitEffects() throws {
        let dictionary = try DictionaryEncodingTests.dictionary(.relu)
        let unembedding = try Tensor<Float>.normal([20, 50], seed: 40)
        let gain = try Tensor<Float>.uniform([20], in: 0.5..<1.5, seed: 41)
        let zeros = try Tensor<Float>(repeating: 0, shape: [20])
        for norm in [
            .none, .rms(gain: gain, epsilon: 1e-5), .layer(gain: gain, bias: zeros, epsilon: 1e-5),
        ] as [Readout<Float>.Norm] {
            let readout = Readout(norm: norm, unembedding: unembedding)
            var row = (0..<20).map { Double(dictionary.decoder.elements[13 * 20 + $0]) }
            if case .layer = norm {
                let mean = row.reduce(0, +) / 20
                row = row.map { $0 - mean }
            }
            if case .none = norm {} else { row = zip(row, gain.elements).map { $0 * Double($1) } }
            var logits = (0..<50).map { token in
                (0..<20).reduce(0) { $0 + row[$1] * Double(unembedding.elements[$1 * 50 + token]) }
            }
            let mean = logits.reduce(0, +) / 50
            logits = logits.map { $0 - mean }
            let effect = try dictionary.logitEffect(of: 13, readout).elements
            #expect(zip(effect, logits).allSatisfy { abs(Double($0) - $1) < 1e-4 })
            let order = logits.indices.sorted { logits[$0] > logits[$1] }
            let tables = try dictionary.logitEffects(of: [4, 13], readout, count: 6)
            #expect(tables.map(\.feature) == [4, 13])
            #expect(tables[1].top.map { Int($0.token) } == Array(order.prefix(6)))
            #expect(tables[1].bottom.map { Int($0.token) } == Array(order.reversed().prefix(6)))
            #expect(tables[1].bottom.allSatisfy { abs(Double($0.value) - logits[Int($0.token)]) < 1e-4 })
        }
    }

    @Test("a dictionary of a different width is rejected for logit effects")
    func otherWidth() throws {
        let readout = Readout<Float>(norm: .none, unembedding: try .normal([8, 50], seed: 1))
        #expect(throws: Problem.self) {
            try DictionaryEncodingTests.dictionary(.relu).logitEffect(of: 0, readout)
        }
    }
}
