import Glibc
import JSON
import Models
import Tensors
import Testing
import Training

/// What torch's autograd says of a tiny model: see Goldens/transformers/gradients.py.
private struct GradientGolden {
    var tokens: [Int32] = []
    var targets: [Int32] = []
    var loss = 0.0
    /// 2-norm, and the product with cos(0.7 i).
    var gradients: [String: (norm: Double, waves: Double)] = [:]
    var whole: [String: [Double]] = [:]

    init(_ name: String) throws {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        let file = try MappedFile("\(folder)/Goldens/transformers/gradients.json")
        let document = try withExtendedLifetime(file) { try JSONDocument(parsing: file.bytes) }
        try document.withRoot { root in
            let family = try #require(root.member(named: name))
            tokens = family["tokens"]?.elements.compactMap { $0.int.map(Int32.init) } ?? []
            targets = family["targets"]?.elements.compactMap { $0.int.map(Int32.init) } ?? []
            loss = family["loss"]?.double ?? .nan
            for (key, value) in try #require(family["gradients"]).members {
                let pair = value.elements.compactMap(\.double)
                gradients[key.string ?? ""] = (pair[0], pair[1])
            }
            for (key, value) in try #require(family["whole"]).members {
                whole[key.string ?? ""] = value.elements.compactMap(\.double)
            }
        }
    }
}

@Suite("Gradients of transformers")
struct GradientTests {
    /// transformers computes norms and angles in float32 whatever the model is in, so that float64 agrees to 1e-5 only.
    @Test(
        "are those of torch's autograd, in float64 to 1e-5 and in float32 to 1e-4",
        arguments: FamilyGolden.decoders + ["bert"])
    func torch(name: String) throws {
        try compare(TrainableTransformer<Double>(FamilyGolden(name).checkpoint), name, within: 1e-5)
        try compare(TrainableTransformer<Float>(FamilyGolden(name).checkpoint), name, within: 1e-4)
    }

    @Test("are the same bits where blocks are computed again on the way back", arguments: ["llama", "gpt2", "mixtral"])
    func recomputed(name: String) throws {
        func gradients(recomputing: Bool) throws -> [Tensor<Float>] {
            let golden = try GradientGolden(name)
            let model = try TrainableTransformer<Float>(FamilyGolden(name).checkpoint)
            model.recomputesBlocks = recomputing
            model.dropout = 0.2
            let loss = try model.loss(
                Tensor(golden.tokens, shape: [2, 11]), targets: Tensor(golden.targets, shape: [2, 11]),
                Pass(isTraining: true, seed: 3, step: 4))
            try loss.backward()
            return model.parameters.compactMap(\.gradient)
        }
        let (kept, again) = (try gradients(recomputing: false), try gradients(recomputing: true))
        #expect(kept.count == again.count && !kept.isEmpty)
        for (a, b) in zip(kept, again) { #expect(a == b) }
    }

    private func compare<Scalar>(
        _ model: TrainableTransformer<Scalar>, _ name: String, within tolerance: Double
    ) throws {
        let golden = try GradientGolden(name)
        let tokens = try Tensor(golden.tokens, shape: [2, 11])
        let pass = Pass(isTraining: true, seed: 1, step: 0)
        let loss: Variable<Scalar>
        if name == "bert" {
            let rows = try model.hidden(tokens, pass)
            let waves = try Tensor(Self.waves(rows.count), shape: rows.shape).converted(to: Scalar.self)
            loss = try (rows * Variable(waves)).sum()
        } else {
            loss = try model.loss(tokens, targets: Tensor(golden.targets, shape: [2, 11]), pass)
        }
        #expect(abs(loss.scalar!.float64 - golden.loss) < tolerance * max(1, abs(golden.loss)))
        try loss.backward()
        let names = HuggingFaceWeights(model.configuration)
        var compared = 0
        for parameter in model.parameters {
            var key = try #require(names.name(parameter.name))
            if golden.gradients[key] == nil, key.hasPrefix("model.") { key = String(key.dropFirst("model.".count)) }
            guard let gradient = parameter.gradient else {
                // An expert that nothing came to.
                #expect(golden.gradients[key].map { $0.norm == 0 } ?? true, "\(parameter.name) has no gradient")
                continue
            }
            let expected = try #require(golden.gradients[key], "\(key)")
            let elements = gradient.elements.map(\.float64)
            let norm = elements.reduce(0) { $0 + $1 * $1 }.squareRoot()
            let waves = zip(elements, Self.waves(elements.count)).reduce(0) { $0 + $1.0 * $1.1 }
            // A key's bias shifts all scores of a query alike: its gradient is rounding alone.
            let scale = parameter.name.hasSuffix("attn_k.bias") ? max(expected.norm, 1) : expected.norm
            #expect(abs(norm - expected.norm) < tolerance * scale, "\(parameter.name): \(norm), \(expected.norm)")
            #expect(
                abs(waves - expected.waves) < 4 * tolerance * scale, "\(parameter.name): \(waves), \(expected.waves)")
            if let whole = golden.whole[key] {
                let largest = whole.reduce(0) { max($0, abs($1)) }
                let worst = zip(elements, whole).reduce(0) { max($0, abs($1.0 - $1.1)) }
                #expect(worst < tolerance * largest)
            }
            compared += 1
        }
        #expect(compared >= golden.gradients.count - 2)
    }

    private static func waves(_ count: Int) -> [Double] { (0..<count).map { cos(0.7 * Double($0)) } }
}
