/// The counters of one dispatch, summed over the instances of a unit.
struct RocprofCounters {
    private(set) var values: [String: Double] = [:]

    /// Adds a figure: `TCC_REQ[3]` and `TCC_EA0_RDREQ_sum` belong to `TCC_REQ` and `TCC_EA0_RDREQ`.
    mutating func add(_ name: String, _ value: Double) {
        var name = name
        if let bracket = name.firstIndex(of: "[") { name = String(name[..<bracket]) }
        if name.hasSuffix("_sum") { name.removeLast(4) }
        if values.count < 4_096 || values[name] != nil { values[name, default: 0] += value }
    }

    /// The first of several names that has a figure.
    func first(_ names: String...) -> Double? { names.lazy.compactMap { values[$0] }.first }
}

/// Operations and bytes of a dispatch from the counters of AMD's CDNA devices.
///
/// Source: the roofline analysis of ROCm Compute Profiler. A vector instruction works on the 64 lanes of a wave; a unit
/// of MFMA_MOPS is 512 operations.
struct RocprofFormulas {
    let counters: RocprofCounters

    func apply(to launch: inout Launch) {
        vector(&launch)
        matrix(&launch)
        traffic(&launch)
    }

    /// 64 (add + multiply + transcendental + 2 fused).
    private func vector(_ launch: inout Launch) {
        var found = false
        for (kind, suffix) in [(ArithmeticKind.f32, "F32"), (.f64, "F64"), (.f16, "F16")] {
            let parts = ["ADD", "MUL", "TRANS", "FMA"].map { counters.first("SQ_INSTS_VALU_\($0)_\(suffix)") }
            let known = zip(parts, [1.0, 1, 1, 2]).compactMap { part, weight in part.map { $0 * weight } }
            guard !known.isEmpty else {
                launch.uncounted.append(kind)
                continue
            }
            found = true
            let sum = 64 * known.reduce(0, +)
            if known.count == parts.count {
                launch.operations.append(.init(kind, .exact(sum)))
            } else {
                launch.uncounted.append(kind)
                launch.notes.append("\(kind.title): not all of ADD, MUL, TRANS, and FMA were collected.")
                if sum > 0 { launch.operations.append(.init(kind, .atLeast(sum))) }
            }
        }
        let integers = ["INT32", "INT64"].compactMap { counters.first("SQ_INSTS_VALU_\($0)") }
        if !integers.isEmpty { launch.operations.append(.init(.integer, .exact(64 * integers.reduce(0, +)))) }
        if found { launch.notes.append("Vector instructions are assumed to use all 64 lanes of a wave.") }
    }

    /// 512 operations a unit.
    private func matrix(_ launch: inout Launch) {
        let kinds: [(ArithmeticKind, String)] = [
            (.tensorF16, "F16"), (.tensorBF16, "BF16"), (.tensor, "F32"), (.tensorF64, "F64"), (.tensorF8, "F8"),
            (.tensorInt8, "I8"),
        ]
        var found: Set<String> = []
        var sum = 0.0
        for (kind, suffix) in kinds {
            guard let count = counters.first("SQ_INSTS_VALU_MFMA_MOPS_\(suffix)") else { continue }
            launch.operations.append(.init(kind, .exact(512 * count)))
            found.insert(suffix)
            sum += count
            if kind == .tensor, count > 0 { launch.notes.append("tensor: includes f32 MFMA operations.") }
        }
        // Zeros of a few types say nothing about the others.
        if sum == 0, !found.isSuperset(of: ["F16", "BF16"]) { launch.uncounted.append(.tensor) }
    }

    private func traffic(_ launch: inout Launch) {
        let read = counters.first("TCC_EA0_RDREQ", "TCC_EA_RDREQ").map { requests in
            let short = counters.first("TCC_EA0_RDREQ_32B", "TCC_EA_RDREQ_32B") ?? 0
            let long = counters.first("TCC_BUBBLE") ?? 0
            return 128 * long + 64 * max(0, requests - long - short) + 32 * short
        }
        let written = counters.first("TCC_EA0_WRREQ", "TCC_EA_WRREQ").map { requests in
            let long = counters.first("TCC_EA0_WRREQ_64B", "TCC_EA_WRREQ_64B") ?? 0
            return 64 * long + 32 * max(0, requests - long)
        }
        if let read, let written {
            launch.traffic.append(.init(.dram, .exact(read + written)))
        } else if let one = read ?? written {
            launch.traffic.append(.init(.dram, .atLeast(one)))
            launch.notes.append("DRAM: only \(read == nil ? "writes" : "reads") were collected.")
        } else if let fetched = counters.first("FETCH_SIZE"), let wrote = counters.first("WRITE_SIZE") {
            // Derived counters of rocprof, in kibibytes.
            launch.traffic.append(.init(.dram, .exact(1024 * (fetched + wrote))))
        }
        if let requests = counters.first("TCC_REQ") {
            launch.traffic.append(.init(.l2, .estimate(128 * requests)))
            launch.notes.append("L2: 128 bytes per request, the size of a cache line.")
        }
        if let accesses = counters.first("TCP_TOTAL_CACHE_ACCESSES") {
            launch.traffic.append(.init(.l1, .estimate(64 * accesses)))
            launch.notes.append("L1: 64 bytes per access.")
        }
    }
}
