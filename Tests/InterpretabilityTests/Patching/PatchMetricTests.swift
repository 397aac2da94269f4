import Glibc
import Interpretability
import System
import Tensors
import Testing

@Suite("A patching metric")
struct PatchMetricTests {
    static let metrics: [PatchMetric] = [
        .logitDifference(correct: 3, wrong: 7), .logit(4, position: 0), .probability(2, position: -2),
        .logProbability(5, position: 3), .divergenceFromClean(position: -1), .loss,
    ]

    private func logits(_ seed: UInt64) throws -> Tensor<Double> { try .normal([5, 9], deviation: 2, seed: seed) }

    @Test("is what its name says")
    func values() throws {
        let logits = try Tensor<Double>(rows: [[0, 0, 0], [log(1), log(2), log(5)]])
        let reference = PatchReference(tokens: [0, 1], logits: try Tensor(repeating: 0.0, shape: [2, 3]))
        let values: [(PatchMetric, Double)] = [
            (.logitDifference(correct: 2, wrong: 1), log(5) - log(2)), (.logit(1), log(2)),
            (.probability(2), 5.0 / 8), (.logProbability(1, position: 1), log(0.25)),
            (.divergenceFromClean(), -log(3) - (log(1.0 / 8) + log(2.0 / 8) + log(5.0 / 8)) / 3), (.loss, log(3)),
        ]
        for (metric, value) in values {
            let found = try metric.value(of: logits, reference: reference)
            #expect(abs(found - value) < 1e-12, "\(metric.sentence)")
        }
    }

    @Test("has the gradient that small changes of the logits show", arguments: metrics)
    func gradient(metric: PatchMetric) throws {
        let reference = PatchReference(tokens: [1, 8, 0, 3, 3], logits: try logits(1))
        let logits = try logits(2)
        let gradient = try metric.gradient(at: logits, reference: reference)
        #expect(gradient.shape == logits.shape)
        for place in 0..<logits.count {
            let index = [place / 9, place % 9]
            let values = try [1e-5, -1e-5].map { step in
                var moved = logits
                try moved.set(try logits.element(at: index) + step, at: index)
                return try metric.value(of: moved, reference: reference)
            }
            let slope = try gradient.element(at: index)
            #expect(abs((values[0] - values[1]) / 2e-5 - slope) < 1e-8)
        }
    }

    @Test("names a token or a position that there is not")
    func refusals() throws {
        let reference = PatchReference(tokens: [0, 1, 2, 3, 4], logits: try logits(1))
        let refusals: [(PatchMetric, String)] = [
            (
                .logit(9),
                "token 9: not in the vocabulary of 9 tokens. Compare the logits of tokens from 0 to 8."
            ),
            (
                .logit(1, position: 5),
                "position 5: outside the prompt of 5 tokens. Use a position from 0 to 4, or -1 for the last."
            ),
        ]
        for (metric, sentence) in refusals {
            let error = #expect(throws: Problem.self) {
                try metric.value(of: reference.logits, reference: reference)
            }
            #expect(error?.sentence == sentence)
        }
    }

    @Test("says in words what it measures")
    func sentences() {
        #expect(
            PatchMetric.logitDifference(correct: 1, wrong: 2).sentence { $0 == 1 ? "blue" : "red" }
                == "logit of blue minus logit of red at the last position")
        #expect(PatchMetric.probability(7, position: 4).sentence == "probability of token 7 at position 4")
        #expect(PatchMetric.logit(7, position: -3).sentence == "logit of token 7 at position 3 from the end")
    }
}
