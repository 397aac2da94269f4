internal import Console

extension AttentionPage {
    package static func actions(_ actions: inout Actions<Self>) {
        actions.add("h", "left", name: "left", "go to the previous head, key, or token", unless: \.whyNoRun) {
            $0.moveColumns(by: -1)
        }
        actions.add("l", "right", name: "right", "go to the next head, key, or token", unless: \.whyNoRun) {
            $0.moveColumns(by: 1)
        }
        actions.add(
            "enter", name: "open", "run the text, enlarge the head, or go to the key", hint: "open",
            wording: \.wordingOfOpen
        ) { $0.openSelected() }
        addRunning(to: &actions)
        addChanging(to: &actions)
        addReading(to: &actions)
        addWindows(to: &actions)
        addManaging(to: &actions)
    }

    private static func addRunning(to actions: inout Actions<Self>) {
        actions.group("Running")
        actions.add("i", name: "prompt", "enter the text", hint: "text") { page in
            page.dropping("discard and change the text") { $0.askText() }
        }
        actions.add(
            "E", name: "edit", "edit the text in your editor",
            unless: { $0.order.text == nil ? "the prompt is available only as tokens" : nil }
        ) { page in page.dropping("discard and change the text") { $0.editPrompt() } }
        actions.add("M", name: "model", "choose the model", hint: "model") { page in
            page.dropping("discard and choose a model") { $0.askModel() }
        }
        actions.add("r", name: "run", "run the model on the text", hint: "run", unless: \.whyNotStarted) { page in
            page.dropping("discard and read the text again") { $0.start($0.order) }
        }
        actions.add(
            "space", name: "play", "generate text, or pause", hint: "play",
            unless: { $0.whyNoRun ?? ($0.operation == .generating ? nil : $0.whyNotContinued) }
        ) { $0.operation == .generating ? .cancel(Self.operationKey) : $0.generate(nil) }
        actions.add(".", name: "step", "generate one token", hint: "step", unless: \.whyNotContinued) {
            $0.generate(1)
        }
        actions.add(",", name: "step-back", "remove the last token", unless: \.whyNoStepBack) { $0.stepBack() }
        actions.add(
            "x", name: "cancel", "cancel the current run", hint: "cancel",
            unless: { $0.operation == nil ? "nothing is running" : nil }
        ) { _ in .cancel(Self.operationKey) }
    }

    private static func addChanging(to actions: inout Actions<Self>) {
        actions.group("Changing")
        actions.add(
            "f", name: "head-off", "turn the head off for the whole text, or back on", hint: "head off",
            unless: \.whyNotChanged
        ) { $0.toggleHead() }
        actions.add(
            "F", name: "head-scale", "scale the head's output, starting at a given token", unless: \.whyNotChanged
        ) { $0.askScale() }
        actions.add(
            "u", name: "untouched", "restore all heads",
            unless: { $0.changes.isEmpty ? "no head is changed" : $0.whyBusy }
        ) { page in page.changes.count > 1 ? page.dropping { $0.restoreHeads() } : page.restoreHeads() }
        actions.add(
            "d", name: "compare", "compare with another text or model, or stop comparing", hint: "compare",
            wording: {
                $0.second != nil && $0.changes.isEmpty ? ActionWording(hint: "end comparison") : nil
            }, unless: { $0.second == nil ? $0.whyNotChanged : $0.whyBusy }
        ) { page in page.dropping("discard and choose what to compare") { $0.compare() } }
        actions.add(
            "s", name: "side", "show A, B, or their difference", hint: "side",
            unless: { $0.second == nil ? "Nothing to compare with. Press d to choose a text or model." : nil }
        ) { $0.shown = $0.shown.next }
    }

    private static func addReading(to actions: inout Actions<Self>) {
        actions.group("Reading")
        actions.add(
            "c", name: "measure", "color the heads by the next score", hint: "score", unless: \.whyNoRun
        ) { $0.nextMeasure() }
        actions.add("v", name: "values", "weight attention by the norm of the values", unless: \.whyNoRun) {
            $0.request.isWeighted.toggle()
        }
        actions.add("m", name: "pooling", "show the maximum or mean of each cell", unless: \.whyNoRun) {
            $0.request.pooling = $0.request.pooling == .max ? .mean : .max
        }
        actions.add(
            "t", name: "shading", "shade what the token attends to, or what attends to it", hint: "shade",
            unless: \.whyNoRun
        ) { $0.shading = $0.shading.next(hasDivergence: $0.looks?.divergence != nil) }
        actions.add("]", name: "next-reading", "show the next reading", hint: "reading", unless: \.whyNoRun) {
            $0.turnReading(by: 1)
        }
        actions.add("[", name: "previous-reading", "show the previous reading", unless: \.whyNoRun) {
            $0.turnReading(by: -1)
        }
        actions.add("=", name: "sums", "show or hide formulas and sums") {
            $0.show($0.request.tab == .sums ? .token : .sums)
        }
        actions.add("T", name: "target", "choose the token that the lens ranks", unless: \.whyNoRun) {
            $0.askTarget()
        }
        actions.add("R", name: "range", "show attention to a range of tokens: 12-40", unless: \.whyNoRun) {
            $0.askRange()
        }
    }

    private static func addWindows(to actions: inout Actions<Self>) {
        actions.add(
            "+", name: "zoom-in", "zoom in on queries and keys around the cursor",
            unless: { page in
                let least = "\(HeadWindow.least) queries and keys are the minimum"
                return page.whyNoRun ?? (page.request.window.isLeast ? least : nil)
            }
        ) { $0.zoomWindow(isIn: true) }
        actions.add("-", name: "zoom-out", "zoom out to show more queries and keys", unless: \.whyWhole) {
            $0.zoomWindow(isIn: false)
        }
        actions.add("w", name: "whole", "zoom out to all queries and keys", unless: \.whyWhole) {
            $0.request.window.showAll()
        }
        actions.add(
            "p", name: "strongest", "go to the key with the greatest weight",
            unless: { page in
                page.whyNoRun ?? (page.look?.attended == nil ? "the weights of this token are not available" : nil)
            }
        ) { $0.standOnStrongest() }
        actions.add("/", name: "find", "find text", unless: \.whyNoRun) { $0.askSearch() }
        actions.add("n", name: "next-match", "go to the next match", unless: \.whyNoSearch) {
            $0.findText(forward: true)
        }
        actions.add("N", name: "previous-match", "go to the previous match", unless: \.whyNoSearch) {
            $0.findText(forward: false)
        }
    }

    private static func addManaging(to actions: inout Actions<Self>) {
        actions.group("Managing")
        actions.add("y", name: "copy", "copy the text and the generated tokens", unless: \.whyNoRun) {
            .copy(($0.run?.tokens ?? []).joined(), what: "the text")
        }
        actions.add(
            "e", name: "export", "write the pane to a file (.csv, .safetensors, or .svg)", unless: \.whyNoRun
        ) { page in
            .export(
                "Export the chart", name: "\(page.chartName).csv", endings: [".csv", ".safetensors", ".svg"],
                then: { $0.export(to: $1) })
        }
    }

    // MARK: Why an action is unavailable

    private var whyNoRun: String? {
        run == nil ? "Run the model on some text first. Press i to type text, or M to choose the model." : nil
    }
    private var whyBusy: String? { operation == nil ? nil : "The model is running. Press x to cancel it." }
    private var whyNotChanged: String? { whyNoRun ?? whyBusy }
    private var whyNotStarted: String? {
        if order.model.isEmpty { return "choose a model first: press M" }
        return order.isEmpty ? "Nothing to read yet. Press i to type text." : whyBusy
    }
    private var whyNotContinued: String? {
        if let reason = whyNotChanged { return reason }
        guard let finish = run?.finish, second == nil || second?.finish != nil else { return nil }
        return "generation has ended: \(finish)"
    }
    private var whyNoStepBack: String? {
        if let whyNoRun { return whyNoRun }
        if !changes.isEmpty { return "A run with changed heads cannot step back. Press u to restore the heads." }
        let hasGenerated = [run, second].compactMap(\.self).contains { $0.tokens.count > $0.promptCount }
        return whyBusy ?? (hasGenerated ? nil : "Nothing generated yet. Press . to generate one token.")
    }
    private var whyWhole: String? { whyNoRun ?? (request.window.isWhole ? "all queries and keys are shown" : nil) }
    private var whyNoSearch: String? { search.isEmpty ? "search first: press /" : nil }

    /// The footer's word for Enter in the focused pane.
    private var wordingOfOpen: ActionWording? {
        guard run != nil else { return nil }
        return switch screen.focus {
        case .heads: ActionWording(hint: "show head")
        case .head: ActionWording(hint: "go to key")
        case .tokens: ActionWording(hint: "read token")
        case .reading: ActionWording(hint: "next reading")
        }
    }
}
