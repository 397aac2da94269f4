package import Console
internal import Formatting
internal import Workspace

extension Shell {
    /// Draws the whole screen.
    package func draw() -> Surface {
        var surface = drawn()
        if theme.canvas.isPainted { surface.paint(theme.canvas) }
        return surface
    }

    private func drawn() -> Surface {
        var surface = Surface(size, style: theme[.text])
        guard size.columns >= 20, size.rows >= 5 else {
            surface.put("too small", at: Point(column: 0, row: 0), style: theme[.warning])
            return surface
        }
        titleBar.draw(into: &surface, in: titleArea, theme: theme)
        panel.render(into: &surface, area: panelArea, theme: theme)
        if let tour { draw(tour, into: &surface) }
        drawFooter(into: &surface)
        drawOverlay(into: &surface)
        // Damage stays in view: an empty pane could otherwise pass for an empty table.
        let damage = workspace.damage.map { Toast(.failure, $0.sentence) }
        if let toast = toast.map({ Toast($0.severity.kind, $0.sentence) }) ?? damage {
            var area = surface.bounds
            // A line being typed keeps its row.
            if case .line = overlay { _ = area.takeBottom(1) }
            toast.draw(into: &surface, in: area, theme: theme)
        }
        return surface
    }

    var titleArea: Rect { Rect(column: 0, row: 0, columns: size.columns, rows: 1) }

    var titleBar: TitleBar {
        TitleBar(
            program: "orrery", document: workspaceName,
            mark: workspace.access == .readOnly && marksReadOnly ? "(read-only)" : "", tabs: tabBar,
            progress: jobs.first.map(progressBar))
    }

    private var workspaceName: String { workspace.path.split(separator: "/").last.map(String.init) ?? workspace.path }

    private func progressBar(_ running: RunningJob) -> ProgressBar {
        let title = running.title + (jobs.count > 1 ? " +\(jobs.count - 1)" : "")
        guard let job = running.job else { return ProgressBar(title, fraction: nil) }
        var details: [String] = []
        if let rate = running.handle?.rate {
            details.append(job.unit == "bytes" ? Format.rate(bytesPerSecond: rate) : Format.rate(rate, job.unit))
        }
        if let left = running.handle?.remaining, left > 0 {
            details.append("\(Format.duration(seconds: left)) left")
        }
        return ProgressBar(title, fraction: job.fraction, details: details)
    }

    private func drawFooter(into surface: inout Surface) {
        let area = Rect(column: 0, row: size.rows - 1, columns: size.columns, rows: 1)
        if case .line(let line) = overlay { return draw(line, into: &surface, in: area) }
        let note = pendingKeys.isEmpty ? nil : FrameLabel(pendingKeys, role: .accent)
        Footer(panel.hints + shellHints, note: note).draw(into: &surface, in: area, theme: theme)
    }

    private var shellHints: [KeyHint] {
        var hints = [KeyHint("?", "help", priority: 0), KeyHint("q", "quit", priority: 2)]
        if let selection = panel.selection, !otherPanels(opening: selection).isEmpty {
            hints.insert(KeyHint("o", "open in…"), at: 0)
        }
        // A panel that binds x asks its own question before it stops work.
        let isTaken = panel.keyActions.contains { $0.label == "x" }
        if let ownJob, !isTaken { hints.insert(KeyHint("x", "cancel \(ownJob.title)", priority: 0), at: 0) }
        return hints
    }

    private func draw(_ line: LineOverlay, into surface: inout Surface, in area: Rect) {
        let state = line.editor.state
        surface.fill(area, style: theme[.text])
        // Keep the cursor visible: scroll a line that is wider than the screen.
        let shift = max(0, state.cursorColumn - area.columns + 2)
        surface.clipped(to: area) { surface in
            let used = surface.put(state.prompt, at: Point(column: -shift, row: area.row), style: theme[.key])
            surface.put(
                state.text, at: Point(column: used - shift, row: area.row),
                style: theme[line.isSelected ? .selection : .text])
        }
        surface.cursor = Point(column: min(area.columns - 1, state.cursorColumn - shift), row: area.row)
        guard !state.candidates.isEmpty else { return }
        let above = Rect(column: 0, row: area.row - 1, columns: area.columns, rows: 1)
        surface.fill(above, style: theme[.footer])
        let shown = state.candidates.joined(separator: "  ")
        surface.put(shown, at: Point(column: 1, row: above.row), style: theme[.footer], width: above.columns - 2)
    }

    private func drawOverlay(into surface: inout Surface) {
        switch overlay {
        case .open(let menu): draw(menu, into: &surface)
        case .pages(let menu): menu.draw(into: &surface, in: surface.bounds, theme: theme)
        case .dialog(let dialog): dialog.draw(into: &surface, in: surface.bounds, theme: theme)
        case .help(let help): help.draw(into: &surface, in: surface.bounds, theme: theme)
        case .jobs(let menu): draw(menu, into: &surface)
        case .messages(let text): draw(messages: text, into: &surface)
        case .line, nil: break
        }
    }

    private func draw(_ menu: OpenMenu, into surface: inout Surface) {
        guard !menu.isWaiting || .now >= menu.asked + OpenMenu.patience else { return }
        let title = FrameLabel("Open \(menu.reference.title.truncated(toColumns: 40)) in")
        guard !menu.isWaiting else {
            let inside = Popup(title, content: Size(DisplayWidth.of(title.text) + 4, 1))
                .draw(into: &surface, in: surface.bounds, theme: theme)
            surface.put("checking the panels", at: inside.origin, style: theme[.dim], width: inside.columns)
            return
        }
        let names = menu.rows.map { panels[$0.panel].title }
        let widest = names.map { DisplayWidth.of($0) }.max() ?? 0
        let sights = menu.rows.map { DisplayWidth.of($0.sight) }.max() ?? 0
        let columns = max(24, widest + sights + 6, DisplayWidth.of(title.text) + 4)
        let inside = Popup(title, content: Size(columns, names.count))
            .draw(into: &surface, in: surface.bounds, theme: theme)
        let list = ListView(count: names.count, selection: menu.selected, height: inside.rows)
        list.draw(into: &surface, in: inside, theme: theme, isFocused: true) { surface, row in
            var rest = row.area
            surface.put(names[row.index], at: rest.takeLeft(widest + 2).origin, style: row.style(.text, theme))
            surface.put(
                menu.rows[row.index].sight, at: rest.origin, style: row.style(.dim, theme), width: rest.columns)
        }
    }
}

extension Severity {
    fileprivate var kind: Toast.Kind {
        switch self {
        case .information: .info
        case .success: .success
        case .warning: .warning
        case .failure: .failure
        }
    }
}
