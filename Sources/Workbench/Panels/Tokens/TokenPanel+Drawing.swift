package import Console
internal import Formatting
internal import Foundation
internal import LanguageModels
internal import ModelLab

extension TokenPanel {
    package func render(into surface: inout Surface, area: Rect, theme: Theme) {
        for placed in placedPanes {
            let isFocused = placed.pane == pane
            switch placed.pane {
            case .sessions: drawSessions(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .text: drawText(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .alternatives: drawAlternatives(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            case .live: drawLive(into: &surface, in: placed.area, theme: theme, isFocused: isFocused)
            }
        }
    }

    // MARK: Sessions

    private func drawSessions(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let frame = Frame("Sessions", count: FrameLabel(Format.count(tree.sessionCount)), isFocused: isFocused)
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme)
        tree.draw(into: &surface, in: inside, theme: theme, isFocused: isFocused, shown: answer?.id)
        ScrollBar(tree.list).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    // MARK: Text

    private func drawText(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(FrameLabel(textTitle), isFocused: isFocused)
        frame.details = textDetails.map { FrameLabel($0, role: .dim) }
        if !running.isEmpty || !queue.isEmpty {
            frame.trailing = [
                FrameLabel(queue.isEmpty ? "answering" : "answering, \(queue.count) queued", role: .success)
            ]
        }
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme)
        let parts = textParts(of: inside)
        guard session != nil else { return drawInvitation(into: &surface, in: inside, theme: theme) }
        text.draw(into: &surface, in: parts.text, theme: theme, isFocused: isFocused)
        if let compared {
            compared.text.draw(into: &surface, in: parts.other, theme: theme, isFocused: false)
            for row in parts.other.row..<parts.other.endRow {
                surface.put("│", at: Point(column: parts.other.column - 2, row: row), style: theme[.border])
            }
        }
        if !parts.course.isEmpty { course?.draw(into: &surface, in: parts.course, theme: theme) }
        drawLegend(into: &surface, in: parts.legend, theme: theme)
        guard !text.isWhole, inside.rows < area.rows else { return }
        let row = area.row + 1 + Int(text.fraction * Double(area.rows - 3))
        surface.put(
            theme.glyphs.scrollThumb, at: Point(column: area.endColumn - 1, row: row), style: theme[.scrollThumb])
    }

    /// Model of the visible text. The title of a long name leaves room for the state.
    private var textTitle: String {
        func short(_ name: String) -> String { name.truncated(toColumns: 32) }
        guard let session else { return "Prompt" }
        guard let answer else {
            return session.draft.model.isEmpty ? "Prompt" : "Prompt for \(short(session.draft.model))"
        }
        guard let other = compared?.generation else { return short(answer.modelTitle) }
        return "\(short(answer.modelTitle)) and \(short(other.modelTitle))"
    }

    private var textDetails: [String] {
        guard let answer else { return [] }
        var details: [String] = []
        if answer.steps.contains(where: { $0.id != nil || $0.logProbability != nil }) {
            details.append(Format.count(answer.steps.count, "output token"))
            if let rate = answer.tokensPerSecond {
                details.append(Format.rate(rate, "tokens"))
            }
        }
        if answer.outcome.state != .running { details.append(answer.outcome.finish) }
        return details
    }

    private func drawInvitation(into surface: inout Surface, in area: Rect, theme: Theme) {
        var lines: [StyledLine] = []
        if knownModels?.isEmpty == true {
            lines.append(StyledLine("No models yet.", .strong))
            lines.append("")
            lines.append(StyledLine("Press A to add a model, or run this in a shell:", .text))
            lines.append(StyledLine("orrery model add PATH", .code))
            lines.append(StyledLine("orrery model add openai:gpt-4o-mini", .code))
            lines.append(StyledLine("PATH: a GGUF file, or a folder with config.json", .dim))
            lines.append("")
        }
        lines.append(StyledLine("a  starts a session", .dim))
        lines.append(StyledLine("M  chooses the model", .dim))
        lines.append(StyledLine("i  sends a message", .dim))
        let inside = area.inset(columns: 2)
        for (row, line) in lines.enumerated() where row < inside.rows - 1 {
            surface.put(
                line, at: Point(column: inside.column, row: inside.row + 1 + row), theme: theme, width: inside.columns)
        }
    }

    private func drawLegend(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        var area = area
        let noteLines = noteLines(columns: area.columns)
        if let note, area.rows == 2, noteLines.count > 1 {
            surface.put(note, at: area.takeTop(1).origin, style: theme[.dim], width: area.columns)
        } else {
            for line in noteLines where area.rows > 1 {
                surface.put(line, at: area.takeTop(1).origin, theme: theme, width: area.columns)
            }
        }
        var line = StyledLine()
        if let comparison {
            line.append(comparison, .accent)
        } else if session?.isDraftChanged == true {
            line.append("the prompt has changed: r runs it again", .warning)
        } else if answer?.outcome.state == .failed {
            line.append("r tries again", .dim)
        } else if let answer, answer.silence(Format.probability) != nil {
            if case .messages = answer.document.input { line.append("t continues as plain text  ", .dim) }
            line.append("M changes the model  E edits the prompt", .dim)
        } else if answer == nil, !running.isEmpty {
            line.append("waiting for the first token", .dim)
        } else if answer == nil {
            line.append(
                session?.draft.isEmpty == true ? "i sends a message, E edits the whole prompt" : "r runs the prompt",
                .dim)
        } else {
            let legend = coloring.legend
            if coloring != .none { line.append(coloring.rawValue + "  ", .dim) }
            if answer?.steps.contains(where: { coloring.role(of: $0, medianSeconds: 1) != nil }) == false {
                line.append("not reported by \(answer?.model ?? "the model")", .faint)
            } else {
                for part in legend {
                    line.append(part.text, part.role)
                    line.append("  ")
                }
            }
        }
        surface.put(line, at: area.origin, theme: theme, width: area.columns)
    }

    /// Line about the common tokens and the difference of two compared answers.
    private var comparison: String? {
        guard let answer, let other = compared?.generation else { return nil }
        let common = zip(answer.steps, other.steps).prefix { $0.text == $1.text }.count
        var words = ["identical for \(common) token\(common == 1 ? "" : "s")"]
        if common < answer.steps.count, common < other.steps.count {
            let here = AlternativesTable.visible(answer.steps[common].text)
            words.append("then \(here) vs. \(AlternativesTable.visible(other.steps[common].text))")
        }
        if let here = answer.logProbability, let there = other.logProbability {
            words.append("log p \(Format.fixed(here, digits: 3)) vs. \(Format.fixed(there, digits: 3))")
        }
        return words.joined(separator: ", ")
    }

    // MARK: Alternatives

    private func drawAlternatives(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame("Alternatives", isFocused: isFocused)
        guard let (index, step) = step else {
            if case .prompt(let index)? = text.cursorPiece, let answer, answer.prompt.indices.contains(index) {
                let token = answer.prompt[index]
                frame = Frame(FrameLabel("Prompt token \(index + 1)"), isFocused: isFocused)
                frame.details = [
                    FrameLabel(AlternativesTable.visible(token.text), role: .accent),
                    FrameLabel("id \(token.id)", role: .dim),
                ]
            }
            let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme).inset(columns: 1)
            surface.put(
                promptTokenLine, at: inside.origin, theme: theme, width: inside.columns)
            return
        }
        frame = Frame(FrameLabel("Token \(index + 1)"), isFocused: isFocused)
        frame.details = [FrameLabel(AlternativesTable.visible(step.text), role: .accent)]
        if answer?.parent?.step == index { frame.details.append(FrameLabel("chosen by hand", role: .accent)) }
        if let id = step.id { frame.details.append(FrameLabel("id \(id)", role: .dim)) }
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme)
        var rows = inside.inset(columns: 1)
        let figures = rows.takeTop(min(1, rows.rows))
        surface.put(figuresLine(of: step), at: figures.origin, theme: theme, width: figures.columns)
        let stages = rows.takeTop(min(1, rows.rows))
        surface.put(AlternativesTable.stagesLine(of: step), at: stages.origin, theme: theme, width: stages.columns)
        guard step.alternatives != nil else {
            surface.put(
                StyledLine("alternatives: not reported", .faint), at: rows.origin, theme: theme, width: rows.columns)
            return
        }
        AlternativesTable(step: step).draw(
            alternatives, into: &surface, in: alternativeRows(of: inside), theme: theme, isFocused: isFocused)
        ScrollBar(alternatives).draw(into: &surface, onBorderOf: area, theme: theme)
    }

    private func figuresLine(of step: TokenStep) -> StyledLine {
        var line = StyledLine()
        func add(_ name: String, _ value: String?) {
            if !line.runs.isEmpty { line.append("  ") }
            line.append(name + " ", .dim)
            line.append(value ?? "not reported", value == nil ? .faint : .text)
        }
        add("p", step.logProbability.map { Format.probability(exp($0)) })
        add("entropy", step.entropy.map { Format.fixed($0, digits: 2) + " nat" })
        add("time", step.seconds.map { Format.duration(seconds: $0) })
        return line
    }

    private var promptTokenLine: StyledLine {
        guard case .prompt(let index)? = text.cursorPiece, let answer, answer.prompt.indices.contains(index) else {
            return StyledLine("Move to a token in an answer.", .dim)
        }
        let token = answer.prompt[index]
        var line = StyledLine("\(index + 1) of \(answer.prompt.count) prompt tokens, from ", .dim)
        line.append(token.origin.name, TokenColoring.role(of: token.origin))
        return line
    }

    // MARK: Live

    private func drawLive(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var frame = Frame(live == nil && answer != nil ? "Generation" : "Live", isFocused: isFocused)
        if let live { frame.details = [FrameLabel(live.title, role: .dim)] }
        let inside = frame.drawIfRoom(into: &surface, in: area, theme: theme)
        guard let live else {
            if let figures { return figures.draw(into: &surface, in: inside.inset(columns: 1), theme: theme) }
            let lines = ProseLines.of(
                StyledLine(
                    "Shows a model running in this process: speed, KV cache pages, and where time goes.", .dim),
                columns: max(1, inside.columns - 2))
            for (row, line) in lines.enumerated() where row < inside.rows {
                surface.put(
                    line, at: Point(column: inside.column + 1, row: inside.row + row), theme: theme,
                    width: inside.columns - 2)
            }
            return
        }
        live.draw(operations, into: &surface, in: inside, theme: theme, isFocused: isFocused)
        ScrollBar(operations).draw(into: &surface, onBorderOf: area, theme: theme)
    }
}
