internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import Presentation
internal import System
internal import Workspace

extension KernelEngine {
    func ceilings() throws -> Ceilings? { try history.latestCeilings() }

    func measureCeilings(job: JobHandle, progress: MeasuringProgress) throws -> Ceilings {
        defer { progress.end() }
        let ceilings = try measuredCeilings({ progress.tell($0, job) }, job.cancellation)
        try history.save(ceilings)
        return ceilings
    }

    /// Returns the rows of the list: built-in kernels, the user's own, and profiles. Shares are those for this many
    /// threads.
    func subjects(threads: Int) throws -> [SubjectRow] {
        var rows: [SubjectRow] = []
        for operation in KernelCatalog.operations {
            rows.append(
                try row(.operation(operation.name), operation.name, operation: operation.name) { name in
                    operation.variants.first { $0.name == name }?.isParallel == true ? threads : 1
                })
        }
        for path in try ownKernels.paths() {
            // Failure is harmless: the file is listed by its name, and opening it reports what is wrong.
            let kernel = try? OwnKernel(contentsOf: path)
            let file = path.split(separator: "/").last.map(String.init) ?? path
            let used = kernel?.isParallel == true ? threads : 1
            rows.append(
                try row(.own(path), kernel?.title ?? file, operation: path, source: kernel?.sourceDigest) { _ in used })
        }
        for summary in try profiles.summaries() {
            rows.append(
                SubjectRow(
                    id: .profile(summary.id), title: summary.title, detail: summary.tool,
                    time: summary.seconds > 0 ? Format.time(seconds: summary.seconds) : nil))
        }
        return rows
    }

    /// - Parameters:
    ///   - source: Digest of the user's kernel as it is now; `nil` for built-in kernels.
    ///   - threads: Number of threads that a variant uses now.
    private func row(
        _ subject: KernelSubject, _ title: String, operation: String, source: String? = nil, threads: (String) -> Int
    ) throws -> SubjectRow {
        let past = try past(of: operation)
        let fitting = past.runs.filter { $0.threads == threads($0.variant) }
        guard let last = fitting.last else {
            let other = past.runs.last.map { "\(Format.count($0.threads, "thread")) only" }
            return SubjectRow(id: subject, title: title, detail: other ?? "")
        }
        // Show the regressed rung, or else the fastest rung that is not a library's, from the last measurements at
        // these sizes.
        let alike = fitting.filter { $0.shape == last.shape }
        let together = Dictionary(alike.map { ($0.variant, $0) }, uniquingKeysWith: { $1 }).values
        let best =
            together.first { $0.verdict.regression != nil }
            ?? together.filter { $0.variant != KernelReport.libraryName }
            .max { ($0.rate, $0.bytesPerSecond) < ($1.rate, $1.bytesPerSecond) } ?? last
        let isOutdated = best.isOutdated(by: source)
        return SubjectRow(
            id: subject, title: title, detail: isOutdated ? "older version" : best.variant, isMeasured: true,
            share: best.roofShare, isElsewhere: past.machine != nil, isOutdated: isOutdated,
            isRegression: together.contains { $0.verdict.regression != nil })
    }

    /// Runs of a kernel on one machine, newest last.
    private struct Past {
        var runs: [KernelRun] = []
        /// The machine that measured the runs; `nil` for this machine.
        var machine: String?
        /// The machine whose runs stay hidden because this machine has figures of its own.
        var hidden: String?
    }

    /// Returns the runs of this machine. As long as nothing was measured here, returns those of the machine that
    /// measured the kernel last.
    private func past(of operation: String, shape: String? = nil) throws -> Past {
        let here = try history.runs(
            .init(operation: operation, shape: shape, machine: Machine.current.identity), limit: Self.mostRuns)
        guard here.isEmpty else { return Past(runs: here) }
        guard let machine = try history.runs(.init(operation: operation, shape: shape), limit: 1).last?.machine,
            machine != Machine.current.identity
        else { return Past() }
        // Figures of two machines side by side would be read as one ladder.
        guard try !history.hasFigures(ofMachine: Machine.current.identity) else { return Past(hidden: machine) }
        let there = try history.runs(
            .init(operation: operation, shape: shape, machine: machine), limit: Self.mostRuns)
        return Past(runs: there, machine: machine)
    }

    private static let mostRuns = 400

    // MARK: Opening

    func open(_ place: KernelPlace) throws -> KernelPage.Shown {
        switch place.subject {
        case .operation(let name):
            let operation = try KernelCatalog.operation(name)
            let shape = try shape(of: operation, place.shape)
            return .kernel(try open(operation, shape: shape, threads: place.threads))
        case .own(let path): return .kernel(try open(own: path, threads: place.threads))
        case .profile(let id):
            var open = try place.comparison.map { try compare(id, with: $0) } ?? profile(id)
            open.restore(place)
            return .profile(open)
        }
    }

    /// Returns the kernel and sizes of a kernel use.
    func place(use: Int64) throws -> KernelPlace {
        guard let (name, shape) = try history.use(use) else { throw Problem.gone("the kernel") }
        return KernelPlace(.operation(name), shape: shape)
    }

    func place(ownKernel id: Int64) throws -> KernelPlace {
        guard let path = try ownKernels.path(id) else { throw Problem.gone("the kernel") }
        return KernelPlace(.own(path))
    }

    /// Returns the sizes in a text (default: the last measured sizes, otherwise the first preset).
    private func shape(of operation: KernelOperation, _ text: String?) throws -> KernelShape {
        if let text { return try operation.shape(text) }
        let last = try past(of: operation.name).runs.last
        // Failure is harmless: sizes from an earlier version may be invalid now, and the first preset replaces them.
        return last.flatMap { try? operation.shape($0.shape) } ?? operation.presets[0]
    }

    private func open(_ operation: KernelOperation, shape: KernelShape, threads: Int) throws -> OpenKernel {
        var ladder = Ladder(operation, threads: threads)
        let past = try past(of: operation.name, shape: shape.description)
        (ladder.machine, ladder.hidden) = (past.machine, past.hidden)
        ladder.adopt(past.runs, cost: operation.cost(shape), operation: operation, shape: shape)
        let sources = operation.variants.map { variant in
            (variant.name, variant.sources.map { OpenKernel.Source(path: $0, text: KernelVariant.text(of: $0)) })
        }
        return OpenKernel(
            subject: .operation(operation.name), title: operation.name, shape: shape.description, threads: threads,
            ladder: ladder, list: ListView(count: ladder.rungs.count),
            sources: Dictionary(uniqueKeysWithValues: sources),
            history: Dictionary(grouping: past.runs, by: \.variant),
            // A read-only workspace issues no new number: then nothing refers to it.
            use: try? history.reference(operation: operation.name, shape: shape.description),
            arithmetic: operation.arithmetic, isStreaming: operation.isStreaming, cost: operation.costFormula,
            ceilings: try ceilings(of: ladder))
    }

    private func open(own path: String, threads: Int) throws -> OpenKernel {
        let kernel = try OwnKernel(contentsOf: path)
        let shape = kernel.sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        let past = try past(of: kernel.name, shape: shape)
        let used = kernel.isParallel ? threads : 1
        let reference = kernel.reference.map {
            Ladder.Rung(name: $0, idea: "the reference", state: .notYet, threads: used)
        }
        var ladder = Ladder(
            rungs: [reference].compactMap(\.self)
                + [.init(name: kernel.function, idea: "your kernel", state: .notYet, threads: used)])
        ladder.reference = kernel.reference.map { "the reference, \($0)" }
        (ladder.machine, ladder.hidden) = (past.machine, past.hidden)
        ladder.adopt(past.runs, cost: kernel.cost, operation: nil, shape: nil, source: kernel.sourceDigest)
        let source = [OpenKernel.Source(path: kernel.source, text: try SmallFile.text(kernel.source))]
        return OpenKernel(
            subject: .own(path), title: kernel.title, shape: shape, threads: threads, ladder: ladder,
            list: ListView(count: ladder.rungs.count),
            sources: Dictionary(uniqueKeysWithValues: ladder.rungs.map { ($0.name, source) }),
            history: Dictionary(grouping: past.runs, by: \.variant), use: try ownKernels.id(of: path),
            arithmetic: kernel.arithmetic,
            isStreaming: false, cost: "\(kernel.flops.text) FLOP, \(kernel.bytes.text) B",
            ceilings: try ceilings(of: ladder))
    }

    /// Returns the ceilings of the machine that measured a ladder.
    private func ceilings(of ladder: Ladder) throws -> Ceilings? {
        try ladder.machine.map { try history.latestCeilings(ofMachine: $0) } ?? history.latestCeilings()
    }

    // MARK: Measuring

    func measure(
        _ subject: KernelSubject, shape: String?, threads: Int, job: JobHandle, progress: MeasuringProgress
    ) throws -> OpenKernel {
        defer { progress.end() }
        let report: KernelReport
        var open: OpenKernel
        switch subject {
        case .operation(let name):
            let operation = try KernelCatalog.operation(name)
            let shape = try self.shape(of: operation, shape)
            report = try history.measure(
                operation: operation, variants: nil, shape: shape, threads: threads, budget: seconds,
                progress: { progress.tell($0, job) }, cancellation: job.cancellation
            ).report
            open = try self.open(operation, shape: shape, threads: threads)
        case .own(let path):
            let kernel = try OwnKernel(contentsOf: path)
            report = try history.measure(source: kernel.sourceDigest) { _ in
                try kernel.measure(
                    threads: threads, seconds: Self.ownSeconds, progress: { progress.tell($0, job) },
                    cancellation: job.cancellation)
            }.report
            open = try self.open(own: path, threads: threads)
        case .profile(let id): throw Problem.gone("profile \(id)")
        }
        open.ladder.adopt(report)
        return open
    }

    /// Time for measuring the user's kernel: figures appear less than 3 s after a save.
    private static let ownSeconds = 0.8
}
