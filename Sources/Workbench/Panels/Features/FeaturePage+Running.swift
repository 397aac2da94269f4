internal import Console
internal import FeatureLab
package import Interpretability

/// The text, read with and without changed features.
extension FeaturePage {
    /// Key of the run.
    private static var runKey: String { "text" }
    /// Number of tokens that the first change generates.
    private static var firstAnswer: Int { 24 }

    func askText() -> Work<Self> {
        .text("Text for the model", verb: "read", text.prompt.text) { page, typed in
            guard !typed.trimmed.isEmpty else { return [] }
            page.text.set(prompt: FeaturePrompt(typed))
            page.screen.focus = .text
            return page.read()
        }
    }

    /// Reads the text. If features are changed, both versions get an answer.
    mutating func read() -> Work<Self> {
        stream(.upTo(changes.isEmpty ? 0 : max(text.answerCount, Self.firstAnswer)), following: text.isEmpty)
    }

    /// Reads a text again after a change, so that both versions are shown together.
    mutating func readAgain() -> Work<Self> { text.isEmpty ? [] : read() }

    /// Reads the text and generates tokens after it.
    mutating func stream(_ length: SteeringLength, following: Bool = true) -> Work<Self> {
        guard let dictionary, !text.prompt.isEmpty else { return [] }
        (isRunning, fault, followsEnd, text.silence) = (true, nil, following, nil)
        return stream(Self.runKey) { [prompt = text.prompt, changes] engine, cancellation, tell in
            try engine.read(prompt, with: dictionary, changes, length, until: cancellation, tell: tell)
        } each: { page, reading in
            page.show(reading)
            return []
        } then: { page, _ in
            page.endRun()
        } failed: { page, sentence in
            (page.isRunning, page.fault) = (false, sentence)
            return []
        }
    }

    mutating func cancel() -> Work<Self> {
        isRunning = false
        return .cancel(Self.runKey)
    }

    package mutating func endRun() -> Work<Self> {
        isRunning = false
        text.noteSilent(changes)
        if case .active = list.query { return .again("rows") }
        return []
    }

    package mutating func show(_ reading: SteeringReading) {
        text.show(reading, feature: card?.feature, following: followsEnd)
        if let place = placeAfterReading {
            text.move { $0.moveCursor(to: place.token(in: reading.untouched.texts)) }
            placeAfterReading = nil
        }
        guard showsActiveFirst, text.cursor < reading.untouched.readCount else { return }
        // The sample's feature is shown at once.
        showsActiveFirst = false
        active.show(text.side, token: text.cursor)
        guard let first = active.rows.first?.feature else { return }
        feature = first
        keepsFeature = list.answered == nil
    }

    /// Opens a recorded generation with its prompt, with the cursor on one of its steps.
    func openAnswer(_ id: Int64, step: Int?) -> Work<Self> {
        let shown = dictionary?.id
        return read("answer") {
            try $0.answer(id, step: step, preferring: shown)
        } then: { page, answer in
            page.text.set(prompt: answer.prompt)
            page.placeAfterReading = answer.place
            if let other = page.dictionaries.first(where: { $0.id == answer.dictionary }) {
                return other.id == page.dictionary?.id ? page.read() : page.show(other)
            }
            return page.read()
        }
    }
}
