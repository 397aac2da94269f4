internal import Console
internal import FeatureLab

extension FeaturePanel {
    mutating func perform(_ action: FeatureAction) -> [Effect<FeatureAnswer>] {
        if action == .circuits { return turnPage() }
        if showsCircuits { return circuits.perform(action) }
        switch action {
        case .moveDown: return move({ $0.move(by: 1) }, along: { $0.moveRows(by: 1) })
        case .moveUp: return move({ $0.move(by: -1) }, along: { $0.moveRows(by: -1) })
        case .pageDown: return move({ $0.movePages(1) }, along: { $0.scroll(by: 10) })
        case .pageUp: return move({ $0.movePages(-1) }, along: { $0.scroll(by: -10) })
        case .toTop: return move({ $0.moveToStart() }, along: { $0.moveToStart() })
        case .toEnd: return move({ $0.moveToEnd() }, along: { $0.moveToEnd() })
        case .left: return step(by: -1)
        case .right: return step(by: 1)
        case .open: return openSelected()
        case .back: return back()
        case .nextPane: return turnPane(by: 1)
        case .previousPane: return turnPane(by: -1)
        case .zoom:
            isZoomed.toggle()
            layoutPanes()
            return []
        case .dictionary: return askDictionary()
        case .search: return [.prompt(line(.query, "features ", text: list.query.typed, history: "features"))]
        case .sort: return query(list.shown.next)
        case .activeHere: return query(.active(.activation))
        case .nextFeature: return walk(by: 1)
        case .previousFeature: return walk(by: -1)
        case .prompt:
            return [
                .fill(
                    FormRequest(
                        text: "Text for the model", verb: "read", text.prompt.text,
                        cancelled: FeatureAnswer.lineCancelled
                    ) { .line(.prompt, $0) })
            ]
        case .run: return read()
        case .play: return isRunning ? cancel() : generate(nil)
        case .step: return generate(1)
        case .cancel: return cancel()
        case .otherText:
            text.turn()
            if pane != .active { pane = .text }
            layoutPanes()
            return followCursor()
        case .shading:
            text.turnShading(card?.feature)
            return []
        case .off: return change { $0.toggle($1) }
        case .stronger: return change { $0.turn($1, up: true) }
        case .weaker: return change { $0.turn($1, up: false) }
        case .set: return target.map { [askValue(of: $0)] } ?? []
        case .undoChange: return takeBack { $0.takeLastBack() }
        case .clearChanges: return takeBack { $0.removeAll() }
        case .label:
            return target.map { [askLabel(of: $0)] } ?? []
        case .fromHere:
            let effects = takeBack { [cursor = text.cursor] in $0.start = $0.start == 0 ? cursor : 0 }
            let place = changes.start == 0 ? "the first token" : "token \(changes.start)"
            return effects + [.notify("changes apply starting at \(place)")]
        case .keep:
            let name = Form.Field("name", value: "", help: "B lists the saved changes by name.")
            return [
                .fill(
                    FormRequest("Save the changes", verb: "save", name, cancelled: FeatureAnswer.lineCancelled) {
                        .line(.keepChanges, $0)
                    })
            ]
        case .restore: return listKept()
        case .formula:
            if turned.remove(pane) == nil { turned.insert(pane) }
            return []
        case .find: return [.prompt(line(.find, "find ", history: "find"))]
        case .nextMatch: return findNext(true)
        case .previousMatch: return findNext(false)
        case .copy: return card.map { [.copy($0.markdown, what: "feature \($0.feature)")] } ?? []
        case .export:
            return [
                .fill(
                    FormRequest(export: "Export the pane", name: exportName, endings: exportEndings) {
                        .line(.export, $0)
                    })
            ]
        case .circuits, .model, .clean, .corrupt, .answers, .site, .axes, .method, .grain: return []
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, along walk: (inout ShadedTokens) -> Void
    ) -> [Effect<FeatureAnswer>] {
        switch pane {
        case .list:
            change(&list.list)
            // What keys do is done to the feature that is shown.
            return list.selected.map { $0.feature == card?.feature ? [] : showCard($0.feature) } ?? []
        case .card: change(&cardView.list)
        case .active: change(&active.list)
        case .text:
            text.move(walk)
            return followCursor()
        }
        return []
    }

    /// From token to token, also while what is active there has the keys.
    private mutating func step(by tokens: Int) -> [Effect<FeatureAnswer>] {
        guard pane == .text || pane == .active else { return walk(by: tokens) }
        text.move { $0.move(by: tokens) }
        return followCursor()
    }

    /// Updates the list of features that are active at the cursor.
    mutating func followCursor() -> [Effect<FeatureAnswer>] {
        let rows = active.most
        active.show(text.side, token: text.cursor)
        if active.most != rows { layoutPanes() }
        return []
    }

    private mutating func openSelected() -> [Effect<FeatureAnswer>] {
        if dictionary == nil, let name = offered.first { return add(name) }
        switch pane {
        case .list:
            guard let selected = list.selected else { return [] }
            guard selected.feature == card?.feature else { return showCard(selected.feature) }
            pane = .card
            layoutPanes()
            return []
        case .active: return active.selected.map { showCard($0.feature) } ?? []
        case .card: return readExample()
        case .text: return []
        }
    }

    private mutating func walk(by step: Int) -> [Effect<FeatureAnswer>] {
        list.list.move(by: step)
        return list.selected.map { showCard($0.feature) } ?? []
    }

    private mutating func back() -> [Effect<FeatureAnswer>] {
        if isZoomed {
            isZoomed = false
            layoutPanes()
            return []
        }
        guard pane != .list else {
            if case .all = list.query { return [.back] }
            return query(.all(.meaning))
        }
        pane = .list
        layoutPanes()
        return []
    }

    private mutating func turnPane(by step: Int) -> [Effect<FeatureAnswer>] {
        let all = Pane.allCases
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        layoutPanes()
        return []
    }

    private mutating func turnPage() -> [Effect<FeatureAnswer>] {
        showsCircuits.toggle()
        guard showsCircuits else {
            layoutPanes()
            return []
        }
        return circuits.place(area) + circuits.start(model: dictionary?.modelPath, prompt: text.prompt.text)
    }

    private mutating func findNext(_ forward: Bool) -> [Effect<FeatureAnswer>] {
        guard let token = text.shown.match(after: text.cursor, forward: forward) else { return [] }
        text.move { $0.moveCursor(to: token) }
        return followCursor()
    }

    // MARK: Changes

    private mutating func change(_ body: (inout FeatureChanges, Int) -> Void) -> [Effect<FeatureAnswer>] {
        guard let target else { return [] }
        body(&changes, target)
        return changed()
    }

    private mutating func takeBack(_ body: (inout FeatureChanges) -> Void) -> [Effect<FeatureAnswer>] {
        body(&changes)
        return changed()
    }

    /// Reads the text again with the changes, so both texts are shown together.
    mutating func changed() -> [Effect<FeatureAnswer>] {
        text.isEmpty ? [] : read()
    }

    /// Asks at which activation a feature is held. Its maximum, where that is known, is proposed: a value far beyond it
    /// is seldom of use.
    private func askValue(of feature: Int) -> Effect<FeatureAnswer> {
        var maximum = "0"
        var allowed = ""
        if let card, card.feature == feature, card.dashboard.maximum > 0 {
            maximum = FeatureFigure.activation(card.dashboard.maximum)
            allowed = "up to \(maximum) in indexed texts"
        }
        let field = Form.Field(
            "activation", value: maximum, allowed: allowed,
            help: "0 turns the feature off. Values near its maximum have a strong effect.",
            check: { Float($0.trimmed)?.isFinite == true ? nil : "enter a number" })
        return .fill(FormRequest("Set feature \(feature)", field) { .line(.value(feature), $0) })
    }

    /// Asks for the label of a feature, with the present one where it is shown.
    private func askLabel(of feature: Int) -> Effect<FeatureAnswer> {
        let present = card?.feature == feature ? card?.label ?? "" : ""
        let field = Form.Field("label", value: present, help: "A few words. Leave empty to remove your label.")
        return .fill(
            FormRequest("Label feature \(feature)", verb: "save", field, cancelled: FeatureAnswer.lineCancelled) {
                .line(.label(feature), $0)
            })
    }

    // MARK: Lines

    func line(
        _ purpose: FeatureAnswer.Line, _ label: String, text: String = "", history: String? = nil
    ) -> Prompt<FeatureAnswer> {
        Prompt(
            label, text: text, isProposal: true, history: history, cancelled: FeatureAnswer.lineCancelled,
            accept: { .line(purpose, $0) })
    }

    private func askDictionary() -> [Effect<FeatureAnswer>] {
        let names = dictionaries.map(\.name) + offered
        guard !names.isEmpty else { return [.notify(Self.noDictionary, .warning)] }
        let refusal = engine.canWrite ? nil : Self.readOnlyReason
        let choices = dictionaries.map { known in
            Choice(
                known.name, facts: ["\(Format.count(known.featureCount)) features"],
                isCurrent: known.name == dictionary?.name)
        }
        return [
            .choose(
                ChoiceRequest(
                    "Dictionary",
                    choices + offered.map { Choice($0, facts: ["add it"], disabledReason: refusal, value: $0) },
                    cancelled: FeatureAnswer.lineCancelled
                ) { .line(.dictionary, $0) })
        ]
    }

    mutating func accept(_ purpose: FeatureAnswer.Line, _ typed: String) -> [Effect<FeatureAnswer>] {
        switch purpose {
        case .query: return query(FeatureQuery(typed: typed))
        case .label(let feature): return setLabel(typed.trimmed, of: feature)
        case _ where typed.trimmed.isEmpty: return []
        case .dictionary:
            guard let found = dictionaries.first(where: { $0.name == typed.trimmed }) else {
                return add(typed.trimmed)
            }
            return show(found)
        case .prompt:
            text.set(prompt: FeaturePrompt(typed))
            pane = .text
            layoutPanes()
            return read()
        case .value(let feature):
            guard let value = Float(typed) else { return [] }
            changes.set(.set(value), of: feature)
            return changed()
        case .find:
            text.find(typed)
            return text.shown.matches.isEmpty ? [.notify("\(typed) was not found")] : findNext(true)
        case .keepChanges: return keepChanges(typed.trimmed)
        case .replaceChanges: return keepChanges(typed, replacing: true)
        case .restoreChanges: return restoreChanges(typed.trimmed)
        case .export: return export(to: PathCompletion.expanded(typed.trimmed))
        }
    }
}
