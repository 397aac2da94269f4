internal import Console
internal import Formatting
internal import Interpretability
internal import Presentation

extension OpenCircuit {
    // MARK: The map

    /// Layers or heads go down, tokens or heads across.
    var heatmap: Heatmap? {
        guard let reading, !reading.map.rows.labels.isEmpty, !reading.map.columns.labels.isEmpty else { return nil }
        let map = reading.map
        let grid = HeatGrid(
            rows: map.rows.labels.count, columns: map.columns.labels.count, values: map.scores.map(Float.init))
        var heatmap = Heatmap(
            grid, scale: .diverging(limit: Float(map.greatestMagnitude)), cursor: cursor,
            rowLabels: map.rows.labels.indices.map(reading.rowName),
            columnLabels: map.columns.labels.indices.map { ShadedTokens.visible(reading.columnName($0)) })
        heatmap.isSquare = false
        return heatmap
    }

    /// Number of rows above the map that show the question.
    private static func questionRows(_ inside: Rect) -> Int { inside.rows >= 12 ? 4 : 0 }

    /// Returns the area of the map, between the question and two rows for its scale and metric.
    static func plot(_ inside: Rect) -> Rect {
        var rest = inside
        _ = rest.takeTop(questionRows(inside))
        rest.rows = max(1, rest.rows - 2)
        return rest
    }

    var mapFrame: Frame {
        var frame = Frame("Circuits", details: [FrameLabel(question.title, role: .accent)])
        if isRunning, let progress = reading?.progress {
            let left = Format.duration(seconds: progress.secondsLeft)
            frame.trailing = [
                FrameLabel(
                    "\(progress.done) of \(progress.total), \(Format.rate(progress.rate, "runs")), \(left) left",
                    role: .info)
            ]
        } else if isRunning {
            frame.trailing = [FrameLabel("running", role: .info)]
        } else if reading?.map.isComplete == false {
            frame.trailing = [FrameLabel("stopped before the last cell", role: .warning)]
        }
        return frame
    }

    func drawMap(into surface: inout Surface, in inside: Rect, theme: Theme) {
        guard let reading, var heatmap else { return surface.put(linesWithoutMap(inside), in: inside, theme: theme) }
        var inside = inside
        let plot = Self.plot(inside)
        if Self.questionRows(inside) > 0 {
            var head = inside.takeTop(Self.questionRows(inside))
            drawQuestion(into: &surface, in: &head, theme: theme)
        }
        // Numbers are shown if all of them fit: a cell without a number would look as if it had no score.
        heatmap.hasNumbers = (plot.columns - 6) / max(1, reading.map.columns.labels.count) >= 7
        // The cross of a focused map would shade whole rows and columns like scores.
        heatmap.draw(into: &surface, in: plot, theme: theme, isFocused: false)
        var foot = inside.takeBottom(min(2, inside.rows))
        let legend = foot.takeTop(min(1, foot.rows))
        HeatLegend(heatmap.scale, note: reading.map.formula).draw(into: &surface, in: legend, theme: theme)
        let corrupt = reading.map.corrupt.map { ", corrupt \(Self.number($0))" } ?? ""
        put(
            "\(reading.metric): clean \(Self.number(reading.map.clean))\(corrupt)", .dim, into: &surface, &foot,
            theme: theme)
    }

    private func drawQuestion(into surface: inout Surface, in area: inout Rect, theme: Theme) {
        var rows: [(String, String)] = [("prompt", question.clean)]
        if question.method != .ablation { rows.append(("corrupt", question.corrupt)) }
        if let reading {
            rows.append(
                (
                    "answers",
                    "\(ShadedTokens.visible(reading.answers.right)) against \(ShadedTokens.visible(reading.answers.wrong))"
                ))
        }
        for (name, text) in rows where area.rows > 0 {
            var line = area.takeTop(1)
            surface.put(name, at: line.takeLeft(9).origin, style: theme[.dim])
            surface.put(ShadedTokens.visible(text), at: line.origin, style: theme[.text], width: line.columns)
        }
        if question.isSample {
            put(SampleTexts.circuitNote, .dim, into: &surface, &area, theme: theme)
        }
    }

    /// Returns the error of the last run, the question, and what is missing.
    private func linesWithoutMap(_ inside: Rect) -> [StyledLine] {
        func row(_ key: String, _ what: String, _ value: String) -> StyledLine {
            let blanks = String(repeating: " ", count: max(1, 9 - what.count))
            return StyledLine(
                "\(key)  \(what)\(blanks)\(value.isEmpty ? "…" : value)", value.isEmpty ? .text : .dim)
        }
        let failure = fault.map { StyledLine($0, .failure).wrapped(to: max(1, inside.columns)) + [StyledLine()] }
        return (failure ?? []) + [
            isRunning ? StyledLine("running", .info) : StyledLine(question.missing ?? "r  runs the circuit"),
            StyledLine(), row("M", "model", question.model), row("C", "prompt", question.clean),
            row("X", "corrupt", question.corrupt),
            row(
                "A", "answers",
                question.answer.isEmpty ? "chosen by the model" : "\(question.answer) / \(question.wrong)"),
        ]
    }

    // MARK: The cell

    var cellFrame: Frame {
        guard let reading else { return Frame("Cell") }
        let column = ShadedTokens.visible(reading.columnName(cursor.column))
        return Frame(
            "Cell",
            details: [
                FrameLabel(reading.rowName(cursor.row), role: .accent),
                FrameLabel(reading.isByPosition ? "\(cursor.column) \(column)" : column, role: .accent),
            ])
    }

    func drawCell(into surface: inout Surface, in inside: Rect, theme: Theme) {
        guard let reading else { return }
        var inside = inside
        let score = reading.map[cursor.row, cursor.column]
        guard !score.isNaN else { return put("not run", .dim, into: &surface, &inside, theme: theme) }
        let value = reading.map.values[cursor.row * reading.map.columns.labels.count + cursor.column]
        put(
            "score \(Self.number(score)), metric \(Self.number(value))", .text, into: &surface, &inside, theme: theme)
        guard let cell, cell.row == cursor.row, cell.column == cursor.column else {
            return put("Enter runs this cell", .dim, into: &surface, &inside, theme: theme)
        }
        let again = "run again: metric \(Self.number(cell.value))  on  \(ShadedTokens.visible(cell.base))"
        put(again, .dim, into: &surface, &inside, theme: theme)
        if inside.rows > 6 { _ = inside.takeTop(1) }
        var before = inside.takeLeft(max(10, inside.columns / 2))
        put("original", .dim, into: &surface, &before, theme: theme)
        put("with this cell", .dim, into: &surface, &inside, theme: theme)
        for choice in cell.before { put(Self.words(choice), .text, into: &surface, &before, theme: theme) }
        for choice in cell.after { put(Self.words(choice), .text, into: &surface, &inside, theme: theme) }
    }

    private func put(_ text: String, _ role: Role, into surface: inout Surface, _ area: inout Rect, theme: Theme) {
        guard area.rows > 0 else { return }
        let line = area.takeTop(1)
        surface.put(text, at: line.origin, style: theme[role], width: line.columns)
    }

    private static func words(_ choice: CircuitCell.Choice) -> String {
        let percent = Format.probability(choice.probability)
        let blanks = String(repeating: " ", count: max(0, 7 - DisplayWidth.of(percent)))
        return "\(blanks)\(percent)  \(ShadedTokens.visible(choice.text))"
    }

    static func number(_ value: Double) -> String { Format.fixed(value, digits: 3) }
}
