import Interpretability
import Models
import Tensors
import Testing

@Suite("Integrated gradients")
struct IntegratedGradientsTests {
    @Test("sum to the difference from the baseline within 1 % in 50 steps", arguments: ["gpt", "llama"])
    func completeness(name: String) throws {
        let prompts = try PatchPrompts(name)
        let gradients = IntegratedGradients(prompts.model)
        for baseline in [IntegratedGradients<Double>.Baseline.prompt(prompts.corrupt), .mean] {
            let errors = try [5, 50].map { steps in
                try gradients.attributions(
                    prompts.clean, metric: PatchPrompts.metric, baseline: baseline, steps: steps
                ).completenessError
            }
            #expect(errors[1] < 0.01)
            #expect(errors[1] < errors[0])
        }
    }

    @Test("give everything to the one token that differs from the baseline")
    func difference() throws {
        let prompts = try PatchPrompts("gpt")
        let result = try IntegratedGradients(prompts.model).attributions(
            prompts.clean, metric: PatchPrompts.metric, baseline: .prompt(prompts.corrupt))
        for (position, value) in result.attributions.enumerated() { #expect((value == 0) == (position != 3)) }
        #expect(result.attributions.count == prompts.clean.count)
    }
}
