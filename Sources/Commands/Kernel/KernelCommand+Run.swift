import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Kernels
import Presentation
internal import System
import Tables
import Workspace

extension KernelCommand {
    struct Run: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Measure a kernel's variants against the machine's limit.",
            discussion: """
                The machine's ceiling is measured between the samples of the variants. The workspace stores the \
                results, and the command reports variants that got slower; the exit status is then 3. To measure \
                a kernel of your own, pass a C file with a TOML file next to it.
                """)

        @Argument(
            help: "Kernel name, own kernel (own/saxpy), or C or TOML file.",
            completion: .custom(kernelNames))
        var name: String

        @Option(help: "Size: 512, 32x4096x4096, or m=32,k=4096. See kernel list NAME.")
        var size: String?

        @Option(help: "Number of threads.")
        var threads: Int = 1

        @Option(name: .customLong("variant"), help: "Measure only this variant; repeatable.")
        var variants: [String] = []

        @Option(help: "Total seconds for all variants.")
        var seconds: Double = 3

        @Flag(help: "Measure without saving the result.")
        var dry = false

        @OptionGroup var reading: WorkspaceJSON

        func validate() throws {
            guard seconds > 0, seconds <= 3_600 else {
                throw ValidationError("--seconds must be above 0 and at most 3600.")
            }
            guard (1...ThreadPool.usableProcessors).contains(threads) else {
                throw ValidationError("--threads must be 1 to \(ThreadPool.usableProcessors) on this machine.")
            }
        }

        func result(in options: WorkspaceJSON) throws -> Report<MeasuredKernel> {
            let line = FractionLine("measuring")
            defer { line.end() }
            let cancellation = Cancellation()
            let measured = try Interruption.cancelling(cancellation) { try measure(line, cancellation) }
            let isWrong = measured.report.rungs.contains(where: \.isWrong)
            return Report(measured, status: isWrong ? 1 : measured.regressions.isEmpty ? 0 : 3) {
                let ladder = KernelReportText(report: measured.report).text
                return ([ladder] + measured.regressions.map(\.sentence)).joined(separator: "\n")
            }
        }

        private var place: WorkspaceOptions { reading.place }

        private func measure(_ line: FractionLine, _ cancellation: Cancellation) throws -> MeasuredKernel {
            let progress: (MeasurementProgress) -> Void = { line.show($0.fraction, $0.activity) }
            if let kernel = try KernelCommand.ownKernel(name, place) {
                guard size == nil else {
                    throw ValidationError(
                        "--size is not available for your own kernels. Set sizes in the kernel's TOML file.")
                }
                return try measureOwn(kernel, progress, cancellation)
            }
            let operation = try KernelCatalog.operation(name)
            let shape = try size.map { try operation.shape($0) }
            for variant in variants { _ = try operation.variant(variant) }
            let chosen = variants.isEmpty ? nil : variants
            guard !dry else {
                let report = try KernelMeasurement.measure(
                    operation: operation, variants: chosen, shape: shape, threads: threads, budget: seconds,
                    progress: progress, cancellation: cancellation)
                return MeasuredKernel(report: report, regressions: [])
            }
            let history = KernelHistory(try place.open())
            let outcome = try history.measure(
                operation: operation, variants: chosen, shape: shape, threads: threads, budget: seconds,
                progress: progress, cancellation: cancellation)
            return MeasuredKernel(report: outcome.report, regressions: outcome.regressions)
        }

        private func measureOwn(
            _ kernel: OwnKernel, _ progress: (MeasurementProgress) -> Void, _ cancellation: Cancellation
        ) throws -> MeasuredKernel {
            func measured() throws -> KernelReport {
                try kernel.measure(threads: threads, seconds: seconds, progress: progress, cancellation: cancellation)
            }
            guard !dry else { return MeasuredKernel(report: try measured(), regressions: []) }
            let workspace = try place.open()
            try OwnKernelStore(workspace).add(kernel)
            let outcome = try KernelHistory(workspace).measure(source: kernel.sourceDigest) { _ in try measured() }
            return MeasuredKernel(report: outcome.report, regressions: outcome.regressions)
        }
    }

    struct History: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "history", abstract: "List earlier measurements of a kernel, and mark regressions.")

        @Argument(
            help: "Kernel name, own kernel (own/saxpy), or C or TOML file.",
            completion: .custom(kernelNames))
        var name: String

        @Option(help: "Show only this variant.")
        var variant: String?

        @Option(help: "Maximum number of runs.")
        var limit: Int = 40

        @Option(help: "Accept run NUMBER as the new baseline for comparisons.")
        var accept: Int64?

        @OptionGroup var reading: WorkspaceTable

        func validate() throws {
            guard limit >= 0 else { throw ValidationError("--limit must be at least 0.") }
        }

        func result(in options: WorkspaceTable) throws -> Listing<KernelRun> {
            if let accept { try KernelHistory(try options.place.openExisting()).accept(accept) }
            let kernel = try KernelCommand.ownKernel(name, options.place)
            let runs = try options.workspace().map {
                try KernelHistory($0).runs(.init(operation: kernel?.name ?? name, variant: variant), limit: limit)
            }
            let source = kernel?.sourceDigest
            return Listing(
                runs ?? [], "runs", empty: "no runs of \(name) yet. To create one, run: orrery kernel run \(name)"
            ) { table in
                table.text("run", json: nil, align: .right, \.id)
                table.text("when") { Format.timestamp(nanoseconds: Int64($0.measuredAt * 1e9)) }
                table.text("machine", Self.machine)
                table.text("commit") { $0.commit ?? "" }
                table.text("variant", \.variant)
                table.text("sizes", \.shape)
                table.text("threads", json: nil, align: .right, \.threads)
                table.text("rate", json: nil, align: .right, \.rate) { Format.rate(operationsPerSecond: $0) }
                table.text("of roof", align: .right) { FigureText.share($0.roofShare) }
                table.text("") { Self.remark($0, source) }
            }
        }

        private static func machine(_ run: KernelRun) -> String {
            run.machine == Machine.current.identity ? "this machine" : Machine.processor(of: run.machine)
        }

        private static func remark(_ run: KernelRun, _ source: String?) -> String {
            var remarks = run.isOutdated(by: source) ? ["older version"] : []
            if run.standing == .void { remarks.append("void") }
            if run.verdict == .regressed { remarks.append("slower than before") }
            return remarks.joined(separator: ", ")
        }
    }

    /// Returns the user's kernel for a name: a C or TOML file, or a title such as `own/saxpy`; `nil` for a built-in
    /// kernel.
    static func ownKernel(_ name: String, _ place: WorkspaceOptions) throws -> OwnKernel? {
        if name.hasSuffix(".c") || name.hasSuffix(".toml") { return try OwnKernel(contentsOf: name) }
        guard name.hasPrefix("own/") else { return nil }
        guard !place.isUnused else {
            throw Problem(
                .unknown, "", "unknown kernel \(name): this workspace contains no kernels of your own",
                remedy: "To add one, run: orrery kernel run FILE.c")
        }
        return try OwnKernelStore(place.openForReading()).kernel(titled: name)
    }

    /// Runs a user's kernel in a separate process; used only by `kernel run`.
    struct Child: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "child", shouldDisplay: false)

        @Argument var file: String
        @Argument var library: String
        @Option var threads: Int = 1
        @Option var seconds: Double = 3

        func run() throws {
            try answering { try OwnKernel.child(file: file, library: library, threads: threads, seconds: seconds) }
        }
    }
}

extension KernelReport.Rung {
    /// Whether the result disagrees with the reference.
    fileprivate var isWrong: Bool { if case .disagrees = outcome { true } else { false } }
}

/// Results of `kernel run --json`.
struct MeasuredKernel: JSONRepresentable {
    let report: KernelReport
    let regressions: [Regression]

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("report", report)
            $0.member("regressions", regressions.map(\.sentence))
        }
    }
}

/// A measured ladder as a table.
struct KernelReportText {
    let report: KernelReport

    var text: String {
        let isFloating = report.peak.name.contains("int8") == false
        var table = TextTable(
            ["variant", "threads", "rate", "best", "bytes", "of roof", "of peak", "library", "error"],
            rightAligned: [1, 2, 3, 4, 5, 6, 7, 8])
        var remarks: [String] = []
        for rung in report.rungs {
            switch rung.outcome {
            case .measured(let figures):
                remarks += (report.share(of: rung).map(FigureText.remarks) ?? []).map { "\(rung.name): \($0)" }
                let ratio = report.library.flatMap { report.ratio(of: rung.name, to: $0.name) }
                table.add([
                    rung.name, String(rung.threads),
                    Format.rate(operationsPerSecond: figures.rate.median, isFloatingPoint: isFloating),
                    Format.rate(operationsPerSecond: figures.rate.best, isFloatingPoint: isFloating),
                    Format.rate(bytesPerSecond: figures.bytesPerSecond),
                    FigureText.share(report.share(of: rung)), FigureText.share(report.shareOfPeak(of: rung)),
                    ratio.map { Format.fixed($0, digits: 2) + "×" } ?? "",
                    figures.agreement.isChecked ? Format.percent(figures.agreement.worst, digits: 1) : "unchecked",
                ])
            case .unavailable(let reason): remarks.append("\(rung.name) did not run: \(reason)")
            case .disagrees(let place):
                remarks.append("\(rung.name) disagrees with its reference, so it was not timed: \(place)")
            }
        }
        let threads = Format.count(report.threads, "thread")
        var head = ["\(report.operation)  \(report.shape.description)  \(threads)  data in \(report.level.rawValue)"]
        head += [report.roofs, report.oneThread].compactMap(\.self).map { roof($0, isFloating) }
        let foot = [report.conditions.sentence, report.counters] + report.notes + remarks
        return head.joined(separator: "\n") + "\n\n" + table.text
            + "\n\nerror is relative to the rounding bound; rates are medians of samples that alternate "
            + "with ceiling measurements\n"
            + foot.joined(separator: "\n")
    }

    /// Returns the roof for a number of threads: `roof of 1 thread  FMA f32 AVX-512 247 GFLOP/s, L2 read 150 GB/s;
    /// ...`.
    private func roof(_ roofs: KernelReport.Roofs, _ isFloating: Bool) -> String {
        let bound = roofs.bound(report.cost) == .compute ? "arithmetic" : "memory"
        return "roof of \(Format.count(roofs.threads, "thread"))  \(roofs.peak.name) "
            + "\(Format.rate(operationsPerSecond: roofs.peak.rate.median, isFloatingPoint: isFloating)), "
            + "\(roofs.bandwidth.name) \(Format.rate(bytesPerSecond: roofs.bandwidth.rate.median)); at "
            + "\(Format.compact(report.cost.intensity)) operations/byte bound by \(bound): "
            + Format.rate(operationsPerSecond: roofs.attainable(report.cost), isFloatingPoint: isFloating)
    }
}
