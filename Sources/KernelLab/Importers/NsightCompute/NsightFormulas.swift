/// Operations, bytes and peaks of one launch from the metrics of Nsight Compute.
///
/// Source: the metrics that the roofline sections of Nsight Compute (SpeedOfLight_RooflineChart and its hierarchical
/// sisters) are made of, and the counting of operations of NERSC's roofline method.
struct NsightFormulas {
    let metrics: NsightMetrics
    let halfLanes: HalfLanes

    /// Fills in what the metrics tell.
    func apply(to launch: inout Launch) {
        launch.duration = metrics.duration
        scalar(&launch)
        NsightTensorFormulas(metrics: metrics).apply(to: &launch)
        traffic(&launch)
        peaks(&launch)
        context(&launch)
    }

    // MARK: - Operations

    /// f32: fadd + fmul + 2 ffma; f64 and f16 alike, f16 times the numbers that an instruction works on.
    private func scalar(_ launch: inout Launch) {
        guard metrics.hasInstructions else {
            launch.uncounted += [.f32, .f64, .f16]
            return
        }
        let kinds: [(ArithmeticKind, String, Double)] = [
            (.f32, "f", 1), (.f64, "d", 1), (.f16, "h", Double(halfLanes.rawValue)),
        ]
        for (kind, letter, lanes) in kinds {
            let add = executed(letter + "add", lanes: lanes)
            let multiply = executed(letter + "mul", lanes: lanes)
            let fused = executed(letter + "fma", lanes: 2 * lanes)
            let parts = [add, multiply, fused]
            let known = parts.compactMap { $0 }
            if known.isEmpty {
                launch.uncounted.append(kind)
                continue
            }
            let sum = known.reduce(0, +)
            let isWhole = known.count == parts.count
            if !isWhole {
                if sum > 0 { launch.operations.append(.init(kind, .atLeast(sum))) }
                launch.uncounted.append(kind)
                launch.notes.append(
                    "\(kind.title): not all of \(letter)add, \(letter)mul, and \(letter)fma were collected.")
            } else if kind == .f16, sum > 0 {
                launch.operations.append(.init(kind, .estimate(sum)))
                launch.notes.append(
                    halfLanes == .two
                        ? "f16: assumes two values per instruction (half2); code without packing does half as many."
                        : "f16: assumes one value per instruction; packed code (half2) processes two.")
            } else {
                launch.operations.append(.init(kind, .exact(sum)))
            }
        }
        if let integer = metrics.instructions("sass_thread_inst_executed_op_integer_pred_on") {
            launch.operations.append(.init(.integer, .exact(integer)))
        }
    }

    /// Operations of one instruction, `weight` each. The charts' derived metrics have their weight already and are a
    /// cycle: `derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2`.
    private func executed(_ name: String, lanes weight: Double) -> Double? {
        let metric = "sass_thread_inst_executed_op_\(name)_pred_on"
        if let count = metrics.instructions(metric) { return weight * count }
        for factor in [2.0, 4.0] {
            let derived = "derived__smsp__\(metric)_x\(Int(factor))"
            if let rate = metrics[derived], let cycles = metrics.cycles("smsp") {
                return rate / factor * weight * cycles
            }
            if let sum = metrics[derived + ".sum"] { return sum / factor * weight }
        }
        return nil
    }

    // MARK: - Bytes

    private func traffic(_ launch: inout Launch) {
        if let bytes = metrics.total("dram__bytes") {
            launch.traffic.append(.init(.dram, .exact(bytes)))
        } else {
            let read = metrics.total("dram__bytes_read") ?? metrics.total("dram__sectors_read").map { $0 * 32 }
            let written = metrics.total("dram__bytes_write") ?? metrics.total("dram__sectors_write").map { $0 * 32 }
            if let read, let written {
                launch.traffic.append(.init(.dram, .exact(read + written)))
            } else if let one = read ?? written {
                launch.traffic.append(.init(.dram, .atLeast(one)))
                launch.notes.append("DRAM: only \(read == nil ? "writes" : "reads") were collected.")
            }
        }
        if let bytes = metrics.total("lts__t_bytes") ?? metrics.total("lts__t_sectors").map({ $0 * 32 }) {
            launch.traffic.append(.init(.l2, .exact(bytes)))
        } else if let bytes = metrics.total("l1tex__m_xbar2l1tex_read_bytes") {
            launch.traffic.append(.init(.l2, .atLeast(bytes)))
            launch.notes.append("L2: bytes read from L2 into L1, as in Nsight's memory chart; writes are not included.")
        }
        if let bytes = metrics.total("l1tex__t_bytes") {
            launch.traffic.append(.init(.l1, .exact(bytes)))
        } else if let cycles = metrics.total("l1tex__lsu_writeback_active_mem_lg")
            ?? metrics.total("l1tex__lsu_writeback_active_mem_lgds") ?? metrics.total("l1tex__lsu_writeback_active")
        {
            launch.traffic.append(.init(.l1, .estimate(128 * cycles)))
            launch.notes.append("L1: 128 bytes per write-back cycle, as in the chart.")
        }
        if let wavefronts = metrics.total("l1tex__data_pipe_lsu_wavefronts_mem_shared") {
            launch.traffic.append(.init(.shared, .estimate(128 * wavefronts)))
            launch.notes.append("shared: 128 bytes per wavefront; bank conflicts add wavefronts.")
        }
    }

    // MARK: - Peaks

    /// Peaks a cycle times the cycles a second of this launch: at the clock of the profile, not that of the data sheet.
    private func peaks(_ launch: inout Launch) {
        guard metrics.hasPeaks else { return }
        for (kind, letter) in [(ArithmeticKind.f32, "f"), (.f64, "d"), (.f16, "h")] {
            let name = "sass_thread_inst_executed_op_\(letter)fma_pred_on"
            let lanes = kind == .f16 ? Double(halfLanes.rawValue) : 1
            for unit in ["sm", "smsp"] {
                guard let clock = metrics.clock(unit) else { continue }
                if let peak = metrics["\(unit)__\(name).sum.peak_sustained"] {
                    launch.peaks.compute[kind] = 2 * lanes * peak * clock
                } else if let peak = metrics["derived__\(unit)__\(name)_x2"], unit == "sm" {
                    launch.peaks.compute[kind] = lanes * peak * clock
                } else if let peak = metrics["derived__\(unit)__\(name)_x4"], unit == "sm" {
                    launch.peaks.compute[kind] = lanes * peak / 2 * clock
                } else {
                    continue
                }
                break
            }
        }
        if let peak = metrics["dram__bytes.sum.peak_sustained"], let clock = metrics.clock("dram") {
            launch.peaks.memory[.dram] = peak * clock
        }
        if let clock = metrics.clock("lts") {
            if let peak = metrics["lts__t_bytes.sum.peak_sustained"] {
                launch.peaks.memory[.l2] = peak * clock
            } else if let peak = metrics["l1tex__m_xbar2l1tex_read_bytes.sum.peak_sustained"] {
                launch.peaks.memory[.l2] = peak * clock
            }
        }
        if let clock = metrics.clock("l1tex") {
            if let peak = metrics["l1tex__lsu_writeback_active_mem_lg.sum.peak_sustained"] {
                launch.peaks.memory[.l1] = 128 * peak * clock
            } else if let peak = metrics.first(
                "derived__l1tex__lsu_writeback_bytes_mem_lg.sum.peak_sustained",
                "derived__l1tex__lsu_writeback_bytes_mem_lgds.sum.peak_sustained")
            {
                launch.peaks.memory[.l1] = peak * clock
            }
        }
    }

    // MARK: - Context

    private func context(_ launch: inout Launch) {
        launch.registers = metrics["launch__registers_per_thread"].flatMap { Int(exactly: $0.rounded()) }
        let parts = ["static", "dynamic"].compactMap { metrics["launch__shared_mem_per_block_\($0)"] }
        let shared = metrics["launch__shared_mem_per_block"] ?? (parts.isEmpty ? nil : parts.reduce(0, +))
        launch.sharedMemory = shared.flatMap { Int(exactly: $0.rounded()) }
        launch.occupancy = metrics["sm__warps_active.avg.pct_of_peak_sustained_active"].map { $0 / 100 }
    }
}
