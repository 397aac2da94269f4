internal import Console
internal import FeatureLab
internal import System

extension FeaturePanel {
    static var runKey: String { "text" }

    func reload() -> [Effect<FeatureAnswer>] {
        let engine = engine
        return [
            .ask(key: "dictionaries") { _ in .dictionaries(try engine.dictionaries()) }
        ]
    }

    /// How long another window's index may stand unseen.
    private static var watchInterval: Duration { .seconds(2) }

    /// As long as what features fire on is not known, another program may be finding it out.
    func watch() -> [Effect<FeatureAnswer>] {
        dictionary?.index == nil ? [.wait(key: "watch", for: Self.watchInterval, then: .tick)] : []
    }

    func lookAgain() -> [Effect<FeatureAnswer>] {
        let engine = engine
        return [.ask(key: "watched") { _ in .watched(try engine.dictionaries()) }]
    }

    /// Adds a dictionary that comes with Orrery to the workspace.
    func add(_ name: String) -> [Effect<FeatureAnswer>] {
        guard engine.canWrite else { return [.notify(Self.readOnlyReason, .warning)] }
        let engine = engine
        return [
            .ask(key: "add") { _ in
                guard let added = try engine.store.addInstalled(name) else {
                    throw Problem(.invalid, "", "\(name) does not come with Orrery")
                }
                return .added(try engine.dictionaries(), id: added.dictionary.id)
            }
        ]
    }

    /// Lists what a query finds.
    mutating func query(_ query: FeatureQuery) -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [.notify(Self.noDictionary, .warning)] }
        list.query = query
        let (engine, id) = (engine, dictionary.id)
        return [
            .ask(key: "rows") { _ in
                let answered = try engine.possible(query, of: dictionary)
                return .rows(
                    FeatureRowBox(
                        rows: try engine.rows(answered, of: dictionary), query: query, answered: answered,
                        dictionary: id))
            }
        ]
    }

    func showCard(_ feature: Int) -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [] }
        let engine = engine
        return [
            .ask(key: "card") { _ in .card(FeatureCardBox(card: try engine.card(feature, of: dictionary))) }
        ]
    }

    // MARK: The text

    /// Reads the text; where features are changed, an answer comes on both sides.
    mutating func read() -> [Effect<FeatureAnswer>] {
        stream(.upTo(changes.isEmpty ? 0 : max(text.answerCount, Self.firstAnswer)), following: text.isEmpty)
    }

    /// Tokens that are written when something is changed for the first time.
    static var firstAnswer: Int { 24 }

    /// Generates this many tokens, or until the text ends.
    mutating func generate(_ tokens: Int?) -> [Effect<FeatureAnswer>] { stream(tokens.map { .more($0) } ?? .all) }

    private mutating func stream(
        _ length: SteeringOrder.Length, following: Bool = true
    ) -> [Effect<FeatureAnswer>] {
        guard let dictionary, !text.prompt.isEmpty else { return [] }
        (isRunning, fault, followsEnd, text.silence) = (true, nil, following, nil)
        let engine = engine
        let order = SteeringOrder(prompt: text.prompt, dictionary: dictionary, changes: changes, length: length)
        return [
            .stream(key: Self.runKey) { cancellation, tell in
                try engine.carryOut(order, until: cancellation) { tell(.came(SteeringBox(reading: $0))) }
                return .ended
            }
        ]
    }

    mutating func cancel() -> [Effect<FeatureAnswer>] {
        isRunning = false
        return [.cancel(key: Self.runKey)]
    }

    /// The text that an example of the card is from is read as a prompt.
    func readExample() -> [Effect<FeatureAnswer>] {
        guard let card, let dictionary, card.lines.indices.contains(cardView.list.selection),
            case .example(let section, let index) = card.lines[cardView.list.selection]
        else { return [] }
        let example = card.sections[section].examples[index]
        let engine = engine
        return [
            .ask(key: "example") { _ in
                .prompt(FeaturePromptBox(prompt: try engine.text(of: example, in: dictionary)))
            }
        ]
    }

    func readAnswer(_ answer: Int64, step: Int?) -> [Effect<FeatureAnswer>] {
        let (engine, dictionaries, shown) = (engine, dictionaries, dictionary?.id)
        return [
            .ask(key: "answer") { _ in
                let known = dictionaries.isEmpty ? try engine.dictionaries().dictionaries : dictionaries
                return .answerRead(try engine.answer(answer, step: step, among: known, preferring: shown))
            }
        ]
    }

    // MARK: Keeping

    func setLabel(_ label: String, of feature: Int) -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [] }
        let engine = engine
        return [
            .ask(key: "label") { _ in
                if label.isEmpty {
                    try engine.store.clearLabel(of: dictionary.id, feature: feature)
                    return .done("removed your label from feature \(feature)")
                }
                try engine.store.setLabel(label, of: dictionary.id, feature: feature)
                return .done("labeled feature \(feature)")
            }
        ]
    }

    // MARK: Changes

    /// Saves the changes. If the name is in use, a question comes before what it names is replaced.
    func keepChanges(_ name: String, replacing: Bool = false) -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [] }
        let (engine, changes) = (engine, changes)
        return [
            .ask(key: "keep") { _ in
                let isTaken = try engine.store.savedInterventions(of: dictionary.id).contains { $0.name == name }
                if isTaken, !replacing { return .taken(name) }
                _ = try engine.store.saveInterventions(changes.json, named: name, of: dictionary.id)
                return .written("saved \(name): \(changes.sentence)")
            }
        ]
    }

    func askReplace(_ name: String) -> [Effect<FeatureAnswer>] {
        [
            .question(
                Question(
                    "Replace the saved changes “\(Escape.printable(name).truncated(toColumns: 40))”?",
                    [.init("r", "replace them", value: .line(.replaceChanges, name))]))
        ]
    }

    func listKept() -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [] }
        let engine = engine
        return [
            .ask(key: "kept") { _ in .kept(try engine.store.savedInterventions(of: dictionary.id).map(\.name)) }
        ]
    }

    func askKept(_ names: [String]) -> [Effect<FeatureAnswer>] {
        guard !names.isEmpty else { return [.notify("No changes are saved yet: W saves them.", .warning)] }
        return [
            .choose(
                ChoiceRequest("Restore changes", names.map { Choice($0) }, cancelled: FeatureAnswer.lineCancelled) {
                    .line(.restoreChanges, $0)
                })
        ]
    }

    func restoreChanges(_ name: String) -> [Effect<FeatureAnswer>] {
        guard let dictionary else { return [] }
        let engine = engine
        return [
            .ask(key: "kept") { _ in
                let all = try engine.store.savedInterventions(of: dictionary.id)
                guard let kept = all.first(where: { $0.name == name }) else {
                    throw Problem(
                        .missing, "", "no saved changes named \(name)",
                        remedy: "Saved: \(all.map(\.name).joined(separator: ", ")).")
                }
                let changes = FeatureChanges(json: kept.list, features: dictionary.featureCount)
                return .restored(FeatureChangesBox(name: name, changes: changes))
            }
        ]
    }
}
