import Interpretability
import System
import Tensors
import Testing

@Suite("Features of rows")
struct DictionaryEncodingTests {
    static func dictionary(
        width: Int = 20, features: Int = 301, _ activation: SparseAutoencoder.Activation, seed: UInt64 = 1,
        normalization: SparseAutoencoder.Normalization = .none
    ) throws -> SparseAutoencoder {
        try SparseAutoencoder(
            encoder: .normal([width, features], seed: seed), encoderBias: .normal([features], seed: seed + 1),
            decoder: .normal([features, width], seed: seed + 2), decoderBias: .normal([width], seed: seed + 3),
            activation: activation, normalization: normalization)
    }

    /// Features by the definition, a row and a feature at a time, in double.
    static func naive(_ dictionary: SparseAutoencoder, _ rows: Tensor<Float>) throws -> [[Double]] {
        let (d, f) = (dictionary.inputWidth, dictionary.featureCount)
        let (x, w) = (rows.elements, dictionary.encoder.elements)
        let (bias, center) = (dictionary.encoderBias.elements, dictionary.decoderBias.elements)
        return (0..<rows.shape[0]).map { row in
            let z = (0..<f).map { feature -> Double in
                var sum = Double(bias[feature])
                for i in 0..<d { sum += (Double(x[row * d + i]) - Double(center[i])) * Double(w[i * f + feature]) }
                return sum
            }
            guard case .topK(let k) = dictionary.activation else { return z.map { max(0, $0) } }
            let kept = Set(z.indices.sorted { z[$0] == z[$1] ? $0 < $1 : z[$0] > z[$1] }.prefix(k))
            return z.indices.map { kept.contains($0) ? max(0, z[$0]) : 0 }
        }
    }

    @Test("TopK and ReLU are those of the definition", arguments: [nil, 1, 9, 301])
    func agreesWithTwin(k: Int?) throws {
        let dictionary = try Self.dictionary(k.map { .topK($0) } ?? .relu)
        let rows = try Tensor<Float>.normal([23, 20], seed: 9)
        let dense = try dictionary.encode(rows).dense().elements
        let expected = try Self.naive(dictionary, rows).flatMap(\.self)
        #expect(zip(dense, expected).allSatisfy { abs(Double($0) - $1) < 1e-4 })
        #expect(zip(dense, expected).allSatisfy { ($0 > 0) == ($1 > 0) })
        // A fault is seen: one feature more, and the twin disagrees.
        if let k, k < 301 {
            var other = dictionary
            other.activation = .topK(k + 1)
            #expect(try other.encode(rows).dense().elements != dense)
        }
    }

    @Test("of equal features TopK keeps those of lower index", arguments: [3, 40, 1_000])
    func ties(features: Int) throws {
        let ones = try Tensor<Float>(repeating: 1, shape: [1, features])
        let dictionary = try SparseAutoencoder(
            encoder: ones, encoderBias: Tensor(repeating: 0, shape: [features]), decoder: ones.transposed(),
            decoderBias: Tensor(repeating: 0, shape: [1]), activation: .topK(3))
        let codes = try dictionary.encode(try Tensor([2], shape: [1, 1]))
        #expect(codes.features == [0, 1, 2])
        #expect(codes.values == [2, 2, 2])
    }

    @Test("blocks of rows give what single rows give")
    func blocks() throws {
        // Three blocks and a rest: 2²¹ / 30,000 is 69 rows.
        let dictionary = try Self.dictionary(width: 4, features: 30_000, .topK(12))
        let rows = try Tensor<Float>.normal([150, 4], seed: 3)
        let whole = try dictionary.encode(rows)
        #expect(whole.rows == 150)
        #expect(whole.meanActive == 12)
        for row in [0, 68, 69, 149] {
            #expect(try dictionary.encode(try rows[row..<row + 1]) == whole.rows(row..<row + 1), "row \(row)")
        }
        var joined = whole.rows(0..<60)
        joined.append(whole.rows(60..<150))
        #expect(joined == whole)
    }

    @Test("chosen features are those of the whole encoding")
    func chosen() throws {
        let rows = try Tensor<Float>.normal([11, 20], seed: 5)
        let threshold = try Tensor<Float>.uniform([301], in: 0..<2, seed: 8)
        let gate = try Tensor<Float>.normal([301], seed: 10)
        for activation in [
            .relu, .topK(40), .jumpReLU(threshold: threshold),
            .gated(gateBias: gate, magnitudeScale: gate, magnitudeBias: threshold),
        ] as [SparseAutoencoder.Activation] {
            let dictionary = try Self.dictionary(activation)
            let dense = try dictionary.encode(rows).dense().elements
            let some = try dictionary.encode(rows, only: [300, 7, 7, 150])
            #expect(some.shape == [11, 4])
            let elements = some.elements
            for row in 0..<11 {
                for (column, feature) in [300, 7, 7, 150].enumerated() {
                    #expect(abs(elements[row * 4 + column] - dense[row * 301 + feature]) < 1e-5)
                }
            }
            #expect(try dictionary.encode(rows, only: []).shape == [11, 0])
        }
    }

    @Test("rows of heads are read side by side, and reconstructions keep their shape")
    func shapes() throws {
        let dictionary = try Self.dictionary(.topK(5))
        let heads = try Tensor<Float>.normal([3, 4, 5], seed: 2)
        let flat = try heads.reshaped([3, 20])
        #expect(try dictionary.encode(heads) == (try dictionary.encode(flat)))
        #expect(try dictionary.reconstruct(heads).shape == [3, 4, 5])
        let error = try dictionary.error(of: flat)
        #expect(try (error + dictionary.reconstruct(flat) - flat).elements.allSatisfy { abs($0) < 1e-4 })
    }

    @Test("a scale folded into the weights changes no reconstruction")
    func foldsScale() throws {
        let rows = try Tensor<Float>.normal([9, 20], seed: 5)
        let dictionary = try Self.dictionary(.topK(6), normalization: .scale(0.25))
        let folded = try dictionary.foldingScale()
        #expect(folded.normalization == .none)
        expectNear(try folded.reconstruct(rows), try dictionary.reconstruct(rows), within: 1e-4, "folded")
        expectNear(try folded.featureDirection(4), try dictionary.featureDirection(4), within: 1e-6, "direction")
    }

    @Test("unit decoder rows change no reconstruction, and TopK is refused them")
    func foldsNorms() throws {
        let rows = try Tensor<Float>.normal([9, 20], seed: 5)
        let gate = try Tensor<Float>.normal([301], seed: 10)
        for activation in [
            .relu, try .jumpReLU(all: 0.7, features: 301),
            .gated(gateBias: gate, magnitudeScale: gate, magnitudeBias: gate),
        ] as [SparseAutoencoder.Activation] {
            let dictionary = try Self.dictionary(activation)
            let folded = try dictionary.foldingDecoderNorms()
            #expect(try folded.decoderNorms().allSatisfy { abs($0 - 1) < 1e-5 })
            let (a, b) = (try folded.reconstruct(rows), try dictionary.reconstruct(rows))
            #expect(zip(a.elements, b.elements).allSatisfy { abs($0 - $1) < 2e-3 })
        }
        #expect(throws: Problem.self) { try Self.dictionary(.topK(3)).foldingDecoderNorms() }
    }

    @Test("rows of zeros and equal numbers stay finite under every normalization")
    func degenerate() throws {
        for normalization in [.rowNorm, .layerNorm] as [SparseAutoencoder.Normalization] {
            let dictionary = try Self.dictionary(.relu, normalization: normalization)
            let rows = try Tensor<Float>(rows: [[Float](repeating: 0, count: 20), [Float](repeating: 3, count: 20)])
            #expect(try dictionary.reconstruct(rows).elements.allSatisfy(\.isFinite))
            #expect(throws: Problem.self) { try dictionary.decode(try dictionary.encode(rows)) }
        }
    }

    @Test("no rows give no codes")
    func empty() throws {
        let dictionary = try Self.dictionary(.topK(4))
        let codes = try dictionary.encode(try Tensor(repeating: 0, shape: [0, 20]))
        #expect(codes.rows == 0)
        #expect(try dictionary.decode(codes).shape == [0, 20])
    }

    @Test("mismatched rows are rejected")
    func refusals() throws {
        let dictionary = try Self.dictionary(.topK(4))
        let error = #expect(throws: Problem.self) {
            try dictionary.encode(try Tensor(repeating: 0, shape: [3, 19]))
        }
        #expect(
            error?.sentence == """
                dictionary: expected rows of width 20, found [3, 19]. Use the hook the dictionary was trained on.
                """)
        #expect(throws: Problem.self) { try dictionary.featureDirection(301) }
        #expect(throws: Problem.self) { try Self.dictionary(.topK(302)) }
        #expect(throws: Problem.self) { try Self.dictionary(.jumpReLU(all: 1, features: 300)) }
        let strange = SparseCodes(width: 301, starts: [0, 1], features: [301], values: [1])
        #expect(throws: Problem.self) { try dictionary.decode(strange) }
    }
}
