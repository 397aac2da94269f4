internal import Formatting
internal import Kernels

/// Foresees how long a call of a rung takes, from calls at smaller sizes: one that takes minutes cannot be cancelled,
/// so it must not begin.
struct CallForesight {
    private let operation: KernelOperation
    private let shape: KernelShape
    private let pool: ThreadPool
    private let operations: Double
    /// Seconds above which a call is not made.
    private let limit: Double
    /// Problems at smaller sizes, made once for all rungs.
    private var smaller: [Double: Smaller] = [:]

    private struct Smaller {
        let problem: any KernelProblem
        let operations: Double
    }

    /// Operations below which even a slow rung is done in a few seconds.
    private static let harmless = 2e9
    /// Operations of the first look, which every rung takes, and of the second, where the first gives reason: caches
    /// hold the data of the first. Those of the call itself lie still farther away: it may take longer than foreseen.
    private static let firstLook = 2e8
    private static let secondLook = 7e9

    init(operation: KernelOperation, shape: KernelShape, pool: ThreadPool, budget: Double) {
        self.operation = operation
        self.shape = shape
        self.pool = pool
        operations = operation.cost(shape).flops
        limit = max(10, 5 * budget)
    }

    /// Seconds of a call, where they are more than they may be; nil for a rung that cannot run here, too.
    mutating func excessiveSeconds(of variant: KernelVariant, check: () throws -> Void) throws -> Double? {
        guard operations > Self.harmless, variant.unavailable == nil,
            var seconds = seconds(of: variant, lookingAt: Self.firstLook)
        else { return nil }
        try check()
        if seconds > limit / 8, let closer = self.seconds(of: variant, lookingAt: Self.secondLook) { seconds = closer }
        return seconds > limit ? seconds : nil
    }

    /// Seconds of a call at the requested sizes, in proportion to those of a call with a known number of operations.
    private mutating func seconds(of variant: KernelVariant, lookingAt count: Double) -> Double? {
        guard let smaller = smaller(count),
            let call = try? operation.call(variant, on: smaller.problem, pool: pool)
        else { return nil }
        var least = Double.infinity
        // The first call comes with cold caches and pages; a long one hardly feels them.
        for _ in 0..<3 where least == .infinity || least < 0.05 {
            let watch = KernelStopwatch()
            call()
            least = min(least, watch.elapsed.seconds)
        }
        return least * operations / smaller.operations
    }

    private mutating func smaller(_ count: Double) -> Smaller? {
        if let known = smaller[count] { return known }
        let smallest = operation.presets.min { operation.cost($0).flops < operation.cost($1).flops }
        for shape in [scaled(to: count), smallest] {
            guard let shape, case let cost = operation.cost(shape).flops, cost > 0, cost < operations,
                let problem = try? operation.problem(shape)
            else { continue }
            let made = Smaller(problem: problem, operations: cost)
            smaller[count] = made
            return made
        }
        return nil
    }

    /// The same shape with its largest sizes halved until a call has no more operations than that.
    private func scaled(to count: Double) -> KernelShape? {
        var shape = shape
        while operation.cost(shape).flops > count {
            guard let largest = shape.sizes.map(\.value).max(), largest > 1 else { return nil }
            for size in shape.sizes where size.value == largest { shape[size.name] = largest / 2 }
        }
        return shape
    }

    /// `40 s`, `8 min`, `3 h`.
    static func inWords(_ seconds: Double) -> String {
        switch seconds {
        case ..<90: "\(Format.fixed(seconds, digits: 0)) s"
        case ..<5400: "\(Format.fixed(seconds / 60, digits: 0)) min"
        default: "\(Format.fixed(seconds / 3600, digits: 0)) h"
        }
    }
}
