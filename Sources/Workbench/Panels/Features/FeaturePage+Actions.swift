internal import Console
internal import FeatureLab

extension FeaturePage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "go back one token, feature, or cell", unless: \.whyNoStep) {
            $0.step(by: -1)
        }
        actions.add("l", "right", name: "right", "go forward one token, feature, or cell", unless: \.whyNoStep) {
            $0.step(by: 1)
        }
        actions.add(
            "enter", name: "open", "open the feature; in a circuit map, run the cell", hint: "open",
            unless: \.whyNotOpened
        ) { $0.openSelected() }
        actions.group(Actions<Self>.moving)
        actions.add("c", name: "circuits", "switch between features and circuits", hint: "circuits") { page in
            page.turnHalf()
            return page.showsCircuits ? page.startCircuit() : []
        }
        addFinding(to: &actions)
        addRunning(to: &actions)
        addChanging(to: &actions)
        addReading(to: &actions)
        addCircuits(to: &actions)
    }

    private static func addFinding(to actions: inout Actions<Self>) {
        actions.group("Finding")
        actions.add(
            "/", name: "search", "search by label, token (token: the), or activity (active)", hint: "search",
            unless: \.whyNoList
        ) { page in
            .prompt("features ", text: page.list.query.typed, history: "features") { page, typed in
                page.list.query = FeatureQuery(typed: typed)
                return .again("rows")
            }
        }
        actions.add(
            "a", name: "active", "list the features active on the text", hint: "active",
            unless: { $0.whyNoList ?? $0.whyNoText }
        ) { page in
            page.list.query = .active(.activation)
            return .again("rows")
        }
        actions.add("S", name: "sort", "change the sort order of the list", unless: \.whyNoList) {
            $0.list.query = $0.list.shown.next
        }
        actions.add("]", name: "next-feature", "go to the next feature in the list", unless: \.whyNoList) {
            $0.moveList { $0.move(by: 1) }
        }
        actions.add("[", name: "previous-feature", "go to the previous feature in the list", unless: \.whyNoList) {
            $0.moveList { $0.move(by: -1) }
        }
        actions.add("d", name: "dictionary", "choose the dictionary", unless: \.whyNoFeatures) {
            $0.chooseDictionary()
        }
    }

    private static func addRunning(to actions: inout Actions<Self>) {
        actions.group("Running")
        actions.add("p", name: "prompt", "enter another text", hint: "text", unless: \.whyNoFeatures) { $0.askText() }
        actions.add(
            "r", name: "run", "run the text again with the changes, next to the original", hint: "run",
            unless: { $0.showsCircuits ? $0.circuit.question.missing : $0.whyNoPrompt }
        ) { $0.showsCircuits ? $0.runCircuit() : $0.read() }
        actions.add("space", name: "play", "generate text, or pause", hint: "play", unless: \.whyNotGenerated) {
            $0.isRunning ? $0.cancel() : $0.stream(.all)
        }
        actions.add(".", name: "step", "generate one token", unless: \.whyNotGenerated) { $0.stream(.more(1)) }
        actions.add(
            "x", name: "cancel", "cancel the current run",
            unless: { ($0.showsCircuits ? $0.circuit.isRunning : $0.isRunning) ? nil : "nothing is running" }
        ) { $0.showsCircuits ? $0.cancelCircuit() : $0.cancel() }
        actions.add(
            "t", name: "other-text", "switch between the original and the changed text", unless: \.whyNoOtherText
        ) { page in
            page.text.turn()
            if page.screen.focus != .active { page.screen.focus = .text }
            return []
        }
        actions.add("K", name: "shading", "shade the changed text by KL or by the feature", unless: \.whyNoOtherText) {
            $0.text.turnShading($0.card?.feature)
        }
    }

    private static func addChanging(to actions: inout Actions<Self>) {
        actions.group("Changing")
        actions.add("0", name: "off", "turn the feature off, or on again", hint: "off", unless: \.whyNoTarget) {
            $0.change { $0.toggle($1) }
        }
        actions.add("+", name: "stronger", "double the feature's activation", hint: "stronger", unless: \.whyNoTarget) {
            $0.change { $0.turn($1, up: true) }
        }
        actions.add("-", name: "weaker", "halve the feature's activation", unless: \.whyNoTarget) {
            $0.change { $0.turn($1, up: false) }
        }
        actions.add("=", name: "set", "set the feature to an activation", unless: \.whyNoTarget) { $0.askValue() }
        actions.add("u", name: "undo", "undo the last change", unless: \.whyNoChange) { page in
            page.changes.takeLastBack()
            return page.readAgain()
        }
        actions.add("U", name: "clear", "undo all changes", unless: \.whyNoChange) { page in
            page.changes.removeAll()
            return page.readAgain()
        }
        actions.add(
            "T", name: "from-here", "apply changes starting at the cursor's token, or at the first token",
            unless: { $0.whyNoFeatures ?? $0.whyNoText }
        ) { $0.changeFromHere() }
        actions.add("W", name: "keep", "save the changes under a name", writes: true, unless: \.whyNoChange) {
            $0.askName()
        }
        actions.add("B", name: "restore", "restore saved changes", unless: \.whyNoList) { $0.chooseSaved() }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "f", name: "formula", "show or hide formulas and sums", hint: "formula",
            unless: { $0.showsCircuits ? $0.whyNoMap : nil }
        ) { page in
            if page.turned.remove(page.screen.focus) == nil { page.turned.insert(page.screen.focus) }
            return []
        }
        actions.add("F", name: "find", "find text", unless: { $0.whyNoFeatures ?? ($0.text.isEmpty ? noPrompt : nil) })
        {
            _ in
            .prompt("find ", history: "find") { page, typed in
                guard !typed.trimmed.isEmpty else { return [] }
                page.text.find(typed)
                if page.text.goToMatch(forward: true) { return [] }
                return .notify("\(typed) was not found")
            }
        }
        actions.add("n", name: "next-match", "go to the next match", unless: \.whyNoMatch) { page in
            _ = page.text.goToMatch(forward: true)
            return []
        }
        actions.add("N", name: "previous-match", "go to the previous match", unless: \.whyNoMatch) { page in
            _ = page.text.goToMatch(forward: false)
            return []
        }
        actions.group("Managing")
        actions.add("L", name: "label", "label the feature", hint: "label", writes: true, unless: \.whyNoTarget) {
            $0.askLabel()
        }
        actions.add("y", name: "copy", "copy the feature or the map as Markdown", unless: \.whyNothing) { $0.copy() }
        actions.add(
            "e", name: "export", "write the pane to a file (.json, .csv, .safetensors, or .svg)", unless: \.whyNothing
        ) { $0.askExport() }
    }

    // MARK: Moving

    mutating func swapHalves() {
        let shown = (focus: screen.focus, isZoomed: screen.isZoomed)
        (screen.focus, screen.isZoomed) = hidden
        hidden = shown
    }

    private mutating func turnHalf() {
        showsCircuits.toggle()
        swapHalves()
    }

    /// Shows the features, with the focus on one of their panes.
    mutating func showFeatures(_ pane: PaneName) {
        if showsCircuits { turnHalf() }
        screen.focus = pane
    }

    /// Moves by tokens, features, or cells.
    private mutating func step(by columns: Int) {
        switch screen.focus {
        case .text, .active: text.move { $0.move(by: columns) }
        case .list, .card: moveList { $0.move(by: columns) }
        case .map, .cell: circuit.moveCursor(rows: 0, columns: columns)
        case .parts: break
        }
    }

    private mutating func openSelected() -> Work<Self> {
        if showsCircuits { return runCell() }
        if dictionary == nil, let name = offered.first { return add(name) }
        switch screen.focus {
        case .list:
            if let selected = list.selected, selected.feature == card?.feature { screen.focus = .card }
            feature = list.selected?.feature ?? feature
        case .active: feature = active.selected?.feature ?? feature
        case .card: return readExample()
        default: break
        }
        // Repeats a read that failed.
        return feature == card?.feature ? [] : .again("card")
    }
}

// MARK: Reasons

extension FeaturePage {
    static var noDictionary: String { "no dictionary yet: create one with orrery feature train or add" }
    private static var noPrompt: String { "no text yet: press p" }

    /// Why actions on features are unavailable: the circuits are shown.
    private var whyNoFeatures: String? { showsCircuits ? "works only in features: press c" : nil }
    private var whyNoList: String? { whyNoFeatures ?? (dictionary == nil ? Self.noDictionary : nil) }
    private var whyNoText: String? { text.isEmpty ? "enter text first: press p" : nil }
    private var whyNoPrompt: String? { text.prompt.isEmpty ? Self.noPrompt : nil }
    private var whyNotGenerated: String? { whyNoList ?? whyNoPrompt }
    private var whyNoOtherText: String? {
        whyNoFeatures ?? (text.hasChanged ? nil : "change a feature and run the text first")
    }
    private var whyNoTarget: String? { whyNoFeatures ?? (target == nil ? "select a feature first" : nil) }
    private var whyNoChange: String? { whyNoFeatures ?? (changes.isEmpty ? "no feature is changed" : nil) }
    private var whyNoMatch: String? {
        whyNoFeatures ?? (text.shown.matches.isEmpty ? "find words first: press F" : nil)
    }
    private var whyNothing: String? { showsCircuits ? whyNoMap : card == nil ? "open a feature first" : nil }
    private var whyNoStep: String? {
        if showsCircuits { return nil }
        return screen.focus == .text || screen.focus == .active ? whyNoText : whyNoList
    }
    private var whyNotOpened: String? {
        if showsCircuits { return whyNoMap ?? (screen.focus == .parts ? "Enter runs cells of the map" : nil) }
        if dictionary == nil, !offered.isEmpty { return engine.canWrite ? nil : Self.readOnlyReason }
        return screen.focus == .text ? "Enter opens features from a list" : nil
    }
}
