internal import Formatting
internal import Glibc
internal import JSON
internal import Kernels
internal import System
public import Workspace

extension OwnKernel {
    /// Compiles the kernel, checks it against its reference and measures it, in a process of its own.
    ///
    /// An endless loop, a fault or an exit there ends that process only, and is said in a sentence.
    ///
    /// - Parameters:
    ///   - seconds: of measuring; the whole takes about a second more.
    ///   - program: whose `kernel child` runs the kernel: this program.
    /// - Throws: `Problem`, `CancellationError`.
    public func measure(
        threads: Int = 1, seconds: Double = 1, program: String = "/proc/self/exe",
        progress: (MeasurementProgress) -> Void = { _ in }, cancellation: Cancellation? = nil
    ) throws -> KernelReport {
        let cancellation = cancellation ?? Cancellation()
        progress(MeasurementProgress(fraction: 0, activity: "compiling"))
        let compiled = try compile(cancellation)
        let limit = 2 * seconds + timeLimit + Self.grace
        var launch = System.Launch([
            program, "kernel", "child", path, compiled.library, "--threads", "\(threads)", "--seconds", "\(seconds)",
        ])
        // A crash is reported in one sentence; a backtrace would only take time.
        launch.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let result: ChildProcess.Output
        do {
            result = try ChildProcess.run(launch, limits: ChildProcess.Limits(seconds: limit)) { elapsed in
                progress(MeasurementProgress(fraction: min(0.99, elapsed / (seconds + 1)), activity: function))
                return cancellation.isCancelled
            }
        } catch {
            throw Problem(.failed, program, "cannot start the program: \(error.reason)")
        }
        try cancellation.check()
        if result.stop == .timeLimit {
            throw Problem(
                .limit, source, "\(function) did not return within \(Format.fixed(limit, digits: 0)) s and was stopped",
                remedy: "Check for an infinite loop.")
        }
        switch result.ending {
        case .killed(let signal): throw Problem(.failed, source, Self.reason(signal, function))
        case .exited(0): break
        case .exited(let status):
            let words = result.lastError
            guard words.hasPrefix("orrery: ") else {
                throw Problem(
                    .invalid, source, "\(function) ended the process with exit(\(status)) before it was measured")
            }
            let reason = words.dropFirst("orrery: ".count)
            let named = "\(source): "
            throw Problem(.invalid, source, String(reason.hasPrefix(named) ? reason.dropFirst(named.count) : reason))
        }
        guard !result.output.isEmpty else {
            throw Problem(.invalid, source, "\(function) ended the process with exit(0) before it was measured")
        }
        return try KernelReport(json: result.text)
    }

    /// Seconds for starting, checking and saying the result.
    private static let grace = 5.0

    private static func reason(_ signal: Int32, _ function: String) -> String {
        switch signal {
        case SIGSEGV, SIGBUS: "\(function) accessed memory outside its arrays and was stopped"
        case SIGFPE: "\(function) divided an integer by zero and was stopped"
        case SIGILL: "\(function) used an instruction that this processor does not support. Check `flags`"
        case SIGABRT: "\(function) called abort()"
        case SIGXCPU: "\(function) exceeded its time limit and was stopped. Check for an infinite loop."
        default: "\(function) was stopped by signal \(signal)"
        }
    }

    /// The other side of `measure`: loads what was compiled, measures it, and prints the report as JSON.
    ///
    /// What the kernel itself prints goes to standard error.
    public static func child(file: String, library: String, threads: Int, seconds: Double) throws {
        let kernel = try OwnKernel(contentsOf: file)
        let result = dup(STDOUT_FILENO)
        _ = dup2(STDERR_FILENO, STDOUT_FILENO)
        limit(RLIMIT_CORE, 0)
        limit(RLIMIT_FSIZE, 1 << 30)
        limit(RLIMIT_AS, rlim_t(min(MemoryLimit.available, 1 << 46)) + 4 << 30)
        limit(RLIMIT_CPU, rlim_t((2 * seconds + kernel.timeLimit + grace) * Double(threads)) + 1)
        let operation = try kernel.operation(library: library)
        let report = try KernelMeasurement.measure(
            operation: operation, variants: nil, shape: operation.presets[0], threads: threads, budget: seconds)
        var text = report.json()
        text.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(result, rest.baseAddress, rest.count)
                if count < 0, errno != EINTR { return }
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(0, count)))
            }
        }
        close(result)
    }

    private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) {
        var limits = rlimit(rlim_cur: value, rlim_max: value)
        setrlimit(__rlimit_resource_t(resource.rawValue), &limits)
    }
}
