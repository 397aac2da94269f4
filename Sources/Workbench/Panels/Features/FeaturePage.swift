internal import Console
internal import FeatureLab
internal import Interpretability
internal import Workspace

/// The features page: what the features of a sparse autoencoder fire on, which of them are active in a text, and how
/// the text changes with a feature. Its other half shows which activations carry an answer.
package struct FeaturePage: Page {
    package static let about = PageInfo(
        "features", "Features", opens: [.feature, .generation, .token], homeOf: [.feature])

    package enum PaneName: String, CaseIterable, Sendable {
        case list, card, text, active
        case map, parts, cell

        /// Whether the pane belongs to the circuits.
        var isOfCircuits: Bool { [.map, .parts, .cell].contains(self) }
    }

    package let engine: FeatureEngine
    package var screen = Screen(PaneName.list)
    /// Whether the circuits have the screen.
    var showsCircuits = false
    /// Focus and zoom of the half that is hidden.
    var hidden = (focus: PaneName.map, isZoomed: false)
    var circuit = OpenCircuit()
    /// Whether the restored circuit runs once the dictionaries are known.
    var restoresCircuit = false

    var dictionaries: [FeatureDictionary] = []
    /// Names of dictionaries that come with Orrery and are not in the workspace.
    var offered: [String] = []
    /// Dictionary whose features are listed.
    var dictionary: FeatureDictionary?
    /// Dictionary and feature to show once the dictionaries are known.
    var wanted: (dictionary: Int64?, feature: Int?)?
    var list = FeatureList()
    /// Feature to show: the row that the keys selected, or an opened feature.
    var feature: Int?
    /// Whether the first row leaves the shown feature alone, which was opened by its reference.
    var keepsFeature = false
    /// Dashboard of the feature; until it is read, that of the previous one.
    var card: FeatureCard?
    var examples = FeatureCardView()
    var text = SteeredText()
    var active = ActiveFeatures()
    /// Changes of features, which apply from the next run or token on.
    var changes = FeatureChanges()
    /// Whether to propose the sample text, because no screen was restored and no text opened.
    var proposesText = true
    /// Whether to show the strongest feature under the cursor once the text is read.
    var showsActiveFirst = false
    /// Position of the cursor once the text is read.
    var placeAfterReading: FeaturePrompt.Place?
    var isRunning = false
    /// Whether a cursor at the end follows new tokens; if the same text runs again, it stays.
    var followsEnd = true
    /// Error of the last run.
    var fault: String?
    /// Panes that show formulas and sums instead.
    var turned: Set<PaneName> = []

    package init(_ context: PanelContext) { engine = FeatureEngine(context.workspace) }

    package var selection: Reference? {
        if screen.focus == .text, !text.isInChanged, let token = text.prompt.reference(at: text.cursor) {
            return token
        }
        guard let dictionary, let card else { return nil }
        return Reference(
            .feature, [dictionary.id, Int64(card.feature)], title: "feature \(card.feature) of \(dictionary.name)")
    }

    /// Feature that changes and labels apply to.
    var target: Int? {
        switch screen.focus {
        case .list: list.selected?.feature ?? card?.feature
        case .active: active.selected?.feature ?? card?.feature
        default: card?.feature
        }
    }

    // MARK: Reads

    package static func reads(_ reads: inout Reads<Self>) {
        reads.add(
            "dictionaries", for: { _ in true }, read: { engine, _ in try engine.dictionaries() }, then: { $0.show($1) })
        reads.add(
            "rows", for: \.rowsQuestion, read: { try $0.rows($1) },
            then: { page, found in
                page.show(found)
                return []
            },
            failed: { page, _ in
                if page.list.answered == nil { page.list.show(FoundFeatures(rows: [], answered: page.list.query)) }
                return []
            })
        reads.follow("cursor", \.cursor) { $0.active.show($0.text.side, token: $0.text.cursor) }
        reads.add(
            "card", for: \.cardQuestion, read: { try $0.card($1) },
            then: { page, card in
                page.show(card)
                return []
            },
            failed: { page, _ in
                page.replaceUnknownFeature()
                return []
            })
    }

    private var cursor: [Int] {
        [text.cursor, text.isInChanged ? 1 : 0, text.side?.run ?? 0, text.side?.features?.rows ?? -1]
    }

    // MARK: Other pages

    package mutating func open(_ reference: Reference) -> Work<Self>? {
        guard let id = reference.path.first else { return nil }
        let part = reference.path.dropFirst().first.map { Int(clamping: $0) }
        switch reference.kind {
        case .feature:
            showFeatures(.card)
            wanted = (id, part)
            return .again("dictionaries")
        case .generation, .token:
            proposesText = false
            showFeatures(.text)
            return openAnswer(id, step: reference.kind == .token ? part : nil)
        default: return nil
        }
    }

    package func preview(of reference: Reference) -> Preview.Work {
        let (engine, shown) = (engine, dictionary?.id)
        return { _ in try engine.preview(of: reference, preferring: shown) }
    }

    // MARK: Leaving and returning

    package mutating func back() -> Work<Self>? {
        if showsCircuits { return .back }
        guard screen.focus == .list, list.query.isFiltered else { return nil }
        list.query = .all(.meaning)
        return []
    }

    package mutating func archive(_ archive: inout Archive) {
        archive("shows_circuits", &showsCircuits)
        var (dictionary, feature) = (self.dictionary?.id ?? wanted?.dictionary, card?.feature ?? wanted?.feature)
        archive("dictionary", &dictionary)
        archive("feature", &feature)
        var (query, order, prompt) = (list.query.typed, list.query.order, text.prompt.text)
        archive("query", &query)
        archive("order", &order)
        archive("prompt", &prompt)
        archive("circuits", &circuit.question.text)
        if archive.isReading {
            wanted = (dictionary, feature)
            list.query = query.isEmpty ? .all(order) : FeatureQuery(typed: query)
            text.set(prompt: FeaturePrompt(prompt))
            proposesText = false
            restoresCircuit = showsCircuits
            // Earlier versions saved only the pane and zoom of the features.
            if showsCircuits { if screen.focus.isOfCircuits { hidden.focus = .list } else { swapHalves() } }
        }
        archive("hidden_pane", &hidden.focus)
        archive("hidden_zoomed", &hidden.isZoomed)
    }
}

extension Reference.Kind {
    /// A feature of a dictionary: `[dictionary, feature]`, or a dictionary alone.
    public static let feature = Reference.Kind(rawValue: "feature")
}
