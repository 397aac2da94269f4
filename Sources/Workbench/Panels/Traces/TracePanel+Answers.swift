internal import Console
internal import Traces
internal import Workspace

extension TracePanel {
    mutating func receive(_ answer: TraceAnswer) -> [Effect<TraceAnswer>] {
        switch answer {
        case .firstRuns(let rows):
            run?.adoptName(from: rows)
            runs.show(firstPage: rows, keeping: shownRun)
            layoutPanes()
            return readOverview()
        case .order(let ids):
            runs.show(all: ids, keeping: shownRun)
            layoutPanes()
            return fetchRows() + reveal() + readOverview()
        case .census(let census):
            runs.show(census)
            layoutPanes()
            return []
        case .overview(let box):
            if box.overview.trace == runs.selectedID { overview = box.overview }
            return []
        case .rows(let rows):
            run?.adoptName(from: rows)
            runs.add(rows)
            return fetchRows() + readOverview()
        case .loaded(let box): return show(box.run)
        case .read(let box): return show(box.reading)
        case .found(let spans, let query, let scanned):
            return show(matches: spans, query: query, scanned: scanned)
        case .discovered(let sessions, let importing):
            discovered = sessions
            guard importing else { return [] }
            return sessions.isEmpty
                ? [.notify("no new coding agent sessions found", .warning)]
                : self.importing(sessions.map(\.path))
        case .imported(let report, let only): return imported(report, only: only)
        case .indexed: return []
        case .copied(let markdown): return [.copy(markdown, what: "the step")]
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .changedRuns(let change, let sentence):
            ownChanges += [change].compactMap(\.self)
            return [.notify(sentence, .success), .changed]
        case .undone(let change, let sentence):
            ownChanges.removeAll { $0 == change }
            return [.notify(sentence ?? change.isGone, sentence == nil ? .warning : .success), .changed]
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .lineChanged(_, let typed):
            text.find(typed)
            return advanceText()
        case .lineCancelled(let purpose):
            if purpose == .find { text.find("") }
            return []
        case .delete(let runs): return delete(runs)
        case .exportMarked(let folder, let format): return exportMarked(to: folder, as: format)
        case .tick: return tick()
        case .advanceText: return advanceText()
        }
    }

    /// Run that the overview shows: the selected run, or the run that is being read.
    private var shownRun: Int64? {
        pane == .runs && revealing == nil
            ? runs.selectedID : revealing ?? loading?.trace ?? run?.trace.summary.id ?? runs.selectedID
    }

    mutating func forget(_ key: String) -> [Effect<TraceAnswer>] {
        if key.hasPrefix("import") { return [.changed] }
        guard key == "trace" else { return [] }
        loading = nil
        revealing = nil
        if run == nil { pane = .runs }
        layoutPanes()
        return readOverview()
    }

    // MARK: Reading

    /// Reads the texts of the step under the cursor; while the user moves quickly, unfinished reads are skipped.
    mutating func readStep() -> [Effect<TraceAnswer>] {
        guard let run, let span = run.selectedSpan else {
            reading = nil
            text.show([])
            return []
        }
        rememberPosition()
        let store = store
        let replay = run.replay
        let view = view
        let showsAll = showsAllMessages
        return [
            .ask(key: "read") { work in
                let reading = try StepReading(
                    of: span, in: replay, store: store, view: view, showsAll: showsAll,
                    isWanted: { !work.isCancelled })
                return .read(StepReadingBox(reading: reading))
            }
        ]
    }

    mutating func show(_ reading: StepReading) -> [Effect<TraceAnswer>] {
        let query = text.search?.query
        let wraps = text.wraps
        let size = text.size
        text = TextView(reading.sections, wraps: wraps)
        text.layout(size)
        if reading.view == .conversation, reading.firstNew > 0, showsAllMessages {
            text.scroll(to: TextPosition(section: reading.firstNew, offset: 0))
        }
        self.reading = reading
        if let query, !query.isEmpty { text.find(query) }
        return advanceText()
    }

    /// Colors and searches part of the text, and continues later if more remains.
    mutating func advanceText() -> [Effect<TraceAnswer>] {
        guard text.needsAdvance, text.advance() else { return [] }
        return [.wait(key: "text", for: .milliseconds(1), then: .advanceText)]
    }

    // MARK: The last screen

    package func save() -> String { TraceScreen(self).text }

    mutating func restore(_ saved: String?) {
        guard let screen = saved.flatMap(TraceScreen.init(text:)) else { return }
        screen.apply(to: &self)
    }
}
