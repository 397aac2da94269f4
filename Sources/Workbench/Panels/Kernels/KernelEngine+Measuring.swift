internal import Console
internal import Formatting
internal import KernelLab
internal import Kernels
internal import System
internal import Workspace

extension KernelEngine {
    func ceilings() throws -> Ceilings? { try history.latestCeilings() }

    func measureCeilings(job: JobHandle, progress: MeasuringProgress) throws -> Ceilings {
        defer { progress.end() }
        let ceilings = try CeilingMeasurement.run(
            progress: { progress.tell($0, job) }, cancellation: job.cancellation)
        try history.save(ceilings)
        return ceilings
    }

    /// Returns the rows of the list: built-in kernels, the user's own, and profiles. Shares are those for this many
    /// threads.
    func subjects(threads: Int) throws -> [SubjectList.Row] {
        var rows: [SubjectList.Row] = []
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
                SubjectList.Row(
                    subject: .profile(summary.id), title: summary.title, detail: summary.tool,
                    time: summary.seconds > 0 ? Format.time(seconds: summary.seconds) : nil))
        }
        return rows
    }

    /// - Parameters:
    ///   - source: Digest of the user's kernel as it is now; `nil` for built-in kernels.
    ///   - threads: Number of threads that a variant uses now.
    private func row(
        _ subject: KernelSubject, _ title: String, operation: String, source: String? = nil, threads: (String) -> Int
    ) throws -> SubjectList.Row {
        let past = try past(of: operation)
        let fitting = past.runs.filter { $0.threads == threads($0.variant) }
        guard let last = fitting.last else {
            let other = past.runs.last.map { "\(Format.count($0.threads, "thread")) only" }
            return SubjectList.Row(subject: subject, title: title, detail: other ?? "")
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
        return SubjectList.Row(
            subject: subject, title: title, detail: isOutdated ? "older version" : best.variant, isMeasured: true,
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

    func open(_ operation: KernelOperation, shape: KernelShape, threads: Int) throws -> OpenKernelBox {
        var ladder = Ladder(operation, threads: threads)
        let past = try past(of: operation.name, shape: shape.description)
        ladder.machine = past.machine
        ladder.hidden = past.hidden
        ladder.adopt(past.runs, cost: operation.cost(shape), operation: operation, shape: shape)
        return OpenKernelBox(
            open: try opened(operation, .operation(operation.name), shape, threads, ladder, past.runs))
    }

    /// Returns the sizes in a text (default: the last measured sizes, otherwise the first preset).
    func shape(of operation: KernelOperation, _ text: String?) throws -> KernelShape {
        if let text { return try operation.shape(text) }
        let last = try past(of: operation.name).runs.last
        // Failure is harmless: sizes from an earlier version may be invalid now, and the first preset replaces them.
        return last.flatMap { try? operation.shape($0.shape) } ?? operation.presets[0]
    }

    /// The ceilings of the machine that measured a ladder.
    private func ceilings(of ladder: Ladder) throws -> Ceilings? {
        try ladder.machine.map { try history.latestCeilings(ofMachine: $0) } ?? history.latestCeilings()
    }

    func open(use: Int64) throws -> OpenKernelBox {
        guard let (name, shape) = try history.use(use) else { throw Problem.gone("the kernel") }
        let operation = try KernelCatalog.operation(name)
        return try open(operation, shape: try operation.shape(shape), threads: 1)
    }

    func open(ownKernel id: Int64) throws -> OpenKernelBox {
        guard let path = try ownKernels.path(id) else { throw Problem.gone("the kernel") }
        return try open(own: path, threads: 1)
    }

    func open(own path: String, threads: Int) throws -> OpenKernelBox {
        let kernel = try OwnKernel(contentsOf: path)
        let shape = kernel.sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        let past = try past(of: kernel.name, shape: shape)
        let names = ([kernel.reference].compactMap(\.self)) + [kernel.function]
        var ladder = Ladder(
            rungs: names.map {
                .init(
                    name: $0, idea: $0 == kernel.reference ? "the reference" : "your kernel", state: .notYet,
                    threads: kernel.isParallel ? threads : 1)
            })
        ladder.reference = kernel.reference.map { "the reference, \($0)" }
        ladder.machine = past.machine
        ladder.hidden = past.hidden
        ladder.adopt(past.runs, cost: kernel.cost, operation: nil, shape: nil, source: kernel.sourceDigest)
        return OpenKernelBox(open: try opened(kernel, path, threads, ladder, past.runs))
    }

    private func opened(
        _ operation: KernelOperation, _ subject: KernelSubject, _ shape: KernelShape, _ threads: Int, _ ladder: Ladder,
        _ past: [KernelRun]
    ) throws -> OpenKernel {
        let sources = Dictionary(
            uniqueKeysWithValues: operation.variants.map { variant in
                (variant.name, variant.sources.map { OpenKernel.Source(path: $0, text: KernelVariant.text(of: $0)) })
            })
        return OpenKernel(
            subject: subject, title: operation.name, shape: shape.description, threads: threads, ladder: ladder,
            list: ListView(count: ladder.rungs.count), sources: sources, history: Self.history(past),
            // A workspace that is only read gives out no new number: then nothing refers to it.
            use: try? history.reference(operation: operation.name, shape: shape.description),
            arithmetic: operation.arithmetic, isStreaming: operation.isStreaming,
            cost: operation.costFormula, ceilings: try ceilings(of: ladder))
    }

    private func opened(
        _ kernel: OwnKernel, _ path: String, _ threads: Int, _ ladder: Ladder, _ past: [KernelRun]
    ) throws -> OpenKernel {
        let text = [OpenKernel.Source(path: kernel.source, text: try SourceText.of(kernel.source))]
        return OpenKernel(
            subject: .own(path), title: kernel.title,
            shape: kernel.sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " "), threads: threads,
            ladder: ladder,
            list: ListView(count: ladder.rungs.count),
            sources: Dictionary(uniqueKeysWithValues: ladder.rungs.map { ($0.name, text) }),
            history: Self.history(past),
            use: try ownKernels.id(of: path), arithmetic: kernel.arithmetic, isStreaming: false,
            cost: "\(kernel.flops.text) FLOP, \(kernel.bytes.text) B", ceilings: try ceilings(of: ladder))
    }

    private static func history(_ runs: [KernelRun]) -> [String: [OpenKernel.PastRun]] {
        Dictionary(grouping: runs, by: \.variant).mapValues { runs in
            runs.map {
                OpenKernel.PastRun(
                    when: $0.measuredAt, commit: $0.commit.map { String($0.prefix(8)) } ?? "", threads: $0.threads,
                    share: $0.roofShare, rate: $0.rate, bandwidth: $0.bytesPerSecond,
                    regression: $0.verdict.regression)
            }
        }
    }

    // MARK: Measuring

    func measure(
        _ subject: KernelSubject, shape: String?, threads: Int, job: JobHandle, progress: MeasuringProgress
    ) throws -> OpenKernelBox {
        defer { progress.end() }
        switch subject {
        case .operation(let name):
            let operation = try KernelCatalog.operation(name)
            let shape = try self.shape(of: operation, shape)
            let report = try history.measure(
                operation: operation, variants: nil, shape: shape, threads: threads, budget: seconds,
                progress: { progress.tell($0, job) }, cancellation: job.cancellation
            ).report
            var box = try open(operation, shape: shape, threads: threads)
            box.open.ladder.adopt(report)
            return box
        case .own(let path):
            let kernel = try OwnKernel(contentsOf: path)
            let report = try history.measure(source: kernel.sourceDigest) { _ in
                try kernel.measure(
                    threads: threads, seconds: Self.ownSeconds, progress: { progress.tell($0, job) },
                    cancellation: job.cancellation)
            }.report
            var box = try open(own: path, threads: threads)
            box.open.ladder.adopt(report)
            return box
        case .profile(let id): throw Problem.gone("profile \(id)")
        }
    }

    /// Of measuring a person's kernel: from saving to the figure is to take less than 3 s.
    private static let ownSeconds = 0.8
}
