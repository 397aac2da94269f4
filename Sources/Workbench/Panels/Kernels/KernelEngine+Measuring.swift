internal import Console
internal import KernelLab
internal import Kernels
internal import Workspace

extension KernelEngine {
    func ceilings() throws -> Ceilings? { try history.latestCeilings() }

    func measureCeilings(job: JobHandle) throws -> Ceilings {
        let ceilings = try CeilingMeasurement.run(
            progress: { Self.tell(job, $0) }, cancellation: job.cancellation)
        try history.save(ceilings)
        return ceilings
    }

    /// The rows of the list: built-in kernels, the person's own, profiles.
    func subjects() throws -> [SubjectList.Row] {
        var rows: [SubjectList.Row] = []
        for operation in KernelCatalog.operations {
            rows.append(try row(.operation(operation.name), operation.name, operation: operation.name))
        }
        for path in try ownKernels.paths() {
            let title = (try? OwnKernel(contentsOf: path))?.title
            let file = path.split(separator: "/").last.map(String.init) ?? path
            rows.append(try row(.own(path), title ?? file, operation: path))
        }
        for summary in try profiles.summaries() {
            rows.append(
                SubjectList.Row(
                    subject: .profile(summary.id), title: summary.title, detail: summary.tool,
                    figure: summary.seconds > 0 ? FigureText.time(summary.seconds) : ""))
        }
        return rows
    }

    private func row(_ subject: KernelSubject, _ title: String, operation: String) throws -> SubjectList.Row {
        let runs = try history.runs(.init(operation: operation, machine: Machine.current.identity), limit: 40)
        guard let last = runs.last else {
            return SubjectList.Row(subject: subject, title: title, detail: "", figure: "")
        }
        // What became slower, else the best rung that is no library's, each as it was measured last at these sizes.
        let alike = runs.filter { $0.shape == last.shape && $0.threads == last.threads }
        let together = Dictionary(alike.map { ($0.variant, $0) }, uniquingKeysWith: { $1 }).values
        let best =
            together.first { $0.verdict.regression != nil }
            ?? together.filter { $0.variant != KernelReport.libraryName }.max { $0.share < $1.share } ?? last
        return SubjectList.Row(
            subject: subject, title: title, detail: best.variant, figure: Format.percent(best.share, digits: 1),
            isRegression: together.contains { $0.verdict.regression != nil })
    }

    // MARK: Opening

    func open(_ operation: KernelOperation, shape: KernelShape, threads: Int) throws -> OpenKernelBox {
        var ladder = Ladder(operation)
        let past = try history.runs(
            .init(
                operation: operation.name, shape: shape.description, threads: threads, machine: Machine.current.identity
            ),
            limit: 400)
        ladder.adopt(past, cost: operation.cost(shape), operation: operation, shape: shape)
        ladder.roofline = try history.latestCeilings()?.roofline(
            threads: threads, arithmetic: operation.arithmetic, bandwidth: operation.isStreaming ? .copy : .read)
        return OpenKernelBox(open: try opened(operation, .operation(operation.name), shape, threads, ladder, past))
    }

    /// The sizes that a text says; without one those that were measured last, else the usual ones.
    func shape(of operation: KernelOperation, _ text: String?, threads: Int) throws -> KernelShape {
        if let text { return try operation.shape(text) }
        let last = try history.runs(
            .init(operation: operation.name, threads: threads, machine: Machine.current.identity), limit: 1
        ).last
        return last.flatMap { try? operation.shape($0.shape) } ?? operation.presets[0]
    }

    func open(use: Int64) throws -> OpenKernelBox {
        guard let (name, shape) = try history.use(use) else { throw KernelGone() }
        let operation = try KernelCatalog.operation(name)
        return try open(operation, shape: try operation.shape(shape), threads: 1)
    }

    func open(ownKernel id: Int64) throws -> OpenKernelBox {
        guard let path = try ownKernels.path(id) else { throw KernelGone() }
        return try open(own: path, threads: 1)
    }

    func open(own path: String, threads: Int) throws -> OpenKernelBox {
        let kernel = try OwnKernel(contentsOf: path)
        let shape = kernel.sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        let past = try history.runs(
            .init(operation: kernel.name, shape: shape, threads: threads, machine: Machine.current.identity), limit: 400
        )
        let names = ([kernel.reference].compactMap(\.self)) + [kernel.function]
        var ladder = Ladder(
            rungs: names.map {
                .init(name: $0, idea: $0 == kernel.reference ? "the reference" : "your kernel", state: .notYet)
            })
        ladder.reference = kernel.reference.map { "its reference, \($0)" }
        ladder.adopt(past, cost: kernel.cost, operation: nil, shape: nil)
        ladder.roofline = try history.latestCeilings()?.roofline(threads: threads, arithmetic: kernel.arithmetic)
        return OpenKernelBox(open: try opened(kernel, path, threads, ladder, past))
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
            cost: operation.costFormula)
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
            cost: "\(kernel.flops.text) FLOP, \(kernel.bytes.text) B")
    }

    private static func history(_ runs: [KernelRun]) -> [String: [OpenKernel.PastRun]] {
        Dictionary(grouping: runs, by: \.variant).mapValues { runs in
            runs.map {
                OpenKernel.PastRun(
                    when: $0.measuredAt, commit: $0.commit.map { String($0.prefix(8)) } ?? "", share: $0.share,
                    rate: $0.rate,
                    bandwidth: $0.bytesPerSecond,
                    regression: $0.verdict.regression)
            }
        }
    }

    // MARK: Measuring

    func measure(_ subject: KernelSubject, shape: String?, threads: Int, job: JobHandle) throws -> OpenKernelBox {
        switch subject {
        case .operation(let name):
            let operation = try KernelCatalog.operation(name)
            let shape = try self.shape(of: operation, shape, threads: threads)
            let report = try history.measure(
                operation: operation, variants: nil, shape: shape, threads: threads, budget: seconds,
                progress: { Self.tell(job, $0) }, cancellation: job.cancellation
            ).report
            var box = try open(operation, shape: shape, threads: threads)
            box.open.ladder.adopt(report)
            return box
        case .own(let path):
            let kernel = try OwnKernel(contentsOf: path)
            let report = try history.measure { _ in
                try kernel.measure(
                    threads: threads, seconds: Self.ownSeconds, progress: { Self.tell(job, $0) },
                    cancellation: job.cancellation)
            }.report
            var box = try open(own: path, threads: threads)
            box.open.ladder.adopt(report)
            return box
        case .profile(let id): throw ProfileGone(id: id)
        }
    }

    /// Of measuring a person's kernel: from saving to the figure is to take less than 3 s.
    private static let ownSeconds = 0.8

    private static func tell(_ job: JobHandle, _ progress: MeasurementProgress) {
        job.tell(done: Int64(progress.fraction * 100), of: 100, unit: "%")
    }
}

/// A kernel that is no longer known.
struct KernelGone: Error, CustomStringConvertible {
    var description: String { "this kernel is no longer in the workspace." }
}
