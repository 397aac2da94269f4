/// Time, operations and traffic from the counters of `perf stat`.
///
/// Source: Intel's FP_ARITH_INST_RETIRED counts instructions, a fused one twice, so that lanes times count are
/// operations; AMD's retired SSE and AVX operations count operations.
struct PerfStatFormulas {
    private let events: [PerfStatLine]

    init(_ events: [PerfStatLine]) { self.events = events }

    func apply(to launch: inout Launch, _ sink: ProfileSink) throws {
        time(&launch)
        operations(&launch)
        traffic(&launch)
        var missing: [String] = []
        for event in events {
            guard let value = event.value else {
                missing.append(event.event)
                continue
            }
            let unit = event.unit.isEmpty ? "" : " [\(event.unit)]"
            launch.counters.append(Launch.Counter(name: try sink.counter(event.event + unit), value: value))
        }
        if !missing.isEmpty {
            let names = missing.prefix(8).joined(separator: ", ")
            launch.notes.append("Not counted on this machine: \(names)\(missing.count > 8 ? " and more" : "").")
        }
        if let cycles = value("cycles")?.value, let seconds = value("task-clock").flatMap(\.value), seconds > 0 {
            sink.clock(device: launch.device, core: cycles / (seconds * 1e-3), memory: nil)
        }
    }

    /// An event by its name without modifiers: `cycles:u` and `cpu_core/cycles/` are cycles. A counter that is spread
    /// over kinds of cores is added up.
    private func value(_ name: String) -> Figure? {
        var sum: Figure?
        for event in events where Self.name(event.event) == name {
            guard let value = event.value else { continue }
            let isScaled = event.running.map { $0 < 99.995 } ?? false
            let figure: Figure = isScaled ? .estimate(value) : .exact(value)
            sum = sum.map { $0 + figure } ?? figure
        }
        return sum
    }

    private static func name(_ event: String) -> String {
        var name = event.lowercased()
        if let colon = name.lastIndex(of: ":") { name = String(name[..<colon]) }
        let parts = name.split(separator: "/")
        if parts.count >= 2, name.contains("/"), parts[0].hasPrefix("cpu") { name = String(parts[1]) }
        return name
    }

    private func time(_ launch: inout Launch) {
        if launch.duration != nil { return }
        if let elapsed = value("duration_time")?.value, elapsed > 0 {
            launch.duration = elapsed * 1e-9
            return
        }
        guard let event = events.first(where: { Self.name($0.event) == "task-clock" }), let milliseconds = event.value,
            milliseconds > 0
        else { return }
        if let processors = event.metric, processors > 0, event.metricUnit.contains("CPUs utilized") {
            launch.duration = milliseconds * 1e-3 / processors
            launch.notes.append("The time is the processor time divided by the reported number of processors in use.")
        } else {
            launch.duration = milliseconds * 1e-3
            launch.notes.append("The time is processor time. Collect duration_time for elapsed time.")
        }
    }

    private func operations(_ launch: inout Launch) {
        let packed: [(ArithmeticKind, [(String, Double)])] = [
            (
                .f32,
                [
                    ("scalar_single", 1), ("128b_packed_single", 4), ("256b_packed_single", 8),
                    ("512b_packed_single", 16),
                ]
            ),
            (
                .f64,
                [
                    ("scalar_double", 1), ("128b_packed_double", 2), ("256b_packed_double", 4),
                    ("512b_packed_double", 8),
                ]
            ),
        ]
        for (kind, widths) in packed {
            let parts = widths.map { width, lanes in
                value("fp_arith_inst_retired." + width)?.map { $0 * lanes } ?? Figure.missing
            }
            guard parts.contains(where: { $0 != .missing }) else { continue }
            var sum = parts.dropFirst().reduce(parts[0], +)
            // Widths that this processor does not have are not supported rather than zero.
            if parts.contains(.missing), sum == .missing { sum = .atLeast(0) }
            if (sum.value ?? 0) > 0 || !parts.contains(.missing) { launch.operations.append(.init(kind, sum)) }
            if parts.contains(.missing) { launch.uncounted.append(kind) }
        }
        if launch.operations.isEmpty, let all = value("fp_ret_sse_avx_ops.all") {
            launch.operations.append(.init(.float, all))
            launch.notes.append("float: operations of all precisions combined, as the processor counts them.")
        }
        if launch.operations.isEmpty { launch.uncounted.append(.float) }
    }

    private func traffic(_ launch: inout Launch) {
        let memory = ["data_reads", "data_writes"].map { name -> Figure in
            var sum: Figure = .missing
            for event in events where event.event.lowercased().contains(name) {
                guard let value = event.value, let factor = Self.binary[event.unit] else { continue }
                let figure = Figure.exact(value * factor)
                sum = sum == .missing ? figure : sum + figure
            }
            return sum
        }
        if memory[0] != .missing || memory[1] != .missing {
            launch.traffic.append(.init(.dram, memory[0] + memory[1]))
            launch.notes.append("DRAM: traffic of the whole machine while the program ran.")
            return
        }
        let loads = value("llc-load-misses")
        let stores = value("llc-store-misses")
        if let loads, let bytes = stores.map({ loads + $0 })?.value ?? loads.value {
            launch.traffic.append(.init(.dram, .estimate(64 * bytes)))
            launch.notes.append("DRAM: 64 bytes per miss of the last-level cache, without prefetching.")
        } else if let misses = value("cache-misses")?.value {
            launch.traffic.append(.init(.dram, .estimate(64 * misses)))
            launch.notes.append("DRAM: 64 bytes per cache miss, without prefetching.")
        }
    }

    private static let binary: [String: Double] = [
        "Bytes": 1, "KiB": 1024, "MiB": 1024 * 1024, "GiB": 1024 * 1024 * 1024,
    ]
}
