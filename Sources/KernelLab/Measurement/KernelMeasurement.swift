public import Kernels
public import Workspace

/// Measures the rungs of an operation next to the ceilings of this machine.
///
/// ```swift
/// let report = try KernelMeasurement.measure(operation: KernelCatalog.operation("gemm-f32"), threads: 1)
/// for rung in report.rungs { print(rung.name, rung.figures?.shareOfAttainable ?? 0) }
/// ```
///
/// First every rung must agree with its reference: one that does not is reported and not timed. Then rounds: each rung
/// runs for about 2 ms (one call where a call takes longer) right after the ceiling that bounds it, so that clock and
/// neighbors are the same for both. A sample whose thread lost its processor for more than 5 % of the time is taken
/// again. Shares are medians of the ratios within a round, never quotients of figures from different moments.
public enum KernelMeasurement {
    /// - Parameters:
    ///   - variants: names of rungs; all where it is nil.
    ///   - shape: the operation's first preset where it is nil.
    ///   - threads: of the kernels' pool and of the ceilings.
    ///   - budget: seconds for the rounds of all rungs together. Checking comes before and takes a call of each rung
    ///     and its reference. A rung that needs more than its part of the budget for one call is measured by the call that
    ///     checked it; one whose call would take more than five budgets, and ten seconds, is left out.
    ///   - progress: called on this thread, at most ten times per second.
    ///   - cancellation: ends the measurement between two calls.
    /// - Throws: `KernelError` for unknown rungs, wrong sizes and lack of memory; `CancellationError`.
    public static func measure(
        operation: KernelOperation, variants: [String]? = nil, shape: KernelShape? = nil, threads: Int = 1,
        budget: Double = 3, seed: UInt64 = 1, progress: (MeasurementProgress) -> Void = { _ in },
        cancellation: Cancellation? = nil
    ) throws -> KernelReport {
        try withoutActuallyEscaping(progress) { progress in
            let session = try KernelSession(
                operation: operation, variants: variants, shape: shape, threads: threads, seed: seed,
                budget: budget, progress: progress, cancellation: cancellation)
            return try session.measure(budget: budget)
        }
    }
}
