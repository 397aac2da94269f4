internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels

extension KernelPage {
    /// Opens a kernel or profile.
    ///
    /// - Parameter movesCursor: Whether the cursor of the list moves to its row, at once or when the list has it.
    mutating func open(_ place: KernelPlace, movesCursor: Bool = true) {
        opening = place
        opening?.threads = threads
        if movesCursor { moveCursor(to: place.subject) }
    }

    private mutating func moveCursor(to subject: KernelSubject) {
        if !subjects.select(subject) { wanted = subject }
    }

    mutating func list(_ rows: [SubjectRow]) {
        subjects.show(
            rows.map { row in
                var row = row
                row.hasFailed = faults[row.id] != nil
                return row
            })
        if let wanted, subjects.select(wanted) { self.wanted = nil }
    }

    mutating func show(_ open: Shown) -> Work<Self> {
        let rung = opening?.rung
        opening = nil
        if case .kernel(let open) = open { return adopt(open, rung: rung) }
        shown = open
        return .cancel("watch")
    }

    /// Shows a kernel; the cursor stays on its rung if the kernel is already shown.
    mutating func adopt(_ open: OpenKernel, rung: String? = nil) -> Work<Self> {
        var open = open
        if let kernel, kernel.subject == open.subject {
            open.list = kernel.list
        } else {
            open.list.select(open.ladder.best ?? open.firstRung)
        }
        open.list.count = open.ladder.rungs.count
        open.fault = faults[open.subject]
        if screen.focus != .subjects { moveCursor(to: open.subject) }
        if let rung, let index = open.ladder.rungs.firstIndex(where: { $0.name == rung }) { open.list.select(index) }
        kernel = open
        return watch()
    }

    mutating func openSelected() {
        switch screen.focus {
        case .subjects:
            guard let row = subjects.selected else { return }
            screen.focus = .ladder
            if row.id != shownSubject { open(KernelPlace(row.id)) }
        case .ladder, .roof: screen.focus = .detail
        case .detail: break
        }
    }

    package mutating func back() -> Work<Self>? {
        switch screen.focus {
        case .subjects: return nil
        case .detail: screen.focus = .ladder
        case .ladder, .roof:
            guard let profile else { return nil }
            if !profile.filter.isEmpty {
                filter = ""
            } else if profile.comparison != nil {
                self.profile = OpenProfile(profile.profile, catalog: profile.catalog)
            } else {
                return nil
            }
        }
        return []
    }

    private mutating func close() {
        shown = nil
        screen.focus = .subjects
    }

    // MARK: Sizes and threads

    /// The built-in kernel that is shown.
    private var operation: KernelOperation? {
        // The name of an earlier version may be unknown now; then the ladder stays as recorded.
        if case .operation(let name) = kernel?.subject { try? KernelCatalog.operation(name) } else { nil }
    }

    func chooseSize() -> Work<Self> {
        let choices = (operation?.presets ?? []).map { preset in
            Choice(
                preset.description.split(separator: " ").joined(separator: ","),
                isCurrent: preset.description == kernel?.shape)
        }
        return .choose("Size", choices, typed: ("Measure", { $0.resize(to: $1) })) { $0.resize(to: $1) }
    }

    private mutating func resize(to typed: String) -> Work<Self> {
        guard let operation, !typed.trimmed.isEmpty else { return [] }
        do { show(operation, try operation.shape(typed.trimmed)) } catch {
            return [.notify(error.sentence, .failure), chooseSize()]
        }
        return []
    }

    mutating func changePreset(by step: Int) {
        guard let operation else { return }
        let presets = operation.presets
        let here = presets.firstIndex { $0.description == kernel?.shape }
        show(operation, presets[here.map { ($0 + step + presets.count) % presets.count } ?? 0])
    }

    private mutating func show(_ operation: KernelOperation, _ shape: KernelShape) {
        open(KernelPlace(.operation(operation.name), shape: shape.description), movesCursor: false)
    }

    mutating func changeThreads() -> Work<Self> {
        threads = threads == 1 ? ThreadPool.usableProcessors : 1
        let told = Work<Self>.notify(Format.count(threads, "thread"))
        guard let kernel else { return told }
        if case .operation = kernel.subject {
            // Sizes that this version rejects come from an old run, whose ladder stays as recorded.
            guard let operation, (try? operation.shape(kernel.shape)) != nil else { return told }
        }
        open(KernelPlace(kernel), movesCursor: false)
        return told
    }

    // MARK: Profiles

    /// The text that the names of the visible launches contain.
    var filter: String {
        get { profile?.filter ?? "" }
        set { profile?.show(only: newValue.trimmed) }
    }

    func compare() -> Work<Self> {
        guard let profile else { return [] }
        let others = subjects.rows.compactMap { row -> Choice<Int64>? in
            guard case .profile(let id) = row.id, row.id != shownSubject else { return nil }
            return Choice(row.title, facts: ["\(id)"], value: id)
        }
        guard !others.isEmpty else { return .notify("import a second profile first: press i", .warning) }
        return .choose("Compare: the older profile is the base", others) { page, other in
            var place = KernelPlace(.profile(profile.profile.summary.id))
            place.comparison = other
            place.filter = profile.filter
            page.open(place, movesCursor: false)
            return []
        }
    }

    func importProfile(_ path: String) -> Work<Self> {
        guard !path.isEmpty else { return [] }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return job("profile import", title: "import \(name)") {
            try $0.profiles.importProfile(path, job: $1)
        } then: { page, report in
            page.screen.focus = .ladder
            page.open(KernelPlace(.profile(report.summary.id)))
            return [.notify(report.sentence, .success), .changed]
        }
    }

    // MARK: Deleting and exporting

    func deleteTarget() -> Work<Self> {
        guard let subject = target else { return [] }
        guard case .profile = subject else { return delete(subject) }
        let title = subjects.rows.first { $0.id == subject }?.title ?? "the profile"
        let question = Question(
            "Delete \(title.truncated(toColumns: 40))?",
            lines: ["This removes the imported profile from the workspace. Its file remains on disk."],
            [.init("d", "delete the profile", value: subject)])
        return .question(question) { $0.delete($1) }
    }

    private func delete(_ subject: KernelSubject) -> Work<Self> {
        write {
            try $0.delete(subject)
        } then: { page, sentence in
            if page.shownSubject == subject { page.close() }
            return [.notify(sentence, .success), .changed]
        }
    }

    func export() -> Work<Self> {
        guard let shown, let name = shownSubject?.name else { return [] }
        let word = name.split(separator: ".").first.map(String.init) ?? name
        return .export("Export the figures", name: "\(word).md", endings: [".md", ".json"]) { page, path in
            guard !path.isEmpty else { return [] }
            return page.write {
                _ in
                try KernelExport(shown).write(to: path)
            } then: {
                [.notify($1, .success), .changed]
            }
        }
    }

    // MARK: Text

    /// The text behind the selected row.
    var sections: [TextSection] {
        switch shown {
        case .kernel(let open): KernelDetail(open: open, view: view).sections
        case .profile(let open): LaunchDetail(open: open).sections
        case nil: []
        }
    }

    /// Shows the text behind the selected row and repeats the search in it.
    mutating func showText() {
        let sections = sections
        guard sections.map(\.text) != text.sections.map(\.text) else { return }
        let query = text.search?.query
        text.show(sections)
        if let query { text.find(query) }
    }

    mutating func nextView() {
        let views = View.allCases
        view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
    }
}
