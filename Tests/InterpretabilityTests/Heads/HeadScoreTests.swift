import Interpretability
import Models
import System
import Tensors
import Testing
import Tokenizers

@Suite("Scores of heads")
struct HeadScoreTests {
    private func expectGolden<Scalar: FloatingAccumulator>(
        _ name: String, as type: Scalar.Type, within tolerance: Double
    ) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let tokens = try golden.tokens(name)[0]
        let cache = try golden.model(name, as: type).run(tokens)
        let definition = HeadScoreDefinition(.induction, .product)
        // The golden's detection matrix holds one period before, whatever the tokens are; the detector takes every
        // earlier place of a token. With names that do not repeat within the period the two are one.
        let names = tokens.indices.map { TokenID($0 % 8) }
        let scores = try (0..<2).map { layer in
            let pattern = try cache[.pattern(layer: layer)]
            var gathered = HeadScoreAccumulator([definition], headCount: pattern.shape[0], tokens: names)
            try gathered.add(pattern, firstQuery: 0)
            return gathered.values(of: definition)
        }
        let found = try Tensor(rows: scores)
        #expect(misfit(found, try golden.tensor("\(name).induction_mul"), within: tolerance) <= 1)
    }

    @Test(
        "by TransformerLens's detector are TransformerLens's",
        .enabled(if: TransformerLensGolden.shared != nil, "the golden file is not next to the package"),
        arguments: ["gpt", "attn2"])
    func golden(name: String) throws {
        try expectGolden(name, as: Double.self, within: 1e-9)
        try expectGolden(name, as: Float.self, within: 1e-4)
    }

    /// Causal patterns of random attention, `[heads, T, T]`.
    private func patterns<Scalar: FloatingAccumulator>(
        _ heads: Int, _ size: Int, as _: Scalar.Type = Double.self
    ) throws -> Tensor<Scalar> {
        let scores = try Tensor<Scalar>.normal([heads, size, size], deviation: 2, seed: 9)
        let hidden = try Tensor<Scalar>(repeating: -1e9, shape: [size, size]).upperTriangle(1)
        return try softmax(try scores + hidden)
    }

    /// D[q][k], written as the definitions say.
    private func detection(_ target: HeadScoreDefinition.Target, _ tokens: [TokenID]) -> [[Double]] {
        let size = tokens.count
        return (0..<size).map { query in
            (0..<size).map { key in
                let isExpected =
                    switch target {
                    case .previousToken: key == query - 1
                    case .duplicateToken: key < query && tokens[key] == tokens[query]
                    case .induction: key > 0 && key <= query && tokens[key - 1] == tokens[query] && key - 1 < query
                    case .firstToken: key == 0
                    case .currentToken: key == query
                    }
                return isExpected ? 1 : 0
            }
        }
    }

    @Test("are what the definitions say of whole matrices, for any text", arguments: HeadScoreDefinition.allCases)
    func twin(definition: HeadScoreDefinition) throws {
        let tokens: [TokenID] = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 1]
        let (heads, size) = (3, tokens.count)
        let pattern = try patterns(heads, size)
        var cache = ActivationCache<Double>(tokens: tokens)
        cache.activations[.pattern(layer: 0)] = pattern
        let found = try #require(try cache.headScores([definition], layerCount: 1)[definition])[0]
        let expected = detection(definition.target, tokens)
        for head in 0..<heads {
            var (joint, total, distance, queries) = (0.0, 0.0, 0.0, 0)
            for query in 0..<size {
                for key in 0..<size {
                    let weight = try pattern.element(at: [head, query, key])
                    joint += weight * expected[query][key]
                    total += weight
                    distance += abs(weight - expected[query][key])
                }
                if expected[query].contains(1) { queries += 1 }
            }
            switch definition.measure {
            case .mean: #expect(abs(found[head] - joint / Double(queries)) <= 1e-12)
            case .product: #expect(abs(found[head] - joint / total) <= 1e-12)
            case .difference: #expect(abs(found[head] - (1 - distance / Double(size))) <= 0.000_501)
            }
        }
    }

    @Test("are the same from rows that come in pieces, in float32 too", arguments: [1, 3, 7])
    func streamed(rows: Int) throws {
        let prompt = try RepeatedPrompt.random(period: 10, from: 5..<50, beginning: 0, seed: 4)
        let size = prompt.tokens.count
        let pattern = try patterns(4, size, as: Float.self)
        var whole = HeadScoreAccumulator(HeadScoreDefinition.allCases, headCount: 4, tokens: prompt.tokens, prompt)
        var pieces = whole
        try whole.add(pattern, firstQuery: 0)
        var first = 0
        while first < size {
            let last = min(first + rows, size)
            // A part has keys only up to its last query.
            let block = try pattern[.all, first..<last, 0..<last].contiguous()
            if first % 2 == 0 {
                try pieces.add(block, firstQuery: first)
            } else {
                let elements = block.elements
                try elements.withUnsafeBufferPointer {
                    try pieces.add($0, shape: block.shape, firstQuery: first)
                }
            }
            first = last
        }
        #expect(pieces.queryCount == size && whole.queryCount == size)
        for definition in HeadScoreDefinition.allCases {
            for (a, b) in zip(pieces.values(of: definition), whole.values(of: definition)) {
                #expect(abs(a - b) <= 1e-12, "\(definition.name)")
            }
        }
    }

    @Test("give a perfect induction head 1 by the mean, and by the detector the share of its queries")
    func perfect() throws {
        let prompt = try RepeatedPrompt.random(period: 6, from: 0..<1000, beginning: nil, seed: 1)
        var elements = [Float](repeating: 0, count: 12 * 12)
        for query in 0..<12 { elements[query * 12 + (query < 6 ? query : query - 5)] = 1 }
        let definitions = [
            HeadScoreDefinition(.induction), HeadScoreDefinition(.induction, .product),
            HeadScoreDefinition(.duplicateToken), HeadScoreDefinition(.currentToken),
        ]
        var scores = HeadScoreAccumulator(definitions, headCount: 1, tokens: prompt.tokens, prompt)
        try scores.add(try Tensor(elements, shape: [1, 12, 12]), firstQuery: 0)
        #expect(definitions.map { scores.values(of: $0)[0] } == [1, 0.5, 0, 0.5])
    }

    @Test("refuse rows beyond the text, and other numbers of heads")
    func refusals() throws {
        var scores = HeadScoreAccumulator([HeadScoreDefinition(.induction)], headCount: 2, tokens: [1, 2, 3])
        #expect(throws: Problem.self) { try scores.add(Tensor<Float>.zeros(2, 2, 3), firstQuery: 2) }
        let error = #expect(throws: Problem.self) {
            try scores.add(Tensor<Float>.zeros(1, 2, 3), firstQuery: 0)
        }
        #expect(
            error?.what
                == "shape [1, 2, 3] starting at query 0 does not match 2 heads and a text of 3 tokens")
    }

    @Test("have names and sentences of their own")
    func names() {
        let all = HeadScoreDefinition.allCases
        #expect(all.count == 15 && Set(all.map(\.name)).count == 15 && Set(all.map(\.sentence)).count == 15)
        #expect(HeadScoreDefinition(.induction, .product).name == "induction (mul)")
        #expect(HeadScoreDefinition(.induction).sentence.contains("the token after an earlier position of token q"))
    }
}
