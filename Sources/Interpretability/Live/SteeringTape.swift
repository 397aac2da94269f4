/// Makes readings of growing runs. A reading costs as much as the tokens since the previous one.
package struct SteeringTape: Sendable {
    private struct Strand: Sendable {
        var number = 0
        var texts: [String] = []

        mutating func side(_ run: InspectedRun) -> SteeringReading.Side {
            let snapshot = run.snapshot
            for token in snapshot.tokens.dropFirst(texts.count) { texts.append(run.model.text(of: token)) }
            var side = SteeringReading.Side()
            side.run = number
            side.texts = texts
            side.promptCount = snapshot.promptCount
            side.readCount = snapshot.readCount
            side.features = snapshot.features.first
            side.tokensPerSecond = snapshot.tokensPerSecond
            side.isOver = snapshot.finish != nil
            return side
        }
    }

    private var untouched = Strand()
    private var changed = Strand()
    private var count = 0

    package init() {}

    /// Starts another text.
    package mutating func startUntouched() {
        count += 1
        untouched = Strand(number: count)
    }

    /// Starts another changed version.
    package mutating func startChanged() {
        count += 1
        changed = Strand(number: count)
    }

    package mutating func reading(_ run: InspectedRun, _ pair: RunPair?) -> SteeringReading {
        guard let pair else { return SteeringReading(untouched: untouched.side(run)) }
        var reading = SteeringReading(untouched: untouched.side(run), changed: changed.side(pair.changed))
        let snapshot = pair.snapshot
        reading.from = snapshot.from
        reading.divergences = snapshot.divergences
        reading.firstDifference = snapshot.firstDifference
        return reading
    }
}
