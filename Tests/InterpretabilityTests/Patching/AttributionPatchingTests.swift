import Interpretability
import Models
import Tensors
import Testing

@Suite("Attribution patching")
struct AttributionPatchingTests {
    @Test(
        "gives TransformerLens's estimates of the residual stream",
        .enabled(if: TransformerLensGolden.shared != nil, "the goldens are not on this machine"),
        arguments: ["gpt", "attn2"])
    func goldens(name: String) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let expected = try golden.tensor("\(name).attrib_patch_resid_pre")
        func scores<Scalar: FloatingAccumulator>(_ type: Scalar.Type) throws -> Tensor<Double> {
            let tokens = try golden.tokens(name)
            let model = try golden.model(name, as: Scalar.self)
            let patching = try AttributionPatching(
                model, clean: tokens[0], corrupt: tokens[1], metric: .logitDifference(correct: 3, wrong: 7))
            let map = try patching.map(.residualPre, .layerByPosition)
            return try Tensor(map.scores, shape: [map.rows.labels.count, map.columns.labels.count])
        }
        #expect(misfit(try scores(Double.self), expected, within: 1e-9) <= 1)
        #expect(misfit(try scores(Float.self), expected, within: 1e-4) <= 1)
    }

    @Test("is the slope that a small part of each patch shows, at every site", arguments: ["gpt", "llama"])
    func slopes(name: String) throws {
        let prompts = try PatchPrompts(name)
        let model = prompts.model
        let patching = try AttributionPatching(
            model, clean: prompts.clean, corrupt: prompts.corrupt, metric: .logProbability(3))
        let wanted = PatchSite.allCases.flatMap { site in
            PatchAxes.allCases.filter { site.hasHeads || $0 == .layerByPosition }.map { (site: site, axes: $0) }
        }
        let maps = try patching.maps(wanted)
        let (base, source) = (try model.run(prompts.corrupt), try model.run(prompts.clean))
        let exact = try prompts.patching(metric: .logProbability(3))
        for ((site, axes), map) in zip(wanted, maps) {
            #expect(map.isComplete && map.scores.allSatisfy { $0.isFinite })
            let row = map.rows.labels.count - 1
            let column = min(3, map.columns.labels.count - 1)
            var change = try exact.intervention(site, axes, row: row, column: column)
            let (from, to) = (try base[change.hook], try source[change.hook])
            let values = try [1e-4, -1e-4].map { step in
                change.change = .replace(try from + (to - from) * step)
                return try patching.pair.value(model, [change])
            }
            let slope = (values[0] - values[1]) / 2e-4
            let estimate = map.values[row * map.columns.labels.count + column] - patching.pair.baseValue
            #expect(abs(slope - estimate) <= 1e-6 * (1 + abs(estimate)), "\(map.title)")
        }
    }
}
