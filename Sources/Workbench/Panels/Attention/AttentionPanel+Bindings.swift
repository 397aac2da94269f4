package import Console

/// Actions of the attention panel.
package enum AttentionAction: MovingAction {
    case moveDown, moveUp, pageDown, pageUp, toTop, toEnd, left, right, open, back, nextPane, previousPane, zoom
    case prompt, editPrompt, model, run, play, step, stepBack, cancel
    case toggleHead, scaleHead, resetHeads, compare, side
    case measure, weighting, pooling, shading, nextReading, previousReading, sums, target, range
    case zoomIn, zoomOut, whole, strongest, search, nextMatch, previousMatch, export, copy
}

extension AttentionPanel {
    package static var bindings: [Binding<AttentionAction>] { moving + running + changing + reading + keeping }

    private static var moving: [Binding<AttentionAction>] {
        let group = Binding<AttentionAction>.movingGroup
        return Binding.rows + [
            Binding(
                "h", "left", .left, name: "left", description: "go to the previous head, key, or token", group: group),
            Binding(
                "l", "right", .right, name: "right", description: "go to the next head, key, or token", group: group),
            Binding(
                "enter", .open, name: "open", description: "run the text, enlarge the head, or go to the key",
                group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var running: [Binding<AttentionAction>] {
        let group = "Running"
        return [
            Binding("i", .prompt, name: "prompt", description: "enter the text", group: group, hint: "text"),
            Binding("E", .editPrompt, name: "edit", description: "edit the text in your editor", group: group),
            Binding("M", .model, name: "model", description: "choose the model", group: group, hint: "model"),
            Binding("r", .run, name: "run", description: "run the model on the text", group: group, hint: "run"),
            Binding(
                "space", .play, name: "play", description: "generate text, or pause", group: group,
                hint: "play"),
            Binding(".", .step, name: "step", description: "generate one token", group: group, hint: "step"),
            Binding(",", .stepBack, name: "step-back", description: "remove the last token", group: group),
            Binding("x", .cancel, name: "cancel", description: "cancel the current run", group: group, hint: "cancel"),
        ]
    }

    private static var changing: [Binding<AttentionAction>] {
        let group = "Changing"
        return [
            Binding(
                "f", .toggleHead, name: "head-off", description: "turn the head off for the whole text, or back on",
                group: group, hint: "head off"),
            Binding(
                "F", .scaleHead, name: "head-scale", description: "scale the head's output, starting at a given token",
                group: group),
            Binding("u", .resetHeads, name: "untouched", description: "restore all heads", group: group),
            Binding(
                "d", .compare, name: "compare", description: "compare with another text or model, or stop comparing",
                group: group, hint: "compare"),
            Binding(
                "s", .side, name: "side", description: "show A, B, or their difference", group: group, hint: "side"),
        ]
    }

    private static var reading: [Binding<AttentionAction>] {
        let group = "Reading"
        return [
            Binding(
                "c", .measure, name: "measure", description: "color the heads by the next score", group: group,
                hint: "score"),
            Binding(
                "v", .weighting, name: "values", description: "weight attention by the norm of the values",
                group: group),
            Binding("m", .pooling, name: "pooling", description: "show the maximum or mean of each cell", group: group),
            Binding(
                "t", .shading, name: "shading", description: "shade what the token attends to, or what attends to it",
                group: group, hint: "shade"),
            Binding(
                "]", .nextReading, name: "next-reading", description: "show the next reading", group: group,
                hint: "reading"),
            Binding(
                "[", .previousReading, name: "previous-reading", description: "show the previous reading", group: group),
            Binding("=", .sums, name: "sums", description: "show or hide formulas and sums", group: group),
            Binding("T", .target, name: "target", description: "choose the token that the lens ranks", group: group),
            Binding(
                "R", .range, name: "range", description: "show attention to a range of tokens: 12-40", group: group),
            Binding(
                "+", .zoomIn, name: "zoom-in", description: "zoom in on queries and keys around the cursor",
                group: group),
            Binding("-", .zoomOut, name: "zoom-out", description: "zoom out to more queries and keys", group: group),
            Binding("w", .whole, name: "whole", description: "zoom out to all queries and keys", group: group),
            Binding(
                "p", .strongest, name: "strongest", description: "go to the key with the greatest weight", group: group),
            Binding("/", .search, name: "find", description: "find text", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "go to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "go to the previous match", group: group),
        ]
    }

    private static var keeping: [Binding<AttentionAction>] {
        let group = "Managing"
        return [
            Binding("y", .copy, name: "copy", description: "copy the text and the generated tokens", group: group),
            Binding(
                "e", .export, name: "export", description: "write the pane to a file (.csv, .safetensors, or .svg)",
                group: group),
        ]
    }

    package func disabledReason(_ action: AttentionAction) -> String? {
        let needsRun =
            run == nil ? "Run the model on some text first. Press i to type text, or M to choose the model." : nil
        switch action {
        case .run:
            if order.model.isEmpty { return "choose a model first: press M" }
            return order.isEmpty ? "Nothing to read yet. Press i to type text." : busy
        case .play: return needsRun ?? (work == .generating ? nil : busy ?? over)
        case .step: return needsRun ?? busy ?? over
        case .stepBack:
            if let needsRun { return needsRun }
            if !changes.isEmpty { return "A run with changed heads cannot step back. Press u to restore the heads." }
            return busy ?? (hasCome ? nil : "Nothing generated yet. Press . to generate one token.")
        case .cancel: return work == nil ? "nothing is running" : nil
        case .toggleHead, .scaleHead: return needsRun ?? busy
        case .resetHeads: return changes.isEmpty ? "no head is changed" : busy
        case .compare: return second == nil ? needsRun ?? busy : busy
        case .side: return second == nil ? "Nothing to compare with. Press d to choose a text or model." : nil
        case .editPrompt: return order.text == nil ? "the prompt is available only as tokens" : nil
        case .zoomIn:
            return needsRun ?? (request.window.isLeast ? "\(HeadWindow.least) queries and keys are the minimum" : nil)
        case .zoomOut, .whole: return needsRun ?? (request.window.isWhole ? "all queries and keys are shown" : nil)
        case .strongest:
            return needsRun ?? (look?.attended == nil ? "the weights of this token are not available" : nil)
        case .measure, .weighting, .pooling, .shading, .target, .range, .search, .copy, .export, .nextReading,
            .previousReading, .moveDown, .moveUp, .pageDown, .pageUp, .toTop, .toEnd, .left, .right:
            return needsRun
        case .nextMatch, .previousMatch: return search.isEmpty ? "search first: press /" : nil
        default: return nil
        }
    }

    /// Returns the footer's words, such as the action of Enter in the focused pane.
    package func wording(_ action: AttentionAction) -> ActionWording? {
        if action == .compare, second != nil, changes.isEmpty { return ActionWording(hint: "end comparison") }
        guard action == .open, run != nil else { return nil }
        return switch pane {
        case .heads: ActionWording(hint: "show head")
        case .head: ActionWording(hint: "go to key")
        case .tokens: ActionWording(hint: "read token")
        case .reading: ActionWording(hint: "next reading")
        }
    }

    /// Whether a run has generated tokens.
    private var hasCome: Bool {
        [run, second].contains { run in run.map { $0.tokens.count > $0.promptCount } ?? false }
    }

    private var busy: String? { work == nil ? nil : "The model is running. Press x to cancel it." }
    private var over: String? {
        guard let finish = run?.finish, second == nil || second?.finish != nil else { return nil }
        return "generation has ended: \(finish)"
    }
}
