internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import Workspace

extension KernelPanel {
    mutating func perform(_ action: KernelAction) -> [Effect<KernelAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, scrolling: { $0.scroll(by: 1) })
        case .moveUp: move({ $0.move(by: -1) }, scrolling: { $0.scroll(by: -1) })
        case .pageDown: move({ $0.movePages(1) }, scrolling: { $0.scrollPages(by: 1) })
        case .pageUp: move({ $0.movePages(-1) }, scrolling: { $0.scrollPages(by: -1) })
        case .toTop: move({ $0.moveToStart() }, scrolling: { $0.scrollToTop() })
        case .toEnd: move({ $0.moveToEnd() }, scrolling: { $0.scrollToEnd() })
        case .left: move({ _ in }, scrolling: { $0.scrollSideways(by: -8) })
        case .right: move({ _ in }, scrolling: { $0.scrollSideways(by: 8) })
        case .open: openSelected()
        case .back: back()
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .zoom: toggleZoom()
        case .run: run()
        case .ceilings: measureCeilings()
        case .size: askSize()
        case .nextSize: changePreset(by: 1)
        case .previousSize: changePreset(by: -1)
        case .threads: changeThreads()
        case .search: askSearch()
        case .nextMatch: find { $0.findNext() }
        case .previousMatch: find { $0.findPrevious() }
        case .view: nextView()
        case .toggleWrap: find { $0.setWraps(!$0.wraps) }
        case .sort: sortLaunches()
        case .importProfile:
            [
                .browse(
                    FileRequest(
                        "Import a profile",
                        isExpected: { name in [".csv", ".json", ".sqlite"].contains { name.hasSuffix($0) } },
                        cancelled: .lineCancelled(.importPath)
                    ) { .line(.importPath, $0) })
            ]
        case .addKernel:
            [
                .browse(
                    FileRequest(
                        "Add a kernel", isExpected: { $0.hasSuffix(".c") || $0.hasSuffix(".toml") },
                        cancelled: .lineCancelled(.addPath)
                    ) { .line(.addPath, $0) })
            ]
        case .edit: edit()
        case .compare: askCompare()
        case .delete: deleteSelected()
        case .copy: copyFigures()
        case .export: askExport()
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, scrolling scroll: (inout TextView) -> Void
    ) -> [Effect<KernelAnswer>] {
        switch pane {
        case .subjects:
            change(&subjects.list)
            return []
        case .ladder, .roof:
            changeList(change)
            return showText()
        case .detail:
            scroll(&text)
            return advanceText()
        }
    }

    private mutating func find(_ change: (inout TextView) -> Void) -> [Effect<KernelAnswer>] {
        change(&text)
        return advanceText()
    }

    private mutating func openSelected() -> [Effect<KernelAnswer>] {
        switch pane {
        case .subjects:
            guard let row = subjects.selected else { return [] }
            pane = .ladder
            layoutPanes()
            return row.subject == shownSubject ? [] : open(row.subject)
        case .ladder, .roof:
            pane = .detail
            layoutPanes()
            return []
        case .detail: return []
        }
    }

    private mutating func back() -> [Effect<KernelAnswer>] {
        if isZoomed { return toggleZoom() }
        switch pane {
        case .detail: pane = .ladder
        case .ladder, .roof:
            if case .profile(var open) = shown {
                if !open.filter.isEmpty {
                    open.show(only: "")
                    shown = .profile(open)
                    return showText()
                }
                if open.comparison != nil {
                    shown = .profile(OpenProfile(open.profile, catalog: open.catalog))
                    layoutPanes()
                    return showText()
                }
            }
            pane = .subjects
        case .subjects: return [.back]
        }
        layoutPanes()
        return []
    }

    private mutating func turnPane(by step: Int) -> [Effect<KernelAnswer>] {
        let all = Pane.allCases
        let index = all.firstIndex(of: pane) ?? 0
        pane = all[(index + step + all.count) % all.count]
        layoutPanes()
        return []
    }

    private mutating func toggleZoom() -> [Effect<KernelAnswer>] {
        isZoomed.toggle()
        layoutPanes()
        return advanceText()
    }

    private mutating func nextView() -> [Effect<KernelAnswer>] {
        if case .profile = shown { return [] }
        let views = View.allCases
        view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
        return showText()
    }

    private mutating func sortLaunches() -> [Effect<KernelAnswer>] {
        guard case .profile(var open) = shown else { return [] }
        open.nextSort()
        shown = .profile(open)
        return showText() + [.notify(open.sortTitle)]
    }

    // MARK: Sizes and threads

    /// The operation that is shown, and its sizes.
    private var shownOperation: (operation: KernelOperation, open: OpenKernel)? {
        guard case .operation(let open) = shown, case .operation(let name) = open.subject,
            let operation = try? KernelCatalog.operation(name)
        else { return nil }
        return (operation, open)
    }

    private func askSize() -> [Effect<KernelAnswer>] {
        guard let (operation, open) = shownOperation else { return [] }
        let choices = operation.presets.map { preset in
            Choice(
                preset.description.split(separator: " ").joined(separator: ","),
                isCurrent: preset.description == open.shape)
        }
        return [
            .choose(
                ChoiceRequest("Size", choices, typed: "Measure", cancelled: .lineCancelled(.size)) { .line(.size, $0) })
        ]
    }

    private mutating func changePreset(by step: Int) -> [Effect<KernelAnswer>] {
        guard let (operation, open) = shownOperation else { return [] }
        let presets = operation.presets
        let here = presets.firstIndex { $0.description == open.shape }
        let next = here.map { ($0 + step + presets.count) % presets.count } ?? 0
        return show(operation, presets[next])
    }

    mutating func show(_ operation: KernelOperation, _ shape: KernelShape) -> [Effect<KernelAnswer>] {
        opening = (.operation(operation.name), shape.description)
        let engine = engine
        let threads = threads
        return [
            .ask(key: "open") { _ in .opened(try engine.open(operation, shape: shape, threads: threads), rung: nil) }
        ]
    }

    private mutating func changeThreads() -> [Effect<KernelAnswer>] {
        threads = threads == 1 ? ThreadPool.usableProcessors : 1
        // The list shows shares for the same number of threads as the ladder.
        let told = [.notify(Format.count(threads, "thread"))] + reload()
        if case .own(let open) = shown { return told + self.open(open.subject, rung: open.selected?.name) }
        // Failure is harmless: sizes that this version rejects come from an old run, whose ladder stays as recorded.
        guard let (operation, open) = shownOperation, let shape = try? operation.shape(open.shape) else { return told }
        return told + show(operation, shape)
    }

    // MARK: Lines

    func line(
        _ purpose: KernelAnswer.Line, _ label: String, text: String = "", history: String? = nil
    ) -> Prompt<KernelAnswer> {
        Prompt(
            label, text: text, isProposal: true, history: history, cancelled: KernelAnswer.lineCancelled(purpose),
            accept: { .line(purpose, $0) })
    }

    private func askSearch() -> [Effect<KernelAnswer>] {
        if case .profile(let open) = shown, pane != .detail {
            return [.prompt(line(.filter, "/", text: open.filter, history: "launches"))]
        }
        return [.prompt(line(.find, "find ", history: "find"))]
    }

    private func askCompare() -> [Effect<KernelAnswer>] {
        let others = subjects.rows.compactMap { row -> Choice<String>? in
            guard case .profile(let id) = row.subject, row.subject != shownSubject else { return nil }
            return Choice(row.title, facts: ["\(id)"], value: "\(id)")
        }
        guard !others.isEmpty else { return [.notify("import a second profile first: press i", .warning)] }
        return [
            .choose(
                ChoiceRequest(
                    "Compare: the older profile is the base", others, cancelled: .lineCancelled(.compare)
                ) { .line(.compare, $0) })
        ]
    }

    private func askExport() -> [Effect<KernelAnswer>] {
        let name = shownSubject.map { $0.text.split(separator: "/").last.map(String.init) ?? "kernel" } ?? "kernel"
        let word = name.split(whereSeparator: { ":.".contains($0) }).last.map(String.init) ?? "kernel"
        return [
            .fill(
                FormRequest(export: "Export the figures", name: "\(word).md", endings: [".md", ".json"]) {
                    .line(.export, $0)
                })
        ]
    }

    mutating func accept(_ purpose: KernelAnswer.Line, _ typed: String) -> [Effect<KernelAnswer>] {
        let typed = typed.trimmed
        switch purpose {
        case .size:
            guard let (operation, _) = shownOperation, !typed.isEmpty else { return [] }
            do { return show(operation, try operation.shape(typed)) } catch {
                return [.notify(error.sentence, .failure)] + askSize()
            }
        case .find:
            text.find(typed)
            return advanceText()
        case .filter:
            guard case .profile(var open) = shown else { return [] }
            open.show(only: typed)
            shown = .profile(open)
            return showText()
        case .importPath: return typed.isEmpty ? [] : importing(PathCompletion.expanded(typed))
        case .addPath: return typed.isEmpty ? [] : adding(PathCompletion.expanded(typed))
        case .compare: return compare(with: typed)
        case .export: return typed.isEmpty ? [] : exporting(to: PathCompletion.expanded(typed))
        case .delete(let box): return delete(box.subject)
        }
    }
}
