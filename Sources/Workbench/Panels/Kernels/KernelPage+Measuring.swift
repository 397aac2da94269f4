internal import Console
internal import KernelLab
internal import Kernels
internal import Presentation

extension KernelPage {
    /// Measurements in progress, with the ceilings first.
    var underWay: [Measuring] {
        [measuringCeilings].compactMap(\.self) + measuring.values.sorted { $0.title < $1.title }
    }

    mutating func measure(_ subject: KernelSubject) -> Work<Self> {
        if case .profile = subject { return .notify("profiles cannot be measured again", .warning) }
        let (shape, threads) = (shownShape(of: subject), threads)
        let work = Measuring(title: "measure \(subject.name)")
        measuring[subject] = work
        let isShown = subject == shownSubject
        if !isShown, opening?.subject != subject { open(KernelPlace(subject)) }
        let job = job("kernel run", title: work.title) {
            try $0.measure(subject, shape: shape, threads: threads, job: $1, progress: work.progress)
        } then: {
            $0.measured($1)
        } failed: {
            $0.failed(subject, $1)
        }
        // A save that is newer than the measured source is measured afterward.
        return isShown ? [watch(), job] : job
    }

    /// Returns the sizes at which a kernel is or will be shown; `nil` for the last measured ones.
    private func shownShape(of subject: KernelSubject) -> String? {
        if let opening, opening.subject == subject { return opening.shape }
        guard let kernel, kernel.subject == subject else { return nil }
        return KernelPlace(kernel).shape
    }

    private mutating func measured(_ open: OpenKernel) -> Work<Self> {
        measuring[open.subject] = nil
        faults[open.subject] = nil
        let again = Work<Self>.again("subjects")
        guard let kernel, kernel.subject == open.subject, kernel.shape == open.shape, kernel.threads == open.threads
        else { return again }
        return [adopt(open), again]
    }

    private mutating func failed(_ subject: KernelSubject, _ sentence: String) -> Work<Self> {
        measuring[subject] = nil
        guard sentence != "cancelled" else { return [] }
        faults[subject] = sentence
        if var kernel, kernel.subject == subject {
            kernel.fault = sentence
            self.kernel = kernel
            // The reason refers to the current source.
            if case .own = subject { open(KernelPlace(kernel)) }
        }
        return .again("subjects")
    }

    // MARK: Ceilings

    mutating func measureCeilings() -> Work<Self> {
        let work = Measuring(title: "measure ceilings")
        measuringCeilings = work
        return job("kernel ceilings", title: work.title) {
            try $0.measureCeilings(job: $1, progress: work.progress)
        } then: { page, ceilings in
            page.measuringCeilings = nil
            page.raiseRoof(ceilings)
            // A kernel with the figures of another machine is opened again, to show those of this machine instead.
            if let kernel = page.kernel, kernel.ladder.machine != nil {
                page.open(KernelPlace(kernel), movesCursor: false)
            }
            return [.notify("measured the ceilings", .success), .changed]
        } failed: { page, _ in
            page.measuringCeilings = nil
            return []
        }
    }

    /// Uses new ceilings as the roof of the kernel that is shown.
    mutating func raiseRoof(_ found: Ceilings?) {
        ceilings = found
        if let found, kernel?.ladder.machine == nil { kernel?.ceilings = found }
    }

    // MARK: The user's own kernels

    func add(_ path: String) -> Work<Self> {
        guard !path.isEmpty else { return [] }
        return write {
            try $0.add(own: path)
        } then: { page, path in
            page.screen.focus = .ladder
            page.open(KernelPlace(.own(path)))
            return [.notify("added the kernel: r measures it, E edits it", .success), .changed]
        }
    }

    func edit() -> Work<Self> {
        guard case .own(let path) = target else { return [] }
        func edit(_ file: String) -> Work<Self> { .edit(file) { [$0.watch(), $0.measure(.own(path))] } }
        do { return edit(try OwnKernel(contentsOf: path).source) } catch {
            // The user can fix an unreadable file in the editor.
            return [.notify("\(error)", .failure), edit(path)]
        }
    }

    /// Checks the files of the user's kernel from time to time while it is shown, and measures it again when one is
    /// saved.
    func watch(since stamp: Int64? = nil) -> Work<Self> {
        guard let kernel, case .own(let path) = kernel.subject else { return .cancel("watch") }
        let stamp = stamp ?? KernelEngine.stamp(of: kernel.files)
        return .wait("watch", Self.watchInterval) { $0.watched(path, stamp) }
    }

    private static let watchInterval: Duration = .milliseconds(400)

    private mutating func watched(_ path: String, _ before: Int64) -> Work<Self> {
        guard let kernel, kernel.subject == .own(path) else { return [] }
        // A save during a measurement is measured after it.
        guard measuring[.own(path)] == nil, KernelEngine.stamp(of: kernel.files) != before else {
            return watch(since: before)
        }
        return [watch(), measure(.own(path))]
    }
}
