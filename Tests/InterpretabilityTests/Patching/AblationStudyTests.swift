import Interpretability
import Models
import System
import Tensors
import Testing

@Suite("An ablation study")
struct AblationStudyTests {
    @Test("takes each head and feed-forward away, as its kind says", arguments: ["gpt", "llama"])
    func twins(name: String) throws {
        let prompts = try PatchPrompts(name)
        let model = prompts.model
        let (tokens, other) = (prompts.clean, Array(prompts.corrupt.reversed()))
        let (own, others) = (try model.run(tokens), try model.run(other))
        let kinds: [(AblationStudy<Double>.Kind, (Hook) throws -> Tensor<Double>)] = [
            (.zero, { try own[$0] * 0 }),
            (.resample(other), { try others[$0] }),
            (
                .mean([tokens, other]),
                { hook in
                    let mean = try (own[hook].mean(0) + others[hook].mean(0)) * 0.5
                    return try mean.broadcast(to: own[hook].shape).contiguous()
                }
            ),
        ]
        for (kind, substitute) in kinds {
            let study = try AblationStudy(model, tokens, metric: .loss, kind: kind)
            let map = try study.map()
            #expect(map.isComplete && map.title.hasPrefix(kind.name))
            #expect(map.columns.labels == ["0", "1", "2", "3", "mlp"])
            // Head 2 of block 0, its rows put together by hand.
            var heads = try own[.z(layer: 0)]
            let instead = try substitute(.z(layer: 0)).elements
            let width = heads.shape[2]
            try heads.withMutableElements { memory in
                for place in memory.indices where place / width % 4 == 2 { memory[place] = instead[place] }
            }
            let changes: [(Int, Intervention<Double>)] = [
                (2, Intervention(.z(layer: 0), .replace(heads))),
                (4, Intervention(.feedForwardOut(layer: 0), .replace(try substitute(.feedForwardOut(layer: 0))))),
            ]
            for (column, change) in changes {
                let loss = try model.lossPerToken(tokens, [change]).mean().scalar ?? .nan
                #expect(abs(map.values[column] - loss) < 1e-12, "\(kind.name), column \(column)")
                #expect(abs(map[0, column] - (loss - study.cleanValue)) < 1e-12)
            }
        }
    }

    @Test("refuses another prompt of another length, and a mean over nothing")
    func refusals() throws {
        let prompts = try PatchPrompts("gpt")
        let length = #expect(throws: Problem.self) {
            try AblationStudy(prompts.model, prompts.clean, metric: .loss, kind: .resample([1]))
        }
        #expect(
            length?.sentence
                == "resample prompt: 1 tokens, but the prompt has 7. Use a prompt of equal length: each position is "
                + "replaced by the same position of the other prompt.")
        let mean = #expect(throws: Problem.self) {
            try AblationStudy(prompts.model, prompts.clean, metric: .loss, kind: .mean([]))
        }
        #expect(mean?.sentence == "mean ablation: no prompts to average over. Add at least one prompt.")
    }
}
