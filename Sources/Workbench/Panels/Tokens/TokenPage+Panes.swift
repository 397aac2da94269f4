internal import Console
internal import Formatting
internal import Foundation
internal import LanguageModels
internal import ModelLab

extension TokenPage {
    package static var panes: [Pane<Self>] { [sessionList, answerText, alternativeList, liveState] }

    /// Returns no name: the borders have no room for the hidden panes.
    package static func word(of pane: PaneName) -> String? { "" }

    private static var sessionList: Pane<Self> {
        .list(
            .sessions, \.tree.rows,
            frame: { Frame("Sessions", count: FrameLabel(Format.count($0.tree.sessionCount))) }
        ) { $0.tree.addColumns(to: &$1, shown: $0.answer?.id) }
    }

    private static var answerText: Pane<Self> {
        .canvas(
            .text, frame: \.textFrame, move: { $0.moveText($1) }, press: { $0.press(at: $1, in: $2) },
            scroll: { $0.text.scroll(by: $1) }, fit: { $0.fitText($1) },
            fraction: { $0.session == nil || $0.text.isWhole ? nil : $0.text.fraction },
            draw: { $0.drawText(into: &$1, in: $2, theme: $3) })
    }

    private mutating func press(at point: Point, in area: Rect) {
        let parts = textParts(of: area)
        if let item = text.item(at: point, in: parts.text) {
            text.stand(at: item)
            cursorMoved()
        } else if let step = course?.step(at: point, in: parts.course) {
            stand(on: .step(step))
        }
    }

    private static var alternativeList: Pane<Self> {
        .rows(
            .alternatives, \.alternatives, frame: \.alternativesFrame,
            part: { Table([]).rowsArea(in: alternativeRows(of: $1)) }
        ) { $0.drawAlternatives(into: &$1, in: $2, theme: $3, isFocused: $4) }
    }

    private var alternativesFrame: Frame {
        if let promptToken {
            return Frame(
                FrameLabel("Prompt token \(promptToken.index + 1)"),
                details: [
                    FrameLabel(AlternativesTable.visible(promptToken.token.text), role: .accent),
                    FrameLabel("id \(promptToken.token.id)", role: .dim),
                ])
        }
        guard let (index, step) = step else { return Frame("Alternatives") }
        var frame = Frame(FrameLabel("Token \(index + 1)"))
        frame.details = [FrameLabel(AlternativesTable.visible(step.text), role: .accent)]
        if answer?.parent?.step == index { frame.details.append(FrameLabel("chosen by hand", role: .accent)) }
        if let id = step.id { frame.details.append(FrameLabel("id \(id)", role: .dim)) }
        return frame
    }

    /// Token of the prompt under the cursor, with its index.
    private var promptToken: (index: Int, token: PromptToken)? {
        guard case .prompt(let index)? = text.cursorPiece, let answer, answer.prompt.indices.contains(index) else {
            return nil
        }
        return (index, answer.prompt[index])
    }

    private func drawAlternatives(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        var rows = area.inset(columns: 1)
        func put(_ line: StyledLine) {
            let top = rows.takeTop(min(1, rows.rows))
            surface.put(line, at: top.origin, theme: theme, width: top.columns)
        }
        guard let step = step?.step else { return put(promptTokenLine) }
        put(figuresLine(of: step))
        put(AlternativesTable.stagesLine(of: step))
        guard step.alternatives != nil else { return put(StyledLine("alternatives: not reported", .faint)) }
        AlternativesTable(step: step).draw(
            alternatives, into: &surface, in: Self.alternativeRows(of: area), theme: theme, isFocused: isFocused)
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
        guard let (index, token) = promptToken, let answer else {
            return StyledLine("Move to a token in an answer.", .dim)
        }
        var line = StyledLine("\(index + 1) of \(answer.prompt.count) prompt tokens, from ", .dim)
        line.append(token.origin.name, TokenColoring.role(of: token.origin))
        return line
    }

    private static var liveState: Pane<Self> {
        .rows(
            .live, \.operations,
            frame: { page in
                var frame = Frame(page.live == nil && page.answer != nil ? "Generation" : "Live")
                if let live = page.live { frame.details = [FrameLabel(live.title, role: .dim)] }
                return frame
            }, part: { page, area in page.live?.operationRows(in: area) ?? area }
        ) { page, surface, area, theme, isFocused in
            if let live = page.live {
                live.draw(page.operations, into: &surface, in: area, theme: theme, isFocused: isFocused)
            } else if let figures = page.figures {
                figures.draw(into: &surface, in: area.inset(columns: 1), theme: theme)
            } else {
                let sentence = "Shows a model running in this process: speed, KV cache pages, and where time goes."
                ProseLines.draw(sentence, .dim, into: &surface, in: area.inset(columns: 1), theme: theme)
            }
        }
    }
}
