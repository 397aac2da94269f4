import Console
import Interpretability
import JSON
import Models
import Tokenizers

/// Two texts side by side, for people and for programs: one as it comes, and one with a change.
struct SteeringText: JSONRepresentable {
    let untouched: String
    let changed: String
    let pair: PairSnapshot
    /// What the first attached dictionary said of the untouched tokens, and of those that came with the change.
    private let codes: [SparseCodes]

    /// Lets both texts come.
    ///
    /// - Parameter first: the token from which on the change acts, from 0 or from the prompt's end.
    /// - Throws: a sentence where there is no such token, a change does not fit, or it was cancelled.
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

    /// The greatest activation of a feature from the first changed token on, in either text.
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

        KL \(Format.fixed(Double(pair.meanDivergence), digits: 3)) nats a token
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
