internal import CKernels

/// One rung of a ladder: a way to compute an operation, with the idea that makes it faster than the rung below.
///
/// ```swift
/// KernelVariant(
///     "online", idea: "maximum and sum in one pass: one read fewer", sources: ["CKernels/rows/softmax_avx512.c"],
///     needs: .avx512
/// ) { (problem: SoftmaxProblem, _) in
///     { orrery_softmax_online(problem.input, problem.output, problem.rows, problem.columns) }
/// }
/// ```
public struct KernelVariant: Sendable {
    /// A word, unique in its operation: `avx512`.
    public let name: String
    /// One sentence: what this rung does that the one below does not.
    public let idea: String
    /// Files under Sources, the kernel first: what the panel shows.
    public let sources: [String]
    /// Instructions without which it cannot run.
    public let needs: ProcessorFeatures
    /// Whether it uses more than one thread when it is given them.
    public let isParallel: Bool
    public let device: KernelDevice
    /// Reason why it cannot run here other than missing instructions: a library that is not installed.
    public let missing: @Sendable () -> String?
    /// Bytes that this rung moves where it moves more than the operation must; nil takes the operation's.
    public let traffic: (@Sendable (KernelShape) -> Double)?
    let bind: @Sendable (any KernelProblem, ThreadPool) -> (() -> Void)?

    /// - Parameter prepare: makes the call that is timed; what it does before it returns (packing weights) is not.
    public init<Problem: KernelProblem>(
        _ name: String, idea: String, sources: [String], needs: ProcessorFeatures = [], isParallel: Bool = false,
        device: KernelDevice = .cpu, missing: @escaping @Sendable () -> String? = { nil },
        traffic: (@Sendable (KernelShape) -> Double)? = nil,
        prepare: @escaping @Sendable (Problem, ThreadPool) -> () -> Void
    ) {
        self.name = name
        self.idea = idea
        self.sources = sources
        self.needs = needs
        self.isParallel = isParallel
        self.device = device
        self.missing = missing
        self.traffic = traffic
        bind = { problem, pool in (problem as? Problem).map { prepare($0, pool) } }
    }

    /// Why it cannot run on this machine; `nil` if it can.
    public var unavailable: String? {
        let lacking = needs.subtracting(.present)
        return lacking.isEmpty ? missing() : "this processor has no \(lacking.names)"
    }

    /// The text of its sources, each after a line with its path.
    public var sourceText: String {
        sources.map { "// \($0)\n\n" + Self.text(of: $0) }.joined(separator: "\n")
    }

    /// The text of a source file as it was when the program was built.
    public static func text(of path: String) -> String {
        orrery_kernel_source(path).map { String(cString: $0) } ?? "(the source of \(path) is not available)\n"
    }
}
