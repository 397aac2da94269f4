import CommandSupport
import Console
import Formatting
import Interpretability
import JSON
import Models
import Tokenizers

/// Two generations side by side, without and with a change, as text and JSON.
struct SteeringText: JSONRepresentable {
    let untouched: String
    let changed: String
    let pair: PairSnapshot
    /// Features of the first attached dictionary, on the untouched tokens and on the changed tokens.
    private let codes: [SparseCodes]

    /// Creates a comparison by generating both texts.
    ///
    /// - Parameter first: First token at which the change applies, from 0, or negative from the prompt's end.
    /// - Throws: `Problem` if the token is out of range, a change does not fit, or the user canceled.
    init(
        _ model: InspectedModel, prompt: String, options: RunOptions, from first: Int, most: Int,
        _ changes: [LiveIntervention]
    ) throws {
        let untouched = try model.run(model.tokens(of: prompt), options)
        let from = try TextPosition.resolve(first, of: untouched.snapshot.promptCount)
        let cancelling = Cancelling()
        let pair = try cancelling.run {
            try untouched.read(isCancelled: { cancelling.isCancelled })
            let pair = try RunPair(untouched, from: from, with: changes)
            for _ in 0..<most {
                guard try pair.step(isCancelled: { cancelling.isCancelled }) != nil else { break }
            }
            return pair
        }
        func answer(_ run: InspectedRun) -> String {
            let snapshot = run.snapshot
            return model.tokenizer.decode(Array(snapshot.tokens[snapshot.promptCount...]))
        }
        self.untouched = answer(pair.untouched)
        changed = answer(pair.changed)
        self.pair = pair.snapshot
        codes = [pair.untouched, pair.changed].compactMap(\.snapshot.features.first)
    }

    /// Returns the largest activation of a feature in either text, starting at the first changed token.
    func greatest(feature: Int) -> Float {
        var greatest: Float = 0
        for codes in codes {
            for row in min(pair.from, codes.rows)..<codes.rows {
                for (other, value) in codes[row] where Int(other) == feature { greatest = max(greatest, value) }
            }
        }
        return greatest
    }

    var text: String {
        """
        untouched
        \(Printable.text(untouched))

        changed
        \(Printable.text(changed))

        KL \(Format.fixed(Double(pair.meanDivergence), digits: 3)) nats/token
        """
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("untouched", untouched)
            json.member("changed", changed)
            json.member("divergences", pair.divergences.map(Double.init))
            json.member("mean_divergence", Double(pair.meanDivergence))
            json.member("first_difference", ifPresent: pair.firstDifference)
        }
    }
}
