internal import Console
internal import Traces

/// What the panes show of what is there: marks, views, charts, orders, other pages.
extension EvalPanel {
    mutating func toggleMark() -> [Effect<EvalAnswer>] {
        guard let entry = runs.selected else { return [] }
        runs.toggleMark(entry.id)
        runs.list.move(by: 1)
        return followRun()
    }

    mutating func nextView() -> [Effect<EvalAnswer>] {
        if page == .diff {
            diff.nextQuadrant()
            layoutPanes()
            return followPair()
        }
        let all = About.allCases
        about = all[((all.firstIndex(of: about) ?? 0) + 1) % all.count]
        reveal(.about)
        return showText()
    }

    mutating func changeChart(by step: Int) -> [Effect<EvalAnswer>] {
        chart.next(step, material)
        // Formulas were asked for of one chart.
        turned = []
        reveal(.chart)
        return askConfidences()
    }

    mutating func toggleFormulas() -> [Effect<EvalAnswer>] {
        if turned.remove(.chart) == nil { turned.insert(.chart) }
        reveal(.chart)
        return []
    }

    /// Focuses a pane that an action has changed if the screen is too small to show it next to the others.
    mutating func reveal(_ wanted: Pane) {
        guard !placedPanes.contains(where: { $0.pane == wanted }) else { return }
        pane = wanted
        layoutPanes()
    }

    mutating func sortRuns() -> [Effect<EvalAnswer>] {
        let table = EvalRunTable(rows: runs).table
        let shown = inside(.runs).map { table.shownColumns(in: $0) } ?? Array(table.columns.indices)
        runs.nextOrder(among: shown.compactMap(EvalRunTable.Column.init))
        return []
    }

    mutating func showMatrix() -> [Effect<EvalAnswer>] {
        matrix.show(runs.entries, about: target)
        go(to: .matrix)
        return []
    }

    mutating func showQueue() -> [Effect<EvalAnswer>] {
        let id = target?.id ?? open?.id
        guard let id else { return [] }
        if page != .queue { origin = page }
        queue.begin(id)
        go(to: .queue)
        // The shown sample belongs to another page until the queue reports its own.
        return showText() + (open?.id == id ? askRatings() : show(id))
    }
}
