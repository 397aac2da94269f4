internal import KernelLab
internal import Kernels
internal import ModelLab
internal import Providers

/// Reads the state of a running model, with each operation's share of the machine's roof.
final class LiveReader {
    private let house: ModelHouse
    private let word: String
    private let history: KernelHistory
    private let ceilings: Ceilings?
    private var uses: [String: Int64] = [:]

    init(house: ModelHouse, word: String, history: KernelHistory) {
        self.house = house
        self.word = word
        self.history = history
        ceilings = try? history.latestCeilings()
    }

    /// Returns the state of a model; `nil` if the model does not run in this process.
    func read() -> LiveView? {
        guard let snapshot = house.live(word) else { return nil }
        let total = snapshot.operations.reduce(0) { $0 + $1.seconds }
        let operations = Self.merged(snapshot.operations).map { operation in
            LiveView.Operation(
                name: operation.name, secondsPerPass: operation.seconds / Double(max(1, snapshot.passes)),
                share: total > 0 ? operation.seconds / total : 0,
                roofShare: roofShare(of: operation, threads: snapshot.threads), use: use(of: operation),
                kernel: "\(operation.kernel) \(operation.shape)")
        }
        return LiveView(snapshot: snapshot, operations: operations)
    }

    /// Returns one entry per name, slowest first. An operation can run as several kernels, such as attention and the
    /// copy of its keys; the entry has the kernel that takes the most time.
    private static func merged(_ operations: [LiveSnapshot.Operation]) -> [LiveSnapshot.Operation] {
        var merged: [LiveSnapshot.Operation] = []
        for operation in operations.sorted(by: { $0.seconds > $1.seconds }) {
            guard let index = merged.firstIndex(where: { $0.name == operation.name }) else {
                merged.append(operation)
                continue
            }
            merged[index].seconds += operation.seconds
            merged[index].flops += operation.flops
            merged[index].bytes += operation.bytes
        }
        return merged.sorted { $0.seconds > $1.seconds }
    }

    /// Returns the rate relative to min(peak, intensity × memory bandwidth) for a number of threads.
    private func roofShare(of operation: LiveSnapshot.Operation, threads: Int) -> Double? {
        guard operation.seconds > 0, operation.bytes > 0, operation.flops > 0 else { return nil }
        let ceiling = ceilings?.ceiling(
            threads: threads, arithmetic: .float32, intensity: operation.flops / operation.bytes)
        return RoofShare(rate: operation.flops / operation.seconds, of: ceiling, threads: threads)?.median
    }

    /// Returns the workspace's row of a kernel, if the kernel panel knows the kernel. Attention's sizes change with
    /// every token, so it gets no row.
    private func use(of operation: LiveSnapshot.Operation) -> Int64? {
        let key = operation.kernel + " " + operation.shape
        if let known = uses[key] { return known }
        guard operation.kernel != "attention", (try? KernelCatalog.operation(operation.kernel)) != nil,
            let use = try? history.reference(operation: operation.kernel, shape: operation.shape)
        else { return nil }
        uses[key] = use
        return use
    }
}
