import Interpretability
import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("Patching a trained model")
struct RealPromptTests {
    static let folder =
        #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 } + "/sample-data/models/orrery-mini"
    static let isThere = File.bytes(folder + "/config.json") != nil

    @Test(
        "shows that a color comes from its place in the document",
        .enabled(if: isThere, "\(folder) is not on this machine"))
    func color() throws {
        let checkpoint = try Checkpoints.open(Self.folder)
        let tokenizer = try #require(try Checkpoints.tokenizer(Self.folder))
        let model = try RuntimeModel(checkpoint)
        func prompt(_ color: String) -> [TokenID] {
            tokenizer.encode(
                """
                Document: Piradale has a flag that is \(color).
                Question: Which color is the flag of Piradale?
                Thought: Piradale has a flag that is
                """)
        }
        let (clean, corrupt) = (prompt("blue"), prompt("red"))
        let colors = ["blue", "red"].map { tokenizer.encode(" " + $0, addingSpecialTokens: false)[0] }
        let place = try #require(clean.indices.first { clean[$0] != corrupt[$0] })
        let patching = try ActivationPatching(
            model, clean: clean, corrupt: corrupt, metric: .logitDifference(correct: colors[0], wrong: colors[1]))
        // It knows both: each prompt is continued by its own color.
        #expect(patching.pair.cleanValue > 3 && patching.pair.corruptValue < -3)
        // It is in its own place first, and has moved to the last position in the end.
        let residual = [
            (0, place), (model.layerCount - 1, clean.count - 1), (model.layerCount - 1, place),
        ]
        let scores = try residual.map { cell in
            let change = try patching.intervention(.residualPre, .layerByPosition, row: cell.0, column: cell.1)
            return patching.pair.score(try patching.pair.value(model, [change]))
        }
        #expect(abs(scores[0] - 1) < 1e-4)
        #expect(scores[1] > 0.5)
        #expect(abs(scores[2]) < 0.2)
        let heads = try patching.map(.z, .layerByHead)
        #expect(heads.strongest(1)[0].score > 0.2)
        // The other way of running the same weights agrees.
        let best = heads.strongest(1)[0]
        let other = try ActivationPatching(
            HookedTransformer<Float>(checkpoint), clean: clean, corrupt: corrupt, metric: patching.pair.metric)
        let change = try other.intervention(.z, .layerByHead, row: best.row, column: best.column)
        let score = other.pair.score(try other.pair.value(other.model, [change]))
        #expect(abs(score - best.score) < 2e-3)
    }
}
