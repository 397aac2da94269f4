internal import Console
internal import FeatureLab
internal import Formatting
internal import Presentation

/// Dictionaries, the list of features, and the dashboard of one.
extension FeaturePage {
    // MARK: Dictionaries

    /// Shows the dictionaries, and looks for those of other programs as long as there is no index.
    mutating func show(_ known: KnownDictionaries) -> Work<Self> {
        (dictionaries, offered) = (known.dictionaries, known.offered)
        let id = wanted?.dictionary ?? dictionary?.id
        let found = dictionaries.first { $0.id == id }
        // The feature belongs to a dictionary that was removed.
        if found == nil { wanted?.feature = nil }
        var work: [Work<Self>] = []
        if let next = found ?? dictionaries.first {
            work.append(show(next))
        } else {
            (dictionary, card, feature) = (nil, nil, nil)
            list.show(nil)
        }
        if restoresCircuit {
            restoresCircuit = false
            if showsCircuits, circuit.reading == nil, circuit.question.missing == nil { work.append(runCircuit()) }
        }
        if dictionary?.index == nil { work.append(.wait("watch", .seconds(2)) { _ in .again("dictionaries") }) }
        return Work(work)
    }

    /// Shows a dictionary. If it replaces another one, the state of the previous one is discarded.
    mutating func show(_ next: FeatureDictionary) -> Work<Self> {
        let isOther = next.id != dictionary?.id
        dictionary = next
        if isOther {
            (card, feature, active.known) = (nil, nil, [:])
            changes.removeAll()
            list.show(nil)
            if wanted?.feature == nil { list.query = .all(.meaning) }
        }
        if let opened = wanted?.feature {
            feature = opened
            keepsFeature = list.answered == nil
            list.select(opened)
        }
        wanted = nil
        guard isOther else { return [] }
        proposeText(for: next)
        return text.prompt.isEmpty ? [] : read()
    }

    /// Proposes the sample text for the dictionary that comes with Orrery.
    private mutating func proposeText(for dictionary: FeatureDictionary) {
        guard proposesText, text.prompt.isEmpty, dictionary.model == SampleTexts.model, dictionary.modelPath != nil
        else { return }
        (proposesText, showsActiveFirst) = (false, true)
        text.set(prompt: FeaturePrompt(SampleTexts.features.text))
        placeAfterReading = SampleTexts.featurePlace.map(FeaturePrompt.Place.byte)
    }

    func chooseDictionary() -> Work<Self> {
        guard !dictionaries.isEmpty || !offered.isEmpty else { return .notify(Self.noDictionary, .warning) }
        let refusal = engine.canWrite ? nil : Self.readOnlyReason
        let known = dictionaries.map {
            Choice(
                $0.name, facts: ["\(Format.count($0.featureCount)) features"], isCurrent: $0.name == dictionary?.name)
        }
        let others = offered.map { Choice($0, facts: ["add it"], disabledReason: refusal, value: $0) }
        return .choose("Dictionary", known + others) { page, name in
            guard let known = page.dictionaries.first(where: { $0.name == name }) else { return page.add(name) }
            // Choosing the current dictionary also discards its changes and query.
            page.dictionary = nil
            return [page.show(known), .again("rows")]
        }
    }

    /// Adds a dictionary that comes with Orrery to the workspace.
    mutating func add(_ name: String) -> Work<Self> {
        // A second Enter has no effect while the dictionary is added.
        offered.removeAll { $0 == name }
        return write {
            try $0.add(name)
        } then: { page, id in
            page.wanted = (id, nil)
            return .changed
        } failed: { _, _ in
            .changed
        }
    }

    // MARK: The list

    var rowsQuestion: FeatureRowsQuestion? {
        dictionary.map { FeatureRowsQuestion(dictionary: $0, query: list.query) }
    }

    mutating func show(_ found: FoundFeatures) {
        let before = list.selected?.feature
        list.show(found)
        for row in found.rows { active.known[row.feature] = row }
        if keepsFeature, let feature {
            list.select(feature)
        } else if list.selected?.feature != before {
            followSelection()
        }
        keepsFeature = false
    }

    /// Moves the cursor of the list with the keys. The mouse leaves the dashboard alone until a row is opened.
    mutating func moveList(_ move: (inout ListView) -> Void) {
        move(&list.list)
        followSelection()
    }

    /// Shows the feature under the cursor of the list.
    private mutating func followSelection() { feature = list.selected?.feature ?? feature }

    // MARK: The dashboard

    var cardQuestion: FeatureCardQuestion? {
        guard let dictionary, let feature else { return nil }
        return FeatureCardQuestion(dictionary: dictionary, feature: feature)
    }

    package mutating func show(_ card: FeatureCard) {
        if self.card?.feature != card.feature {
            examples = FeatureCardView()
            list.select(card.feature)
        }
        self.card = card
        examples.list.count = card.lines.count
        text.shade(card.feature)
    }

    /// Shows the selected feature if no dashboard is shown and that of an opened feature cannot be read.
    mutating func replaceUnknownFeature() {
        guard card == nil else { return }
        keepsFeature = false
        followSelection()
    }

    /// Reads the text of the selected example as a prompt.
    func readExample() -> Work<Self> {
        guard let dictionary, let example = card?.example(at: examples.list.selection) else { return [] }
        return read("example") {
            try $0.text(of: example, in: dictionary)
        } then: { page, prompt in
            page.text.set(prompt: prompt)
            return page.read()
        }
    }
}
