internal import Console
internal import FeatureLab

/// Sparse autoencoders: what each feature fires on and makes the model say, which are active on a text, and what the text
/// becomes when one is changed; on a second page, which activation carries an answer.
package struct FeaturePanel: Panel {
    package static let identifier = "features"
    package static let title = "Features"
    package static let opens: Set<Reference.Kind> = [.feature, .generation, .token]
    package static let homeOf: Set<Reference.Kind> = [.feature]

    /// The panes of the first page, in the order of Tab.
    package enum Pane: String, CaseIterable, Sendable {
        case list, card, text, active
    }

    let engine: FeatureEngine
    var area = Rect(Size(0, 0))
    var pane = Pane.list
    var isZoomed = false
    /// The second page has the area.
    var showsCircuits = false
    var circuits: CircuitPage

    var dictionaries: [FeatureDictionary] = []
    /// Names of dictionaries that come with the program and are not in the workspace.
    var offered: [String] = []
    /// The one whose features are listed.
    var dictionary: FeatureDictionary?
    var list = FeatureList()
    /// The feature that the other panes are about.
    var card: FeatureCard?
    /// The workspace has changed since it was asked for.
    var isCardStale = false
    var cardView = FeatureCardView()
    var text = SteeredText()
    var active = ActiveFeatures()
    /// What the person has done to features: it holds from the next run or token on.
    var changes = FeatureChanges()
    /// Opened once the list of dictionaries is there.
    var wanted: Wanted?
    /// Whether no text was ever read here, so a sample text is proposed.
    var proposesText = false
    /// Whether to show the strongest feature under the cursor once the text is read.
    var showsActiveFirst = false
    /// Where the cursor goes once the text is read.
    var placeAfterReading: FeaturePrompt.Place?
    /// Text is coming.
    var isRunning = false
    /// A cursor at the end goes along with what comes: not while the same text is run again with other changes.
    var followsEnd = true
    /// Why the last text could not be read.
    var fault: String?
    /// Panes that show their formulas and sums instead.
    var turned: Set<Pane> = []

    /// What is to be shown once it is known.
    struct Wanted: Sendable {
        var dictionary: Int64?
        var feature: Int?
    }

    package init(_ context: PanelContext) {
        engine = FeatureEngine(context.workspace)
        circuits = CircuitPage(engine: CircuitEngine(context.workspace))
    }

    package var selection: Reference? {
        if !showsCircuits, pane == .text, !text.isInChanged, let token = text.prompt.reference(at: text.cursor) {
            return token
        }
        guard let dictionary, let card else { return nil }
        return Reference(
            .feature, [dictionary.id, Int64(card.feature)], title: "feature \(card.feature) of \(dictionary.name)")
    }

    package mutating func open(_ reference: Reference) -> [Effect<FeatureAnswer>]? {
        switch reference.kind {
        case .feature:
            guard let id = reference.path.first else { return nil }
            showsCircuits = false
            pane = .card
            wanted = Wanted(dictionary: id, feature: reference.path.dropFirst().first.map { Int(clamping: $0) })
            return reload()
        case .generation, .token:
            proposesText = false
            guard let answer = reference.path.first else { return nil }
            showsCircuits = false
            pane = .text
            layoutPanes()
            let step = reference.kind == .token ? reference.path.dropFirst().first.map { Int(clamping: $0) } : nil
            return readAnswer(answer, step: step)
        default: return nil
        }
    }

    package mutating func update(_ event: Event<FeatureAction, FeatureAnswer>) -> [Effect<FeatureAnswer>] {
        switch event {
        case .start(let saved): start(saved)
        case .action(let action): perform(action)
        case .mouse(let mouse): click(mouse)
        case .resize(let area): place(area)
        case .answer(let answer): receive(answer)
        case .failed(let key, let sentence): fail(key, sentence)
        case .changed: reload()
        }
    }

    package func save() -> String { FeatureScreen(self).text }
}

extension Reference.Kind {
    /// A feature of a dictionary: `[dictionary, feature]`, or a dictionary alone.
    public static let feature = Reference.Kind(rawValue: "feature")
}
