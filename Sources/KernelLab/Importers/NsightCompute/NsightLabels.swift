/// What the details page of Nsight Compute calls the metrics that matter here.
enum NsightLabels {
    /// The metric behind a label of the details page; the label itself for all others.
    ///
    /// `Memory Throughput` appears twice: as bytes per second and as a share of the peak.
    static func metric(_ label: String, unit: String) -> String {
        if label == "Memory Throughput" { return unit == "byte/second" ? "dram__bytes.sum.per_second" : label }
        if label == "DRAM Throughput", unit == "byte/second" { return "dram__bytes.sum.per_second" }
        return metrics[label] ?? label
    }

    private static let metrics: [String: String] = [
        "Duration": "gpu__time_duration.sum",
        "Elapsed Cycles": "sm__cycles_elapsed.max",
        "SM Frequency": "smsp__cycles_elapsed.avg.per_second",
        "DRAM Frequency": "dram__cycles_elapsed.avg.per_second",
        "Registers Per Thread": "launch__registers_per_thread",
        "Static Shared Memory Per Block": "launch__shared_mem_per_block_static",
        "Dynamic Shared Memory Per Block": "launch__shared_mem_per_block_dynamic",
        "Achieved Occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    ]
}
