internal import Console
internal import KernelLab
internal import Kernels
internal import Workspace

extension KernelPanel {
    // MARK: Measuring

    /// Measures what is under the cursor in the list, or what is shown when the cursor is elsewhere.
    mutating func run() -> [Effect<KernelAnswer>] {
        guard let subject = target else { return [.notify("select a kernel first", .warning)] }
        return measure(subject)
    }

    mutating func measure(_ subject: KernelSubject) -> [Effect<KernelAnswer>] {
        let engine = engine
        let threads = threads
        let shape = shownShape(of: subject)
        let title: String
        switch subject {
        case .operation(let name): title = "measure \(name)"
        case .own(let path): title = "measure \(path.split(separator: "/").last.map(String.init) ?? path)"
        case .profile: return [.notify("profiles cannot be measured again", .warning)]
        }
        let work = Measuring(title: title)
        measuring[subject] = work
        let job = JobRequest("kernel run", title: title) { handle in
            KernelAnswer.measured(
                try engine.measure(subject, shape: shape, threads: threads, job: handle, progress: work.progress))
        }
        // Watch for saves that are newer than the measured source.
        return (subject == shownSubject ? watch() : open(subject)) + [.job(job)]
    }

    /// Returns the sizes at which a kernel is shown; `nil` if it is not shown or has fixed sizes.
    private func shownShape(of subject: KernelSubject) -> String? {
        if let opening, opening.subject == subject { return opening.shape }
        guard case .operation(let open) = shown, open.subject == subject else { return nil }
        return open.shape
    }

    mutating func measureCeilings() -> [Effect<KernelAnswer>] {
        let engine = engine
        let work = Measuring(title: "measure ceilings")
        measuringCeilings = work
        let job = JobRequest("kernel ceilings", title: work.title) { handle in
            KernelAnswer.measuredCeilings(
                CeilingsBox(ceilings: try engine.measureCeilings(job: handle, progress: work.progress)))
        }
        return [.job(job)]
    }

    // MARK: The person's own kernels

    func adding(_ path: String) -> [Effect<KernelAnswer>] {
        let engine = engine
        return [.ask(key: "add") { _ in .added(try engine.add(own: path)) }]
    }

    func edit() -> [Effect<KernelAnswer>] {
        guard case .own(let path) = target else { return [] }
        do { return [.edit(path: try OwnKernel(contentsOf: path).source, then: .edited(path))] } catch {
            // Open the editor so the user can fix an unreadable file.
            return [.notify("\(error)", .failure), .edit(path: path, then: .edited(path))]
        }
    }

    /// While a person's kernel is shown its files are looked at now and then: saved anywhere, they are measured again.
    func watch(since stamp: Int64? = nil) -> [Effect<KernelAnswer>] {
        guard case .own(let open) = shown, case .own(let path) = open.subject else { return [.cancel(key: "watch")] }
        let stamp = stamp ?? KernelEngine.stamp(of: open.files)
        return [.wait(key: "watch", for: Self.watchInterval, then: .watched(path: path, stamp: stamp))]
    }

    private static var watchInterval: Duration { .milliseconds(400) }

    mutating func watched(_ path: String, _ before: Int64) -> [Effect<KernelAnswer>] {
        guard case .own(let open) = shown, open.subject == .own(path) else { return [] }
        // What is saved during a measurement is measured after it.
        guard measuring[.own(path)] == nil, KernelEngine.stamp(of: open.files) != before else {
            return watch(since: before)
        }
        return watch() + measure(.own(path))
    }

    // MARK: Profiles

    func importing(_ path: String) -> [Effect<KernelAnswer>] {
        let engine = engine
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return [
            .job(
                JobRequest("profile import", title: "import \(name)") { handle in
                    .imported(try engine.importProfile(path, job: handle))
                })
        ]
    }

    func compare(with typed: String) -> [Effect<KernelAnswer>] {
        guard case .profile(let before) = shown, let id = Int64(typed) else { return [] }
        let engine = engine
        let first = before.profile.summary.id
        let place = ProfilePlace(filter: before.filter)
        return [
            .ask(key: "open") { _ in .profile(OpenProfileBox(open: try engine.compare(first, with: id)), at: place) }
        ]
    }

    func deleteSelected() -> [Effect<KernelAnswer>] {
        guard let subject = target else { return [] }
        guard case .profile = subject else { return delete(subject) }
        let title = subjects.rows.first { $0.subject == subject }?.title ?? "the profile"
        return [
            .question(
                Question(
                    "Delete \(title.truncated(toColumns: 40))?",
                    lines: ["This removes the imported profile from the workspace. Its file remains on disk."],
                    [.init("d", "delete the profile", value: .line(.delete(SubjectBox(subject: subject)), ""))]))
        ]
    }

    func delete(_ subject: KernelSubject) -> [Effect<KernelAnswer>] {
        let engine = engine
        return [.ask(key: "delete") { _ in .deleted(SubjectBox(subject: subject), try engine.delete(subject)) }]
    }

    // MARK: Taking figures along

    func copyFigures() -> [Effect<KernelAnswer>] {
        guard let report = shown.map(KernelExport.init) else { return [] }
        return [.copy(report.markdown, what: "the figures")]
    }

    func exporting(to path: String) -> [Effect<KernelAnswer>] {
        guard let report = shown.map(KernelExport.init) else { return [] }
        return [.ask(key: "export") { _ in .done(try report.write(to: path)) }]
    }
}
