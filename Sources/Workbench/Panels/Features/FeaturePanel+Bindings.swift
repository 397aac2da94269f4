package import Console
internal import FeatureLab

/// What the features panel can be made to do.
package enum FeatureAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case circuits, dictionary, search, sort, activeHere, nextFeature, previousFeature
    case prompt, run, play, step, cancel, otherText, shading
    case off, stronger, weaker, set, undoChange, clearChanges, fromHere, keep, restore
    case label, copy, export, formula, find, nextMatch, previousMatch
    case model, clean, corrupt, answers, site, axes, method, grain
}

extension FeaturePanel {
    package static var bindings: [Binding<FeatureAction>] { moving + finding + running + changing + keeping + asking }

    private static var moving: [Binding<FeatureAction>] {
        let group = Binding<FeatureAction>.movingGroup
        return Binding.rows + [
            Binding("h", "left", .left, name: "left", description: "a token, feature or cell back", group: group),
            Binding("l", "right", .right, name: "right", description: "a token, feature or cell on", group: group),
            Binding(
                "enter", .open, name: "open", description: "show the feature; on a map, run what the cell stands for",
                group: group, hint: "open"),
        ] + Binding.panes + [
            Binding(
                "c", .circuits, name: "circuits", description: "circuits: patching and attribution, and back",
                group: group, hint: "circuits")
        ]
    }

    private static var finding: [Binding<FeatureAction>] {
        let group = "Finding features"
        return [
            Binding(
                "/", .search, name: "search", description: "by label, token: or active", group: group, hint: "search"),
            Binding(
                "a", .activeHere, name: "active", description: "list the features active on the text", group: group,
                hint: "active"),
            Binding("S", .sort, name: "sort", description: "the next order of the list", group: group),
            Binding("]", .nextFeature, name: "next-feature", description: "the next feature of the list", group: group),
            Binding(
                "[", .previousFeature, name: "previous-feature", description: "the feature before", group: group),
            Binding("d", .dictionary, name: "dictionary", description: "choose a dictionary", group: group),
        ]
    }

    private static var running: [Binding<FeatureAction>] {
        let group = "The text"
        return [
            Binding("p", .prompt, name: "prompt", description: "another text", group: group, hint: "text"),
            Binding(
                "r", .run, name: "run", description: "read it again with the changes, beside the untouched text",
                group: group, hint: "run"),
            Binding("space", .play, name: "play", description: "let text come, or stop it", group: group, hint: "play"),
            Binding(".", .step, name: "step", description: "one token more", group: group),
            Binding("x", .cancel, name: "cancel", description: "end what is running", group: group),
            Binding(
                "t", .otherText, name: "other-text", description: "the cursor into the changed text, and back",
                group: group),
            Binding(
                "K", .shading, name: "shading", description: "shade the changed text by KL, or by the feature",
                group: group),
        ]
    }

    private static var changing: [Binding<FeatureAction>] {
        let group = "Changing the feature"
        return [
            Binding(
                "0", .off, name: "off", description: "silence it, or let it speak again", group: group, hint: "off"),
            Binding("+", .stronger, name: "stronger", description: "twice as strong", group: group, hint: "stronger"),
            Binding("-", .weaker, name: "weaker", description: "half as strong", group: group),
            Binding("=", .set, name: "set", description: "hold it at an activation", group: group),
            Binding("u", .undoChange, name: "undo", description: "take the last change back", group: group),
            Binding("U", .clearChanges, name: "clear", description: "take all changes back", group: group),
            Binding(
                "T", .fromHere, name: "from-here",
                description: "changes hold from the cursor's token on, or from the first",
                group: group),
            Binding("W", .keep, name: "keep", description: "save the changes under a name", group: group).writing,
            Binding("B", .restore, name: "restore", description: "bring kept changes back", group: group),
        ]
    }

    private static var keeping: [Binding<FeatureAction>] {
        let group = "Keeping"
        return [
            Binding("L", .label, name: "label", description: "label the feature", group: group, hint: "label").writing,
            Binding(
                "f", .formula, name: "formula", description: "the formulas and sums of this pane, and back",
                group: group, hint: "formula"),
            Binding("F", .find, name: "find", description: "find words in the text", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "to the match before", group: group),
            Binding("y", .copy, name: "copy", description: "copy what is shown as Markdown", group: group),
            Binding(
                "e", .export, name: "export", description: "write it to a file (.json, .csv, .safetensors, .svg)",
                group: group),
        ]
    }
}

extension FeaturePanel {
    private static var asking: [Binding<FeatureAction>] {
        let group = "Circuits"
        return [
            Binding("M", .model, name: "model", description: "choose the model", group: group),
            Binding(
                "C", .clean, name: "clean", description: "the prompt with the answer", group: group, hint: "prompt"),
            Binding(
                "X", .corrupt, name: "corrupt", description: "the same prompt with another answer", group: group,
                hint: "corrupt"),
            Binding("A", .answers, name: "answers", description: "the two answers", group: group, hint: "answers"),
            Binding("s", .site, name: "site", description: "the next place to patch", group: group, hint: "place"),
            Binding("w", .axes, name: "axes", description: "by layer, head or position", group: group, hint: "axes"),
            Binding(
                "v", .method, name: "method", description: "patch, estimate by the gradient, or ablate", group: group,
                hint: "method"),
            Binding("b", .grain, name: "parts", description: "bars of components, heads or neurons", group: group),
        ]
    }
}

extension FeaturePanel {
    package func disabledReason(_ action: FeatureAction) -> String? {
        if showsCircuits, action != .circuits { return circuits.disabledReason(action) }
        return switch action {
        case .dictionary, .circuits, .prompt: nil
        case .search, .sort, .nextFeature, .previousFeature:
            dictionary == nil ? Self.noDictionary : nil
        case .left, .right:
            pane == .text || pane == .active
                ? text.isEmpty ? "read a text first: p" : nil : dictionary == nil ? Self.noDictionary : nil
        case .activeHere: dictionary == nil ? Self.noDictionary : text.isEmpty ? "read a text first: p" : nil
        case .run: text.prompt.isEmpty ? "there is no text yet: p" : nil
        case .play, .step: dictionary == nil ? Self.noDictionary : text.prompt.isEmpty ? "there is no text yet: p" : nil
        case .cancel: isRunning ? nil : "nothing is running"
        case .otherText, .shading: text.hasChanged ? nil : "change a feature and run the text first"
        case .off, .stronger, .weaker, .set, .label: target == nil ? "select a feature first" : nil
        case .fromHere: text.isEmpty ? "read a text first: p" : nil
        case .restore: dictionary == nil ? Self.noDictionary : nil
        case .undoChange, .clearChanges, .keep: changes.isEmpty ? "nothing is changed" : nil
        case .copy, .export: card == nil ? "open a feature first" : nil
        case .find: text.isEmpty ? "there is no text yet: p" : nil
        case .nextMatch, .previousMatch: text.shown.matches.isEmpty ? "find words first: F" : nil
        case .open where dictionary == nil && !offered.isEmpty: engine.canWrite ? nil : Self.readOnlyReason
        case .open: pane == .text ? "it opens what a list has" : nil
        case .model, .clean, .corrupt, .answers, .site, .axes, .method, .grain:
            "it belongs to the page of circuits: c goes there"
        default: nil
        }
    }

    static let noDictionary = "there is no dictionary: orrery feature train or add makes one"

    /// The feature that changes and labels are about.
    var target: Int? {
        switch pane {
        case .list: list.selected?.feature ?? card?.feature
        case .active: active.selected?.feature ?? card?.feature
        default: card?.feature
        }
    }
}
