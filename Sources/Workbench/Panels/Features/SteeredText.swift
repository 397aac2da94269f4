internal import Console
internal import Interpretability

/// The text on which features are inspected, and its changed version.
struct SteeredText: Sendable {
    private(set) var prompt = FeaturePrompt()
    private(set) var reading: SteeringReading?
    /// Whether the cursor is in the changed text.
    private(set) var isInChanged = false
    var untouched = ShadedTokens()
    var changed = ShadedTokens()
    private var untouchedTrack = FeatureTrack()
    private var changedTrack = FeatureTrack()
    /// Whether divergences shade the changed text, not the feature.
    private(set) var isOfDivergence = false
    /// Why a change has no effect; `nil` if it has one, or before the run ends.
    var silence: String?
    private var untouchedRun = 0
    private var changedRun = 0

    init() {}

    var isEmpty: Bool { reading == nil }
    var hasChanged: Bool { reading?.changed != nil }
    var shown: ShadedTokens { isInChanged ? changed : untouched }
    var cursor: Int { shown.cursor }
    /// The side of the reading that the cursor is in.
    var side: SteeringReading.Side? { reading?.side(isInChanged) }
    /// Number of generated tokens of the untouched text.
    var answerCount: Int {
        guard let reading else { return 0 }
        return max(0, reading.untouched.texts.count - reading.untouched.promptCount)
    }

    /// Sets another text and discards the previous reading.
    mutating func set(prompt: FeaturePrompt) {
        let (width, height, isOfDivergence) = (untouched.width, untouched.height, isOfDivergence)
        self = SteeredText()
        self.isOfDivergence = isOfDivergence
        self.prompt = prompt
        untouched.setWidth(width)
        untouched.height = height
    }

    /// - Parameter following: Whether a cursor at the end follows new tokens.
    mutating func show(_ reading: SteeringReading, feature: Int?, following: Bool = true) {
        self.reading = reading
        if reading.changed == nil { silence = nil }
        Self.update(&untouched, &untouchedRun, reading.untouched, following)
        if let side = reading.changed {
            let isNew = changed.texts.isEmpty
            Self.update(&changed, &changedRun, side, following)
            if isNew, !following { changed.moveCursor(to: untouched.cursor) }
        } else {
            (changed, changedRun, isInChanged) = (ShadedTokens(), 0, false)
        }
        shade(feature)
    }

    private static func update(
        _ tokens: inout ShadedTokens, _ run: inout Int, _ side: SteeringReading.Side, _ following: Bool
    ) {
        let follows = following && (tokens.texts.isEmpty || tokens.cursor == tokens.texts.count - 1)
        if run == side.run, tokens.texts.count <= side.texts.count {
            for text in side.texts[tokens.texts.count...] { tokens.append(text) }
        } else {
            tokens.setTokens(side.texts)
        }
        run = side.run
        if follows { tokens.moveToEnd() }
    }

    /// Shades the tokens of both texts by the feature's activation, on one scale, or those of the changed text by
    /// divergence.
    mutating func shade(_ feature: Int?) {
        untouchedTrack.follow(feature, on: reading?.untouched)
        changedTrack.follow(feature, on: reading?.changed)
        untouched.values = untouchedTrack.values
        changed.values = changedTrack.values
        let scale = HeatScale.sequential(max: max(untouchedTrack.greatest, changedTrack.greatest))
        (untouched.scale, changed.scale) = (scale, scale)
        guard isOfDivergence, let reading, reading.changed != nil else { return }
        changed.values = [Float](repeating: .nan, count: reading.from) + reading.divergences
        changed.scale = .sequential(of: reading.divergences)
    }

    mutating func turnShading(_ feature: Int?) {
        isOfDivergence.toggle()
        shade(feature)
    }

    mutating func move(_ change: (inout ShadedTokens) -> Void) {
        if isInChanged { change(&changed) } else { change(&untouched) }
    }

    mutating func turn() { isInChanged = hasChanged && !isInChanged }

    mutating func find(_ needle: String) {
        untouched.find(needle)
        changed.find(needle)
    }

    /// Moves the cursor to the next or previous match.
    ///
    /// - Returns: Whether there is a match.
    mutating func goToMatch(forward: Bool) -> Bool {
        guard let token = shown.match(after: cursor, forward: forward) else { return false }
        move { $0.moveCursor(to: token) }
        return true
    }

    // MARK: Room

    /// Returns whether two texts are side by side: if the width is enough for both; otherwise they are stacked.
    static func isBeside(_ columns: Int) -> Bool { columns >= 70 }

    private static func fit(_ tokens: inout ShadedTokens, _ width: Int, _ height: Int) {
        if tokens.width != width { tokens.setWidth(width) }
        // A new height scrolls to the cursor.
        if tokens.height != height { tokens.height = height }
    }

    mutating func layout(columns: Int, rows: Int) {
        let isBeside = hasChanged && Self.isBeside(columns)
        let isBelow = hasChanged && !isBeside
        let width = max(8, isBeside ? (columns - 3) / 2 : columns)
        let height = isBelow ? max(1, (rows - 1) / 2) : rows
        Self.fit(&untouched, width, height)
        Self.fit(&changed, width, isBelow ? max(1, rows - 1 - height) : rows)
    }
}
