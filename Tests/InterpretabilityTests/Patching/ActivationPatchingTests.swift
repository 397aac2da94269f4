import Interpretability
import Models
import System
import Tensors
import Testing
import Tokenizers

@Suite("Activation patching")
struct ActivationPatchingTests {
    @Test(
        "gives TransformerLens's scores of the residual stream",
        .enabled(if: TransformerLensGolden.shared != nil, "the goldens are not on this machine"),
        arguments: ["gpt", "attn2"])
    func goldens(name: String) throws {
        let golden = try #require(TransformerLensGolden.shared)
        let expected = try golden.tensor("\(name).patch_resid_pre")
        func scores<Scalar: FloatingAccumulator>(_ type: Scalar.Type) throws -> Tensor<Double> {
            let tokens = try golden.tokens(name)
            let model = try golden.model(name, as: Scalar.self)
            let patching = try ActivationPatching(
                model, clean: tokens[0], corrupt: tokens[1], metric: .logitDifference(correct: 3, wrong: 7))
            let map = try patching.map(.residualPre, .layerByPosition)
            #expect(map.isComplete)
            return try Tensor(map.scores, shape: [map.rows.labels.count, map.columns.labels.count])
        }
        #expect(misfit(try scores(Double.self), expected, within: 1e-9) <= 1)
        #expect(misfit(try scores(Float.self), expected, within: 1e-4) <= 1)
    }

    /// Every site, put together by hand from both runs instead of by positions and heads.
    @Test("does what a run with the whole activation put together by hand does", arguments: ["gpt", "llama"])
    func twin(name: String) throws {
        let prompts = try PatchPrompts(name)
        for direction in PatchPair<Double>.Direction.allCases {
            let patching = try prompts.patching(direction)
            let base = try prompts.model.run(patching.pair.base)
            let source = try prompts.model.run(patching.pair.source)
            for site in PatchSite.allCases {
                for axes in PatchAxes.allCases where site.hasHeads || axes == .layerByPosition {
                    let map = try patching.map(site, axes)
                    #expect(map.isComplete && !map.scores.contains { $0.isNaN })
                    let row = map.rows.labels.count - 1
                    let column = min(3, map.columns.labels.count - 1)
                    let layer = prompts.model.layerCount - 1
                    let hook = site.hook(layer: layer)
                    var whole = try base[hook]
                    let other = try source[hook]
                    let heads = site.hasHeads ? whole.shape[site == .pattern ? 0 : 1] : 1
                    for place in 0..<whole.count {
                        let (first, second) = (
                            place / (whole.shape[1...].reduce(1, *)),
                            site.hasHeads ? place / whole.shape[2] % whole.shape[1] : 0
                        )
                        let (position, head) = site == .pattern ? (second, first) : (first, second)
                        let isChosen =
                            switch axes {
                            case .layerByPosition: position == column
                            case .layerByHead: head == column
                            case .headByPosition: head == heads - 1 && position == column
                            }
                        if isChosen { try whole.withMutableElements { $0[place] = other.elements[place] } }
                    }
                    let value = try patching.pair.value(prompts.model, [Intervention(hook, .replace(whole))])
                    let found = map.values[row * map.columns.labels.count + column]
                    #expect(abs(found - value) < 1e-12, "\(map.title)")
                    let change = try patching.intervention(site, axes, row: row, column: column)
                    let again = try patching.pair.value(prompts.model, [change])
                    #expect(again == found)
                    #expect(abs(map[row, column] - patching.pair.score(value)) < 1e-9)
                }
            }
        }
    }

    @Test("scores 1 if everything that differs is restored, 0 if nothing is")
    func ends() throws {
        let prompts = try PatchPrompts("gpt")
        for direction in PatchPair<Double>.Direction.allCases {
            let map = try prompts.patching(direction).map(.residualPre, .layerByPosition)
            for position in prompts.clean.indices {
                #expect(abs(map[0, position] - (position == 3 ? 1 : 0)) < 1e-9)
            }
        }
    }

    @Test("reports progress, and keeps completed cells when canceled")
    func progress() throws {
        let patching = try PatchPrompts("gpt").patching()
        var told: [PatchProgress] = []
        let map = try patching.map(.z, .layerByHead) {
            told.append($0)
        } isCancelled: {
            told.count == 3
        }
        #expect(told.map(\.done) == [1, 2, 3])
        #expect(told.allSatisfy { $0.total == map.scores.count && map[$0.row, $0.column] == $0.score })
        #expect(!map.isComplete)
        #expect(map.scores.count { !$0.isNaN } == 3)
        #expect(map[0, 3].isNaN)
    }

    @Test("refuses what cannot be patched with a sentence")
    func refusals() throws {
        let prompts = try PatchPrompts("gpt")
        let (model, clean) = (prompts.model, prompts.clean)
        let refusals: [([TokenID], String)] = [
            (
                Array(clean.dropLast()),
                "prompts: the prompts have 7 and 6 tokens. Use prompts of equal length: each activation is patched into the same "
                    + "position."
            ),
            (clean, "prompts: the prompts are identical. Change the subject of one prompt."),
        ]
        for (corrupt, sentence) in refusals {
            let error = #expect(throws: Problem.self) {
                try ActivationPatching(model, clean: clean, corrupt: corrupt, metric: PatchPrompts.metric)
            }
            #expect(error?.sentence == sentence)
        }
        // Position 0 sees nothing of what differs.
        let level = #expect(throws: Problem.self) {
            try prompts.patching(metric: .logit(3, position: 0))
        }
        #expect(level?.what.hasPrefix("both prompts give the same logit of token 3 at position 0") == true)
        let heads = #expect(throws: Problem.self) {
            try prompts.patching().map(.residualMid, .layerByHead)
        }
        #expect(heads?.sentence == "resid_mid: no heads at this site. Patch by layer and position, or patch z by head.")
        #expect(throws: Problem.self) {
            try prompts.patching().intervention(.residualPre, .layerByPosition, row: 9, column: 0)
        }
    }
}
