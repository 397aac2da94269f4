import CommandSupport
import Inference
import Interpretability
import LanguageModels
import Models
import System
import Tensors
import Tokenizers

/// A trial of one feature held at one value, compared with no change and a random direction.
struct FeatureTrial {
    struct Answer {
        var text: String
        var divergences: [Float] = []
    }

    let model: InspectedModel
    let hook: Hook
    let dictionary: SparseAutoencoder
    let feature: Int
    let value: Float
    let tokens: Int
    let seed: UInt64

    /// Returns the untouched, steered, and control answers.
    func answers(to text: String, number: Int, isCancelled: () -> Bool) throws -> [Answer] {
        var options = RunOptions()
        options.chain = try ProcessorChain(Sampling(temperature: 0, seed: 0))
        options.keepsAttention = false
        options.scoresPrompt = false
        options.dictionaries = [
            try AttachedDictionary("dictionary", dictionary, hook: hook, for: model),
            try AttachedDictionary("control", try turned(number), hook: hook, for: model),
        ]
        let untouched = try model.run(model.tokens(of: text), options)
        while untouched.snapshot.tokens.count - untouched.snapshot.promptCount < tokens {
            guard try untouched.step(isCancelled: isCancelled) != nil else { break }
        }
        var answers = [Answer(text: answer(of: untouched))]
        for held in 0..<2 {
            let pair = try RunPair(
                untouched, from: 0, with: [.init(.feature(dictionary: held, feature: feature, .set(value)))])
            while pair.changed.snapshot.tokens.count - pair.changed.snapshot.promptCount < tokens {
                guard try pair.step(isCancelled: isCancelled) != nil else { break }
            }
            answers.append(Answer(text: answer(of: pair.changed), divergences: pair.snapshot.divergences))
        }
        return answers
    }

    private func answer(of run: InspectedRun) -> String {
        let snapshot = run.snapshot
        return model.tokenizer.decode(Array(snapshot.tokens[snapshot.promptCount...].prefix(tokens)))
    }

    /// Returns the dictionary with a random direction of equal length instead of the feature's direction.
    private func turned(_ number: Int) throws -> SparseAutoencoder {
        guard (0..<dictionary.featureCount).contains(feature) else {
            throw Problem(
                .unknown, "", "unknown feature \(feature)", remedy: "Use 0 to \(dictionary.featureCount - 1).")
        }
        let width = dictionary.inputWidth
        var decoder = try dictionary.decoder.contiguous().elements
        let row = feature * width..<(feature + 1) * width
        func length(_ values: some Sequence<Float>) -> Float { values.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        let noise = try Tensor<Float>.normal([width], seed: seed &+ UInt64(number)).elements
        let scale = length(decoder[row]) / max(length(noise), .leastNormalMagnitude)
        decoder.replaceSubrange(row, with: noise.map { $0 * scale })
        var turned = dictionary
        turned.decoder = try Tensor(decoder, shape: dictionary.decoder.shape)
        return turned
    }
}
