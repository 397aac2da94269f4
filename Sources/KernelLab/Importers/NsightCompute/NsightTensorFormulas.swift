/// Operations of the matrix units from the metrics of Nsight Compute.
///
/// From compute capability 8 on, `sm__ops_path_tensor_src_TYPES[_dst_TYPES][_sparsity_on|_off]` counts operations. These
/// form a tree: a metric without `_sparsity` is the sum of both with it, one without `_dst` the sum of all with it. Of
/// each branch only the highest metric is taken, so that nothing counts twice. Older devices count warp instructions,
/// of 512 operations each for the half-precision ones of Volta and Turing.
struct NsightTensorFormulas {
    let metrics: NsightMetrics

    func apply(to launch: inout Launch) {
        guard !metrics.tensorNames.isEmpty else {
            launch.uncounted.append(.tensor)
            return
        }
        let found = paths()
        if !found.isEmpty {
            for (kind, count, peak) in found {
                launch.operations.append(.init(kind, count))
                if let peak { launch.peaks.compute[kind] = peak }
                if case .atLeast = count {
                    launch.notes.append("\(kind.title): only one of the two sparsity counters was collected.")
                }
            }
            // Zeros of a few types say nothing about the others.
            let isIdle = found.allSatisfy { $0.1.value == 0 }
            if isIdle, !["fp16", "bf16", "tf32"].allSatisfy({ collectedTypes.contains($0) }) {
                launch.uncounted.append(.tensor)
            }
        } else if !pipes(&launch) {
            launch.uncounted.append(.tensor)
        }
    }

    // MARK: - Paths

    private struct Path {
        /// `fp16`, or `fp16_bf16_tf32` for several types together.
        var source: String
        var destination: String?
        var sparsity: String?
        var base: String
    }

    private static let prefix = "sm__ops_path_tensor_src_"

    /// Types with a metric of their own or together with others.
    private var collectedTypes: Set<String> {
        let sources = metrics.tensorNames.filter { $0.hasPrefix(Self.prefix) && metrics[$0] != nil }
            .compactMap { Self.path($0)?.source }
        return Set(sources.flatMap { $0.split(separator: "_").map(String.init) })
    }

    private func paths() -> [(ArithmeticKind, Figure, Double?)] {
        var all: [String: [Path]] = [:]
        var seen: Set<String> = []
        for name in metrics.tensorNames where name.hasPrefix(Self.prefix) {
            guard metrics[name] != nil, let path = Self.path(name), seen.insert(path.base).inserted else { continue }
            all[path.source, default: []].append(path)
        }
        // A metric of several types together says nothing new where one of these types has its own.
        let single = Set(all.keys.filter { !$0.contains("_") })
        let sources = all.keys.filter { source in
            let types = source.split(separator: "_").map(String.init)
            return types.count == 1 || !types.contains { single.contains($0) }
        }
        var sums: [ArithmeticKind: (Figure, Double?)] = [:]
        for source in sources.sorted() {
            guard let figure = operations(all[source] ?? []) else { continue }
            let kind = Self.kind(source)
            let peak = peak(all[source] ?? [])
            let before = sums[kind]
            sums[kind] = (before.map { $0.0 + figure } ?? figure, [before?.1, peak].compactMap { $0 }.max())
        }
        return ArithmeticKind.allCases.compactMap { kind in sums[kind].map { (kind, $0.0, $0.1) } }
    }

    /// The total of one source type: the root, or the sum of what lies below it.
    private func operations(_ paths: [Path]) -> Figure? {
        func total(_ destination: String?) -> Figure? {
            let own = paths.filter { $0.destination == destination }
            if let whole = own.first(where: { $0.sparsity == nil }), let total = metrics.total(whole.base) {
                return .exact(total)
            }
            let parts = own.filter { $0.sparsity != nil }.compactMap { metrics.total($0.base) }
            if parts.isEmpty { return nil }
            return parts.count == 2 ? .exact(parts[0] + parts[1]) : .atLeast(parts[0])
        }
        if let root = total(nil) { return root }
        let branches = Set(paths.compactMap(\.destination)).sorted().compactMap { total($0) }
        guard let first = branches.first else { return nil }
        return branches.dropFirst().reduce(first, +)
    }

    private func peak(_ paths: [Path]) -> Double? {
        guard let clock = metrics.clock("sm") else { return nil }
        let dense = paths.filter { $0.sparsity != "on" }
        return dense.compactMap { metrics[$0.base + ".sum.peak_sustained"] }.max().map { $0 * clock }
    }

    private static func path(_ name: String) -> Path? {
        guard let dot = name.firstIndex(of: ".") else { return nil }
        let base = String(name[..<dot])
        var rest = base.dropFirst(prefix.count)
        var sparsity: String?
        for word in ["on", "off"] where rest.hasSuffix("_sparsity_" + word) {
            sparsity = word
            rest = rest.dropLast("_sparsity_".count + word.count)
        }
        var destination: String?
        var source = String(rest)
        if let range = source.firstRange(of: "_dst_") {
            destination = String(source[range.upperBound...])
            source = String(source[..<range.lowerBound])
        }
        return source.isEmpty ? nil : Path(source: source, destination: destination, sparsity: sparsity, base: base)
    }

    private static func kind(_ source: String) -> ArithmeticKind {
        switch source {
        case "fp64": .tensorF64
        case "tf32": .tensorTF32
        case "fp16": .tensorF16
        case "bf16": .tensorBF16
        case "fp8": .tensorF8
        case "fp6": .tensorF6
        case "fp4": .tensorF4
        case "int8": .tensorInt8
        case "int4": .tensorInt4
        case "int1": .tensorInt1
        default: .tensor
        }
    }

    // MARK: - Pipes

    /// Estimates from warp instructions; false if there are none of these metrics.
    private func pipes(_ launch: inout Launch) -> Bool {
        let kinds: [(ArithmeticKind, String)] = [
            (.tensorF16, "_op_hmma"), (.tensorInt8, "_op_imma"), (.tensorF64, "_op_dmma"),
        ]
        var found = false
        for (kind, suffix) in kinds {
            guard let count = metrics.instructions("inst_executed_pipe_tensor" + suffix) else { continue }
            launch.operations.append(.init(kind, count == 0 ? .exact(0) : .estimate(512 * count)))
            found = true
        }
        if !found, let count = metrics.instructions("inst_executed_pipe_tensor") {
            launch.operations.append(.init(.tensor, count == 0 ? .exact(0) : .estimate(512 * count)))
            found = true
        } else if !found, let rate = metrics["derived__sm__inst_executed_pipe_tensor_x512"],
            let cycles = metrics.cycles("sm")
        {
            launch.operations.append(.init(.tensor, rate == 0 ? .exact(0) : .estimate(rate * cycles)))
            found = true
        }
        if found, launch.operations.contains(where: { $0.kind.isTensor && ($0.count.value ?? 0) > 0 }) {
            launch.notes.append(
                "tensor: assumes 512 operations per warp instruction, as on Volta and Turing; later devices do more. "
                    + "Collect sm__ops_path_tensor_src_* for the exact number.")
        }
        return found
    }
}
