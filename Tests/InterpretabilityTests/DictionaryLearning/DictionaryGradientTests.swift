import Interpretability
import Kernels
import Tensors
import Testing

@Suite("Gradients of dictionaries")
struct DictionaryGradientTests {
    static let (width, features, rows) = (6, 14, 70)
    static let dead = [1, 4, 5, 9, 12]

    static let kinds: [DictionaryConfiguration.Kind] = [
        .topK(3, auxiliary: 0), .topK(3, auxiliary: 0.5), .reluL1(lambda: 0.3), .batchTopK(3, auxiliary: 0.5),
        .matryoshka(3, prefixes: [4, 9, 14], auxiliary: 0.5), .gated(lambda: 0.3),
        .jumpReLU(sparsity: .weight(0.2), bandwidth: 0.4, threshold: 0.5),
    ]

    /// Of gated dictionaries the encoder's bias is part of gate and magnitude.
    private static func hasEncoderBias(_ kind: DictionaryConfiguration.Kind) -> Bool {
        if case .gated = kind { false } else { true }
    }

    /// A step with random weights, some of its features dead, and its rows.
    private struct Case {
        let step: DictionaryStep
        let naive: NaiveDictionary
        let weights: NaiveDictionary.Weights
        let rows: [[Double]]
        let loss: DictionaryLoss

        init(_ kind: DictionaryConfiguration.Kind, threads: Int = 2) throws {
            var configuration = DictionaryConfiguration(kind, features: features, steps: 10)
            configuration.batchRows = DictionaryGradientTests.rows
            configuration.hasUnitDecoder = false
            configuration.sparsityWarmUpShare = 0
            configuration.auxiliaryCount = 2
            configuration.deadRows = 1000
            let step = try DictionaryStep(configuration, width: width, pool: ThreadPool(threads: threads))
            var random = PhiloxGenerator(seed: 11)
            for parameter in step.parameters where parameter.name != "threshold" {
                let isMatrix = parameter.count > features
                for i in 0..<parameter.count {
                    parameter.values.pointer[i] = Float((isMatrix ? 0.5 : 0.1) * random.normal())
                }
            }
            if !hasEncoderBias(kind) {
                step.weights.encoderBias.values.elements.update(repeating: 0)
            }
            let batch = (0..<DictionaryGradientTests.rows * width).map { _ in Float(random.normal()) }
            for feature in dead { step.silentRows[feature] = 1000 }
            self.step = step
            loss = try batch.withUnsafeBufferPointer { try step.differentiate($0.baseAddress!, step: 5) }
            weights = Dictionary(
                uniqueKeysWithValues: step.parameters.map { ($0.name, $0.values.elements.map { Double($0) }) })
            rows = stride(from: 0, to: batch.count, by: width).map { batch[$0..<$0 + width].map { Double($0) } }
            naive = NaiveDictionary(
                kind: kind, width: width, features: features, dead: dead, auxiliaryCount: 2)
        }

        /// The worst difference of the gradient of one parameter from differences of the naive loss, over its size.
        func worst(_ name: String, _ naive: NaiveDictionary) -> Double {
            guard let parameter = step.parameters.first(where: { $0.name == name }) else { return .infinity }
            let numbers = (0..<parameter.count).map { i in
                let sides = [1e-5, -1e-5].map { change in
                    var moved = weights
                    moved[name]![i] += change
                    return naive.loss(moved, holding: weights, rows)
                }
                return (sides[0] - sides[1]) / 2e-5
            }
            return difference(parameter, numbers)
        }

        func difference(_ parameter: DictionaryParameter, _ expected: [Double]) -> Double {
            let size = expected.map(abs).max() ?? 0
            let worst = zip(parameter.gradient.elements, expected).map { abs(Double($0) - $1) }.max() ?? 0
            return worst / max(size, 1e-3)
        }
    }

    @Test("are those of the loss, for every kind", arguments: kinds)
    func agree(kind: DictionaryConfiguration.Kind) throws {
        let one = try Case(kind)
        for parameter in one.step.parameters where parameter.name != "threshold" {
            if parameter.name == "encoder_bias", !Self.hasEncoderBias(kind) { continue }
            let worst = one.worst(parameter.name, one.naive)
            #expect(worst < 2e-4, "\(kind.name), \(parameter.name): \(worst)")
        }
        var expected = one.naive.loss(one.weights, holding: one.weights, one.rows)
        if case .jumpReLU = kind { expected += one.loss.sparsity }
        #expect(abs(one.loss.total - expected) < 1e-4 * expected)
    }

    @Test("of thresholds are those that JumpReLU defines, for a weight and for a target")
    func thresholds() throws {
        let one = try Case(.jumpReLU(sparsity: .weight(0.2), bandwidth: 0.4, threshold: 0.5))
        let parameter = try #require(one.step.parameters.first { $0.name == "threshold" })
        let expected = one.naive.thresholdGradient(one.weights, one.rows, lambda: 0.2, bandwidth: 0.4)
        #expect(expected.contains { abs($0) > 0.01 })
        #expect(one.difference(parameter, expected) < 2e-4)

        let other = try Case(.jumpReLU(sparsity: .target(2, weight: 0.2), bandwidth: 0.4, threshold: 0.5))
        let slope = 2 * 0.2 * (other.loss.meanActive / 2 - 1) / 2
        let aimed = other.naive.thresholdGradient(other.weights, other.rows, lambda: slope, bandwidth: 0.4)
        let vector = try #require(other.step.parameters.first { $0.name == "threshold" })
        #expect(other.difference(vector, aimed) < 2e-4)
    }

    @Test("would be found wrong where b_dec in the encoder is forgotten", arguments: kinds)
    func plantedFault(kind: DictionaryConfiguration.Kind) throws {
        let one = try Case(kind)
        var faulty = one.naive
        faulty.forgetsEncoderBias = true
        #expect(one.worst("decoder_bias", faulty) > 0.01)
    }

    @Test("have the same bits on one thread and on three", arguments: kinds)
    func threads(kind: DictionaryConfiguration.Kind) throws {
        let (one, three) = (try Case(kind, threads: 1), try Case(kind, threads: 3))
        #expect(one.loss == three.loss)
        for (a, b) in zip(one.step.parameters, three.step.parameters) {
            #expect(Array(a.gradient.elements) == Array(b.gradient.elements), "\(a.name)")
        }
    }

    @Test("lose what is parallel to the rows of a unit decoder")
    func projection() throws {
        var configuration = DictionaryConfiguration(.topK(3), features: Self.features, steps: 10)
        configuration.batchRows = Self.rows
        let step = try DictionaryStep(configuration, width: Self.width, pool: .single)
        let rows = try Tensor<Float>.normal([Self.features + Self.rows, Self.width], seed: 4).elements
        for i in 0..<Self.features * Self.width { step.weights.decoder.values.pointer[i] = rows[i] }
        for feature in 0..<Self.features { step.normalize(step.weights.decoderRow(feature), Self.width) }
        step.weights.encoder.values.pointer.update(
            from: step.weights.decoder.values.pointer, count: Self.features * Self.width)
        _ = try rows.withUnsafeBufferPointer { rows in
            try step.differentiate(rows.baseAddress! + Self.features * Self.width, step: 0)
        }
        for feature in 0..<Self.features {
            let gradient = step.weights.decoder.gradient.pointer + feature * Self.width
            let along = (0..<Self.width).reduce(Float(0)) {
                $0 + gradient[$1] * step.weights.decoderRow(feature)[$1]
            }
            #expect(abs(along) < 1e-5)
        }
        step.update(step: 0)
        for feature in 0..<Self.features { #expect(abs(step.weights.decoderNorm(feature) - 1) < 1e-6) }
    }
}
