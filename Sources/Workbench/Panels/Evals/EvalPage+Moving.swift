internal import Console
internal import EvalLogs
internal import Evals

/// Moving between views, samples, and texts.
extension EvalPage {
    static func first(of view: View) -> PaneName { PaneName.allCases.first { $0.view == view } ?? .runs }

    /// Goes to a view, whose focus stays where it was.
    mutating func go(to view: View) {
        self.view = view
        screen.focus = focuses[view] ?? Self.first(of: view)
        screen.isZoomed = false
    }

    mutating func openSelected() -> Work<Self> {
        switch view {
        case .runs: return runs.selected.map { readSamples(of: $0.id) } ?? []
        case .matrix:
            guard let entry = matrix.selected else { return [] }
            runs.select(entry.id)
            return readSamples(of: entry.id)
        case .samples, .queue: return openTrace(isOffer: false)
        case .diff where screen.focus == .pairs:
            go(to: .sides)
            screen.focus = .rows
            return []
        case .diff: return openTraceOfPair(isOffer: false)
        case .sides: return openStep()
        case .failures: return openCluster()
        }
    }

    private mutating func readSamples(of run: Int64) -> Work<Self> {
        go(to: .samples)
        origin = nil
        screen.focus = .samples
        return open?.id == run ? [] : show(run)
    }

    /// Lists the samples of the selected group.
    private mutating func openCluster() -> Work<Self> {
        guard let cluster else { return [] }
        go(to: .samples)
        screen.focus = .samples
        origin = .failures
        return [setFilter("\(SampleFilter.causeWord)=\(clusters.selection + 1)"), .notify(cluster.title)]
    }

    package mutating func back() -> Work<Self>? {
        guard screen.focus == Self.first(of: view) else {
            screen.focus = Self.first(of: view)
            return []
        }
        switch view {
        case .runs:
            guard !runs.filter.isEmpty else { return nil }
            runs.set(filter: "")
        case .samples:
            let from = origin
            origin = nil
            if open?.filter.isEmpty == false {
                if from == .failures { go(to: .failures) }
                return setFilter("")
            }
            go(to: .runs)
            if let open { runs.select(open.id) }
        case .sides: go(to: .diff)
        case .diff, .matrix: go(to: .runs)
        case .failures, .queue:
            go(to: origin ?? .runs)
            origin = nil
        }
        return []
    }

    // MARK: Left and right

    mutating func moveSideways(by step: Int) {
        switch screen.focus {
        case .matrix: moveMatrix(rows: 0, columns: step)
        case .queue, .agreement: queue.move(by: step)
        case .rows: sides.side = step < 0 ? .left : .right
        case .sample where text.wraps: samples.move(by: step)
        case .runs, .chart, .samples, .steps, .causes, .pairs: break
        case .about, .sample, .cause, .before, .after, .left, .right:
            changeTexts { $0.scrollSideways(by: step * 8) }
        }
    }

    mutating func moveMatrix(_ motion: Motion) {
        switch motion {
        case .rows(let rows): moveMatrix(rows: rows, columns: 0)
        case .pages(let pages): moveMatrix(rows: 4 * pages, columns: 0)
        case .start: moveMatrix(rows: -matrix.rows.count, columns: 0)
        case .end: moveMatrix(rows: matrix.rows.count, columns: 0)
        case .columns(let step): moveMatrix(rows: 0, columns: step)
        }
    }

    private mutating func moveMatrix(rows: Int, columns: Int) {
        matrix.cursor.row = max(0, min(matrix.rows.count - 1, matrix.cursor.row + rows))
        matrix.cursor.column = max(0, min(matrix.columns.count - 1, matrix.cursor.column + columns))
        if let entry = matrix.selected { runs.select(entry.id) }
    }

    mutating func nextRegression(forward: Bool) {
        if view == .samples, let place = open?.landmark(from: samples.selection, forward: forward) {
            samples.select(place)
        } else if view != .samples, let place = diff.regression(forward: forward) {
            diff.list.select(place)
        }
    }

    // MARK: Texts

    /// Texts that the keys change: those of the focused pane, or of both runs.
    private var texts: [WritableKeyPath<Self, TextView>] {
        switch screen.focus {
        case .before: [\.diff.before]
        case .after: [\.diff.after]
        case .pairs: [\.diff.before, \.diff.after]
        case .rows, .left, .right: [\.sides.before, \.sides.after]
        case .causes, .cause: [\.example]
        default: [\.text]
        }
    }

    mutating func changeTexts(_ change: (inout TextView) -> Void) {
        for path in texts { change(&self[keyPath: path]) }
    }

    /// Whether the focused pane is a text with matches of its own.
    private var isReading: Bool {
        [.about, .sample, .before, .after, .queue, .cause].contains(screen.focus)
    }

    mutating func nextMatch(forward: Bool) -> Work<Self> {
        // Matches between two traces are their differences.
        if view == .sides {
            let row = sides.alignment.difference(from: sides.list.selection, forward: forward)
            if let row { sides.list.select(row) }
        } else if isReading {
            changeTexts { if forward { $0.findNext() } else { $0.findPrevious() } }
        } else {
            let before = samples.selection
            samples.move(by: forward ? 1 : -1)
            if samples.selection == before {
                return .notify("already at the \(forward ? "last" : "first") listed sample")
            }
        }
        return []
    }

    var whyNoMatch: String? {
        if view == .sides { return sides.alignment.firstDifference == nil ? "both runs took the same steps" : nil }
        guard isReading else { return view == .samples ? nil : "open samples first" }
        return texts.contains { self[keyPath: $0].search != nil } ? nil : "search first: press /"
    }

    // MARK: Finding

    func askFilter() -> Work<Self> {
        switch screen.focus {
        case .runs, .chart:
            return Self.filter(runs.filter, history: "eval-runs") { page, words in
                if words != page.runs.filter { page.runs.set(filter: words) }
                return []
            }
        case .pairs:
            return Self.filter(diff.words, history: "eval-pairs") { page, words in
                page.diff.find(words)
                return []
            }
        case .samples, .steps:
            guard let open else { return find }
            let (slices, words, scores) = (open.run.slices, open.index.words, open.run.scores.map(\.name))
            return Self.filter(
                open.filter.typed, history: "eval-filter",
                complete: { SampleFilter.candidates($0, slices: slices, values: words, scores: scores) }
            ) { $0.setFilter($1) }
        default: return find
        }
    }

    private static func filter(
        _ text: String, history: String, complete: @escaping @Sendable (String) -> [String] = { _ in [] },
        set: @escaping (inout Self, String) -> Work<Self>
    ) -> Work<Self> {
        .prompt(
            "/", text: text, history: history, complete: complete, live: { set(&$0, $1.trimmed) },
            then: { set(&$0, $1.trimmed) })
    }

    /// Finds a cell of the matrix, or text, while the user types.
    private var find: Work<Self> {
        func find(_ page: inout Self, _ typed: String) -> Work<Self> {
            if page.view != .matrix {
                page.changeTexts { $0.find(typed.trimmed) }
            } else if page.matrix.find(typed.trimmed), let entry = page.matrix.selected {
                page.runs.select(entry.id)
            }
            return []
        }
        return .prompt("find ", history: view == .matrix ? nil : "find", live: find, then: find)
    }
}
