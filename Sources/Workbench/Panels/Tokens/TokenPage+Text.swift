internal import Console
internal import Formatting
internal import LanguageModels
internal import ModelLab

extension TokenPage {
    var textFrame: Frame {
        var frame = Frame(FrameLabel(textTitle), details: textDetails.map { FrameLabel($0, role: .dim) })
        if !running.isEmpty || !queue.isEmpty {
            frame.trailing = [
                FrameLabel(queue.isEmpty ? "answering" : "answering, \(queue.count) queued", role: .success)
            ]
        }
        return frame
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
            if let rate = answer.tokensPerSecond { details.append(Format.rate(rate, "tokens")) }
        }
        if answer.outcome.state != .running { details.append(answer.outcome.finish) }
        return details
    }

    func drawText(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard session != nil else { return drawInvitation(into: &surface, in: area, theme: theme) }
        let parts = textParts(of: area)
        text.draw(into: &surface, in: parts.text, theme: theme, isFocused: screen.focus == .text)
        if let compared {
            compared.text.draw(into: &surface, in: parts.other, theme: theme, isFocused: false)
            for row in parts.other.row..<parts.other.endRow {
                surface.put("│", at: Point(column: parts.other.column - 2, row: row), style: theme[.border])
            }
        }
        if !parts.course.isEmpty { course?.draw(into: &surface, in: parts.course, theme: theme) }
        drawLegend(into: &surface, in: parts.legend, theme: theme)
    }

    private func drawInvitation(into surface: inout Surface, in area: Rect, theme: Theme) {
        var lines: [StyledLine] = []
        if knownModels?.isEmpty == true {
            lines += [
                StyledLine("No models yet.", .strong), "",
                StyledLine("Press A to add a model, or run this in a shell:", .text),
                StyledLine("orrery model add PATH", .code),
                StyledLine("orrery model add openai:gpt-4o-mini", .code),
                StyledLine("PATH: a GGUF file, or a folder with config.json", .dim), "",
            ]
        }
        lines += ["a  starts a session", "M  chooses the model", "i  sends a message"].map { StyledLine($0, .dim) }
        let inside = area.inset(columns: 1)
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
        surface.put(legend, at: area.origin, theme: theme, width: area.columns)
    }

    /// The line below the text: what to press next, or the scale of the colors.
    private var legend: StyledLine {
        if let comparison { return StyledLine(comparison, .accent) }
        if session?.isDraftChanged == true {
            return StyledLine("the prompt has changed: r runs it again", .warning)
        }
        guard let answer else {
            if !running.isEmpty { return StyledLine("waiting for the first token", .dim) }
            return StyledLine(
                session?.draft.isEmpty == true ? "i sends a message, E edits the whole prompt" : "r runs the prompt",
                .dim)
        }
        if answer.outcome.state == .failed { return StyledLine("r tries again", .dim) }
        var line = StyledLine()
        if answer.silence(Format.probability) != nil {
            if case .messages = answer.document.input { line.append("t continues as plain text  ", .dim) }
            line.append("M changes the model  E edits the prompt", .dim)
            return line
        }
        if coloring != .none { line.append(coloring.rawValue + "  ", .dim) }
        guard answer.steps.contains(where: { coloring.role(of: $0, medianSeconds: 1) != nil }) else {
            line.append("not reported by \(answer.model)", .faint)
            return line
        }
        for part in coloring.legend {
            line.append(part.text, part.role)
            line.append("  ")
        }
        return line
    }

    /// Line about the common tokens and the difference of two compared answers.
    private var comparison: String? {
        guard let answer, let other = compared?.generation else { return nil }
        let common = answer.commonSteps(with: other)
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
}
