internal import Console
internal import FeatureLab
internal import Presentation

extension FeaturePanel {
    mutating func start(_ saved: String?) -> [Effect<FeatureAnswer>] {
        if let screen = saved.flatMap(FeatureScreen.init(text:)) {
            screen.apply(to: &self)
        } else {
            proposesText = true
        }
        layoutPanes()
        guard showsCircuits else { return reload() }
        return reload() + circuits.place(area) + circuits.start(model: nil, prompt: "")
    }

    mutating func receive(_ answer: FeatureAnswer) -> [Effect<FeatureAnswer>] {
        switch answer {
        case .dictionaries(let box): return adopt(box)
        case .tick: return lookAgain()
        case .watched(let box):
            return box.dictionaries == dictionaries && box.offered == offered ? watch() : adopt(box)
        case .added(let box, let id):
            wanted = Wanted(dictionary: id)
            return adopt(box) + [.changed]
        case .rows(let box): return adopt(box)
        case .card(let box): return adopt(box.card)
        case .prompt(let box):
            text.set(prompt: box.prompt)
            layoutPanes()
            return read()
        case .answerRead(let box): return adopt(box)
        case .came(let box): return adopt(box.reading)
        case .ended:
            isRunning = false
            text.noteSilent(changes)
            return refreshActive()
        case .taken(let name): return askReplace(name)
        case .kept(let names): return askKept(names)
        case .restored(let box):
            changes = box.changes
            return [.notify("\(box.name): \(changes.sentence)", .success)] + changed()
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .written(let sentence): return [.notify(sentence, .success)]
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .lineCancelled: return []
        case .circuits(let answer): return circuits.receive(answer)
        }
    }

    mutating func fail(_ key: String, _ sentence: String) -> [Effect<FeatureAnswer>] {
        if key == Self.runKey { (isRunning, fault) = (false, sentence) }
        if key.hasPrefix(CircuitPage.keyPrefix) { return circuits.fail(key, sentence) }
        return []
    }

    // MARK: Dictionaries

    private mutating func adopt(_ box: DictionaryBox) -> [Effect<FeatureAnswer>] {
        offered = box.offered
        let effects = adopt(box.dictionaries)
        return effects + watch()
    }

    private mutating func adopt(_ found: [FeatureDictionary]) -> [Effect<FeatureAnswer>] {
        dictionaries = found
        let before = dictionary?.id
        let asked = wanted?.dictionary ?? before
        guard let next = found.first(where: { $0.id == asked }) ?? found.first else {
            dictionary = nil
            card = nil
            list.show([], of: nil)
            return []
        }
        guard next.id == before else { return show(next) }
        dictionary = next
        let feature = wanted?.feature
        wanted = nil
        isCardStale = feature == nil
        return query(list.query) + feature.map { showCard($0) }.orEmpty
    }

    /// Shows another dictionary and discards the state of the previous one.
    mutating func show(_ next: FeatureDictionary) -> [Effect<FeatureAnswer>] {
        dictionary = next
        card = nil
        changes.removeAll()
        active.labels = [:]
        if !wantsFeature { list.query = .all(.meaning) }
        let feature = wanted?.feature
        wanted = nil
        proposeText(for: next)
        return query(list.query) + feature.map { showCard($0) }.orEmpty + (text.prompt.isEmpty ? [] : read())
    }

    /// Without a text, the panel proposes the sample text of the dictionary that comes with Orrery.
    private mutating func proposeText(for dictionary: FeatureDictionary) {
        guard proposesText, text.prompt.isEmpty, dictionary.model == SampleTexts.model, dictionary.modelPath != nil
        else { return }
        proposesText = false
        text.set(prompt: FeaturePrompt(SampleTexts.features.text))
        showsActiveFirst = true
        placeAfterReading = SampleTexts.featurePlace.map(FeaturePrompt.Place.byte)
        layoutPanes()
    }

    private var wantsFeature: Bool { wanted?.feature != nil }

    private mutating func adopt(_ box: FeatureRowBox) -> [Effect<FeatureAnswer>] {
        guard box.dictionary == dictionary?.id, box.query == list.query else { return [] }
        list.show(box.rows, of: box.answered)
        for row in box.rows {
            active.labels[row.feature] = (row.label ?? row.words).map {
                ActiveFeatures.Label(text: $0, isAutomatic: row.label == nil)
            }
        }
        layoutPanes()
        let isStale = isCardStale
        isCardStale = false
        guard let first = list.selected else { return isStale ? (card.map { showCard($0.feature) }).orEmpty : [] }
        return card?.feature == first.feature && !isStale ? [] : showCard(first.feature)
    }

    private mutating func adopt(_ card: FeatureCard) -> [Effect<FeatureAnswer>] {
        let isNew = self.card?.feature != card.feature
        self.card = card
        if isNew { cardView = FeatureCardView() }
        list.select(card.feature)
        text.shade(card.feature)
        layoutPanes()
        return []
    }

    // MARK: Texts

    private mutating func adopt(_ box: AnswerBox) -> [Effect<FeatureAnswer>] {
        text.set(prompt: box.prompt)
        placeAfterReading = box.place
        layoutPanes()
        if let other = dictionaries.first(where: { $0.id == box.dictionary }), other.id != dictionary?.id {
            return show(other)
        }
        return read()
    }

    private mutating func adopt(_ reading: SteeringReading) -> [Effect<FeatureAnswer>] {
        text.show(reading, feature: card?.feature, following: followsEnd)
        layoutPanes()
        if let place = placeAfterReading {
            text.move { $0.moveCursor(to: place.token(in: reading.untouched.texts)) }
            placeAfterReading = nil
        }
        guard showsActiveFirst, text.cursor < reading.untouched.readCount else { return followCursor() }
        // The sample's feature is shown at once.
        showsActiveFirst = false
        return followCursor() + (active.rows.first.map { showCard($0.feature) }).orEmpty
    }

    private mutating func refreshActive() -> [Effect<FeatureAnswer>] {
        if case .active = list.query { return query(list.query) }
        return []
    }
}

extension Optional where Wrapped: RangeReplaceableCollection {
    /// Nothing is an empty list.
    var orEmpty: Wrapped { self ?? Wrapped() }
}
