package import Console

/// What the attention panel can be made to do.
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
            Binding("h", "left", .left, name: "left", description: "to the head, key or token before", group: group),
            Binding("l", "right", .right, name: "right", description: "to the next head, key or token", group: group),
            Binding(
                "enter", .open, name: "open", description: "show the head large, or go to the key; at first: run",
                group: group, hint: "open"),
        ] + Binding.panes
    }

    private static var running: [Binding<AttentionAction>] {
        let group = "Running"
        return [
            Binding("i", .prompt, name: "prompt", description: "type the text", group: group, hint: "text"),
            Binding("E", .editPrompt, name: "edit", description: "edit the text in your editor", group: group),
            Binding("M", .model, name: "model", description: "choose the model", group: group, hint: "model"),
            Binding("r", .run, name: "run", description: "have the model read the text", group: group, hint: "run"),
            Binding(
                "space", .play, name: "play", description: "generate more text, or pause", group: group,
                hint: "play"),
            Binding(".", .step, name: "step", description: "one token more", group: group, hint: "step"),
            Binding(",", .stepBack, name: "step-back", description: "take the last token back", group: group),
            Binding("x", .cancel, name: "cancel", description: "end what is running", group: group, hint: "cancel"),
        ]
    }

    private static var changing: [Binding<AttentionAction>] {
        let group = "Changing"
        return [
            Binding(
                "f", .toggleHead, name: "head-off", description: "turn the head off or on, in the whole text",
                group: group, hint: "head off"),
            Binding(
                "F", .scaleHead, name: "head-scale", description: "scale what the head writes, from a token on",
                group: group),
            Binding("u", .resetHeads, name: "untouched", description: "all heads as they were", group: group),
            Binding(
                "d", .compare, name: "compare", description: "hold another text or model against it, and end that",
                group: group, hint: "compare"),
            Binding("s", .side, name: "side", description: "show A, B or their difference", group: group, hint: "side"),
        ]
    }

    private static var reading: [Binding<AttentionAction>] {
        let group = "Reading"
        return [
            Binding(
                "c", .measure, name: "measure", description: "color the heads by another score", group: group,
                hint: "score"),
            Binding(
                "v", .weighting, name: "values", description: "weigh attention by the length of the values",
                group: group),
            Binding("m", .pooling, name: "pooling", description: "cells show the greatest or the mean", group: group),
            Binding(
                "t", .shading, name: "shading", description: "shade what the token attends to, or what attends to it",
                group: group, hint: "shade"),
            Binding(
                "]", .nextReading, name: "next-reading", description: "the next reading", group: group, hint: "reading"),
            Binding("[", .previousReading, name: "previous-reading", description: "the reading before", group: group),
            Binding("=", .sums, name: "sums", description: "formulas, and whether the sums hold", group: group),
            Binding("T", .target, name: "target", description: "the token whose rank the lens tells", group: group),
            Binding("R", .range, name: "range", description: "attention to a stretch of tokens: 12-40", group: group),
            Binding(
                "+", .zoomIn, name: "zoom-in", description: "fewer queries and keys about the cursor", group: group),
            Binding("-", .zoomOut, name: "zoom-out", description: "more queries and keys", group: group),
            Binding("w", .whole, name: "whole", description: "all queries and keys", group: group),
            Binding("p", .strongest, name: "strongest", description: "to the key of greatest weight", group: group),
            Binding("/", .search, name: "find", description: "find text among the tokens", group: group),
            Binding("n", .nextMatch, name: "next-match", description: "to the next match", group: group),
            Binding("N", .previousMatch, name: "previous-match", description: "to the match before", group: group),
        ]
    }

    private static var keeping: [Binding<AttentionAction>] {
        let group = "Keeping"
        return [
            Binding("y", .copy, name: "copy", description: "copy the text with what came", group: group),
            Binding(
                "e", .export, name: "export", description: "write the chart of this pane (.csv, .safetensors, .svg)",
                group: group),
        ]
    }

    package func disabledReason(_ action: AttentionAction) -> String? {
        let needsRun = run == nil ? "run a text first: i types one, M chooses the model" : nil
        switch action {
        case .run:
            if order.model.isEmpty { return "choose a model first: press M" }
            return order.isEmpty ? "there is nothing to read yet: i types a text" : busy
        case .play: return needsRun ?? (work == .generating ? nil : busy ?? over)
        case .step: return needsRun ?? busy ?? over
        case .stepBack:
            if let needsRun { return needsRun }
            if !changes.isEmpty { return "a changed run goes forward only: u takes the changes back" }
            return busy ?? (hasCome ? nil : "nothing has come yet: . lets one token come")
        case .cancel: return work == nil ? "nothing is running" : nil
        case .toggleHead, .scaleHead: return needsRun ?? busy
        case .resetHeads: return changes.isEmpty ? "no head is changed" : busy
        case .compare: return second == nil ? needsRun ?? busy : busy
        case .side: return second == nil ? "there is nothing to compare with: press d" : nil
        case .editPrompt: return order.text == nil ? "this prompt is known by its tokens only" : nil
        case .zoomIn:
            return needsRun ?? (request.window.isLeast ? "\(HeadWindow.least) queries and keys are the fewest" : nil)
        case .zoomOut, .whole: return needsRun ?? (request.window.isWhole ? "all queries and keys are shown" : nil)
        case .strongest: return needsRun ?? (look?.attended == nil ? "the weights of this token are not known" : nil)
        case .measure, .weighting, .pooling, .shading, .target, .range, .search, .copy, .export, .nextReading,
            .previousReading, .moveDown, .moveUp, .pageDown, .pageUp, .toTop, .toEnd, .left, .right:
            return needsRun
        case .nextMatch, .previousMatch: return search.isEmpty ? "search first: press /" : nil
        default: return nil
        }
    }

    /// The action of Enter in the focused pane.
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

    /// Whether a token came behind a text.
    private var hasCome: Bool {
        [run, second].contains { run in run.map { $0.tokens.count > $0.promptCount } ?? false }
    }

    private var busy: String? { work == nil ? nil : "something is running: x ends it" }
    private var over: String? {
        guard let finish = run?.finish, second == nil || second?.finish != nil else { return nil }
        return "it is over: \(finish)"
    }
}
