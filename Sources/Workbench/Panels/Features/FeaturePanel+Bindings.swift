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
            Binding("h", "left", .left, name: "left", description: "go back one token, feature, or cell", group: group),
            Binding(
                "l", "right", .right, name: "right", description: "go forward one token, feature, or cell", group: group
            ),
            Binding(
                "enter", .open, name: "open", description: "open the feature; in a circuit map, run the cell",
                group: group, hint: "open"),
        ] + Binding.panes + [
            Binding(
                "c", .circuits, name: "circuits", description: "switch between features and circuits",
                group: group, hint: "circuits")
        ]
    }

    private static var finding: [Binding<FeatureAction>] {
        let group = "Finding"
        return [
            Binding(
                "/", .search, name: "search", description: "search by label, token (token: the), or activity (active)",
                group: group,
                hint: "search"),
            Binding(
                "a", .activeHere, name: "active", description: "list the features active on the text", group: group,
                hint: "active"),
            Binding("S", .sort, name: "sort", description: "change the sort order of the list", group: group),
            Binding(
                "]", .nextFeature, name: "next-feature", description: "go to the next feature in the list", group: group
            ),
            Binding(
                "[", .previousFeature, name: "previous-feature", description: "go to the previous feature in the list",
                group: group),
            Binding("d", .dictionary, name: "dictionary", description: "choose the dictionary", group: group),
        ]
    }

    private static var running: [Binding<FeatureAction>] {
        let group = "Running"
        return [
            Binding("p", .prompt, name: "prompt", description: "enter another text", group: group, hint: "text"),
            Binding(
                "r", .run, name: "run", description: "run the text again with the changes, next to the original",
                group: group, hint: "run"),
            Binding("space", .play, name: "play", description: "generate text, or pause", group: group, hint: "play"),
            Binding(".", .step, name: "step", description: "generate one token", group: group),
            Binding("x", .cancel, name: "cancel", description: "cancel the current run", group: group),
            Binding(
                "t", .otherText, name: "other-text", description: "switch between the original and the changed text",
                group: group),
            Binding(
                "K", .shading, name: "shading", description: "shade the changed text by KL or by the feature",
                group: group),
        ]
    }

    private static var changing: [Binding<FeatureAction>] {
        let group = "Changing"
        return [
            Binding(
                "0", .off, name: "off", description: "turn the feature off, or on again", group: group, hint: "off"),
            Binding(
                "+", .stronger, name: "stronger", description: "double the feature's activation", group: group,
                hint: "stronger"),
            Binding("-", .weaker, name: "weaker", description: "halve the feature's activation", group: group),
            Binding("=", .set, name: "set", description: "set the feature to an activation", group: group),
            Binding("u", .undoChange, name: "undo", description: "undo the last change", group: group),
            Binding("U", .clearChanges, name: "clear", description: "undo all changes", group: group),
            Binding(
                "T", .fromHere, name: "from-here",
                description: "apply changes starting at the cursor's token, or at the first token",
                group: group),
            Binding("W", .keep, name: "keep", description: "save the changes under a name", group: group).writing,
            Binding("B", .restore, name: "restore", description: "restore saved changes", group: group),
        ]
    }

    private static var keeping: [Binding<FeatureAction>] {
        let reading = "Reading"
        let group = "Managing"
        return [
            Binding(
                "f", .formula, name: "formula", description: "show or hide formulas and sums",
                group: reading, hint: "formula"),
            Binding("F", .find, name: "find", description: "find text", group: reading),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: reading),
            Binding(
                "N", .previousMatch, name: "previous-match", description: "go to the previous match", group: reading),
            Binding("L", .label, name: "label", description: "label the feature", group: group, hint: "label").writing,
            Binding("y", .copy, name: "copy", description: "copy the feature or the map as Markdown", group: group),
            Binding(
                "e", .export, name: "export",
                description: "write the pane to a file (.json, .csv, .safetensors, or .svg)",
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
                "C", .clean, name: "clean", description: "enter the clean prompt", group: group,
                hint: "prompt"),
            Binding(
                "X", .corrupt, name: "corrupt", description: "enter the corrupt prompt", group: group,
                hint: "corrupt"),
            Binding(
                "A", .answers, name: "answers", description: "enter the two answers", group: group, hint: "answers"),
            Binding("s", .site, name: "site", description: "patch at the next site", group: group, hint: "site"),
            Binding(
                "w", .axes, name: "axes", description: "change the axes: layer, head, or position", group: group,
                hint: "axes"),
            Binding(
                "v", .method, name: "method", description: "change the method: patching, attribution, or ablation",
                group: group,
                hint: "method"),
            Binding(
                "b", .grain, name: "parts", description: "show bars of components, heads, or neurons", group: group),
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
                ? text.isEmpty ? "enter text first: press p" : nil : dictionary == nil ? Self.noDictionary : nil
        case .activeHere: dictionary == nil ? Self.noDictionary : text.isEmpty ? "enter text first: press p" : nil
        case .run: text.prompt.isEmpty ? "no text yet: press p" : nil
        case .play, .step: dictionary == nil ? Self.noDictionary : text.prompt.isEmpty ? "no text yet: press p" : nil
        case .cancel: isRunning ? nil : "nothing is running"
        case .otherText, .shading: text.hasChanged ? nil : "change a feature and run the text first"
        case .off, .stronger, .weaker, .set, .label: target == nil ? "select a feature first" : nil
        case .fromHere: text.isEmpty ? "enter text first: press p" : nil
        case .restore: dictionary == nil ? Self.noDictionary : nil
        case .undoChange, .clearChanges, .keep: changes.isEmpty ? "no feature is changed" : nil
        case .copy, .export: card == nil ? "open a feature first" : nil
        case .find: text.isEmpty ? "no text yet: press p" : nil
        case .nextMatch, .previousMatch: text.shown.matches.isEmpty ? "find words first: press F" : nil
        case .open where dictionary == nil && !offered.isEmpty: engine.canWrite ? nil : Self.readOnlyReason
        case .open: pane == .text ? "Enter opens features from a list" : nil
        case .model, .clean, .corrupt, .answers, .site, .axes, .method, .grain:
            "works only in circuits: press c"
        default: nil
        }
    }

    static let noDictionary = "no dictionary yet: create one with orrery feature train or add"

    /// The feature that changes and labels are about.
    var target: Int? {
        switch pane {
        case .list: list.selected?.feature ?? card?.feature
        case .active: active.selected?.feature ?? card?.feature
        default: card?.feature
        }
    }
}
