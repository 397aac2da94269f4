internal import Console
internal import KernelLab
internal import Kernels

extension KernelPanel {
    mutating func start(_ saved: String?) -> [Effect<KernelAnswer>] {
        let screen = saved.flatMap(KernelScreen.init(text:))
        screen?.apply(to: &self)
        wanted = screen?.shown ?? KernelCatalog.operations.first.map { .operation($0.name) }
        let engine = engine
        var effects = reload()
        effects.append(.ask(key: "ceilings") { _ in .ceilings(CeilingsBox(ceilings: try engine.ceilings())) })
        if let wanted {
            effects += open(
                wanted, shape: screen?.shape, rung: screen?.rung, comparison: screen?.comparison,
                place: screen?.place ?? ProfilePlace())
        }
        return effects
    }

    mutating func reload() -> [Effect<KernelAnswer>] {
        let engine = engine
        let threads = threads
        return [.ask(key: "subjects") { _ in .subjects(SubjectRows(rows: try engine.subjects(threads: threads))) }]
    }

    /// Opens what a row stands for; a shape chooses the sizes of an operation.
    ///
    /// - Parameter movesCursor: Whether the cursor of the list goes to the row.
    mutating func open(
        _ subject: KernelSubject, shape: String? = nil, rung: String? = nil, comparison: Int64? = nil,
        place: ProfilePlace = ProfilePlace(), movesCursor: Bool = true
    ) -> [Effect<KernelAnswer>] {
        let engine = engine
        let threads = threads
        opening = nil
        if movesCursor { moveCursor(to: subject) }
        switch subject {
        case .operation(let name):
            return [
                .ask(key: "open") { _ in
                    let operation = try KernelCatalog.operation(name)
                    let shape = try engine.shape(of: operation, shape)
                    return .opened(try engine.open(operation, shape: shape, threads: threads), rung: rung)
                }
            ]
        case .own(let path):
            return [.ask(key: "open") { _ in .opened(try engine.open(own: path, threads: threads), rung: rung) }]
        case .profile(let id):
            return [
                .ask(key: "open") { _ in
                    let open = try comparison.map { try engine.compare(id, with: $0) } ?? engine.profile(id)
                    return .profile(OpenProfileBox(open: open), at: place)
                }
            ]
        }
    }

    /// Moves the cursor of the list, now or once it has the row.
    private mutating func moveCursor(to subject: KernelSubject) {
        if !subjects.select(subject) { wanted = subject }
    }

    mutating func receive(_ answer: KernelAnswer) -> [Effect<KernelAnswer>] {
        switch answer {
        case .subjects(let box):
            subjects.show(box.rows, failed: Set(faults.keys))
            if let wanted, subjects.select(wanted) { self.wanted = nil }
            return []
        case .ceilings(let box):
            ceilings = box.ceilings
            raiseRoof()
            return showText()
        case .measuredCeilings(let box):
            measuringCeilings = nil
            ceilings = box.ceilings
            raiseRoof()
            return [.notify("measured the ceilings", .success), .changed] + leaveOtherMachine() + showText()
        case .opened(let box, let rung): return show(box.open, rung: rung)
        case .measured(let box):
            measuring[box.open.subject] = nil
            faults[box.open.subject] = nil
            return (isShown(box.open) ? show(box.open) : []) + reload()
        case .profile(let box, let place):
            var open = box.open
            if let sort = place.sort { open.show(sortedBy: sort) }
            if let filter = place.filter { open.show(only: filter) }
            if let row = place.row { open.list.select(row) }
            if let launch = place.launch { open.select(launch) }
            shown = .profile(open)
            layoutPanes()
            return [.cancel(key: "watch")] + showText()
        case .imported(let report):
            pane = .ladder
            return [.notify(report.sentence, .success), .changed] + open(.profile(report.summary.id))
        case .added(let path):
            pane = .ladder
            return [.notify("added the kernel: r measures it, E edits it", .success), .changed] + open(.own(path))
        case .done(let sentence): return [.notify(sentence, .success), .changed]
        case .deleted(let box, let sentence):
            if shownSubject == box.subject { close() }
            return [.notify(sentence, .success), .changed]
        case .line(let purpose, let typed): return accept(purpose, typed)
        case .lineCancelled: return []
        case .edited(let path): return watch() + measure(.own(path))
        case .watched(let path, let stamp): return watched(path, stamp)
        case .advanceText: return advanceText()
        }
    }

    /// A measurement that failed leaves its reason with the kernel.
    mutating func fail(_ key: String, _ sentence: String) -> [Effect<KernelAnswer>] {
        if measuringCeilings?.title == key { measuringCeilings = nil }
        guard let subject = measuring.first(where: { $0.value.title == key })?.key else { return [] }
        measuring[subject] = nil
        guard sentence != "cancelled" else { return [] }
        faults[subject] = sentence
        changeKernel { if $0.subject == subject { $0.fault = sentence } }
        // The reason is one of the source as it is now.
        if case .own(let open) = shown, open.subject == subject {
            return self.open(subject, rung: open.selected?.name) + reload()
        }
        return showText() + reload()
    }

    /// Reopens a kernel that shows another machine's figures, to show this machine's figures instead.
    private mutating func leaveOtherMachine() -> [Effect<KernelAnswer>] {
        switch shown {
        case .operation(let open) where open.ladder.machine != nil, .own(let open) where open.ladder.machine != nil:
            self.open(open.subject, shape: open.shape, rung: open.selected?.name, movesCursor: false)
        default: []
        }
    }

    /// Whether a measurement is of what is still looked at.
    private func isShown(_ open: OpenKernel) -> Bool {
        switch shown {
        case .operation(let now), .own(let now):
            now.subject == open.subject && now.shape == open.shape && now.threads == open.threads
        default: false
        }
    }

    /// New ceilings are the roof of what is shown at once.
    private mutating func raiseRoof() {
        guard let ceilings else { return }
        changeKernel { if $0.ladder.machine == nil { $0.ceilings = ceilings } }
    }

    private mutating func changeKernel(_ change: (inout OpenKernel) -> Void) {
        switch shown {
        case .operation(var open):
            change(&open)
            shown = .operation(open)
        case .own(var open):
            change(&open)
            shown = .own(open)
        default: break
        }
    }

    /// Nothing is left of what was shown.
    private mutating func close() {
        shown = nil
        text = TextView([], wraps: text.wraps)
        pane = .subjects
        layoutPanes()
    }

    private mutating func show(_ open: OpenKernel, rung: String? = nil) -> [Effect<KernelAnswer>] {
        opening = nil
        var open = open
        if case .operation(let before) = shown, before.subject == open.subject {
            open.list = before.list
        } else if case .own(let before) = shown, before.subject == open.subject {
            open.list = before.list
        } else {
            open.list.select(open.ladder.best ?? open.firstRung)
        }
        open.list.count = open.ladder.rungs.count
        open.fault = faults[open.subject]
        if pane != .subjects { moveCursor(to: open.subject) }
        if let rung, let index = open.ladder.rungs.firstIndex(where: { $0.name == rung }) { open.list.select(index) }
        if case .own = open.subject { shown = .own(open) } else { shown = .operation(open) }
        layoutPanes()
        return showText() + watch()
    }

    // MARK: Text

    /// Shows what stands behind the row under the cursor.
    mutating func showText() -> [Effect<KernelAnswer>] {
        let query = text.search?.query
        let size = text.size
        let sections: [TextSection]
        switch shown {
        case .operation(let open), .own(let open): sections = KernelDetail(open: open, view: view).sections
        case .profile(let open): sections = LaunchDetail(open: open).sections
        case nil: sections = []
        }
        text = TextView(sections, wraps: text.wraps)
        text.layout(size)
        layoutPanes()
        if let query, !query.isEmpty { text.find(query) }
        return advanceText()
    }

    /// Colors and searches a little, and comes back while there is more to do.
    mutating func advanceText() -> [Effect<KernelAnswer>] {
        guard text.needsAdvance, text.advance() else { return [] }
        return [.wait(key: "text", for: .milliseconds(1), then: .advanceText)]
    }

    package func save() -> String { KernelScreen(self).text }
}
