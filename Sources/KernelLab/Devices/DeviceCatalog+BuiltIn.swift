extension DeviceCatalog {
    /// Data-sheet peaks, dense: with structured sparsity the matrix units do up to twice as much.
    ///
    /// Each arithmetic is units × multiply-adds a cycle × 2 × clock, recomputed from the vendor's number of units and
    /// boost clock; memory is 2 × memory clock × bus width / 8. Profilers lock the clock lower: a profile's own peaks,
    /// where it has them, are the better roof.
    public static let builtIn = DeviceCatalog(devices: [
        DevicePeaks(
            name: "NVIDIA A100 SXM 80 GB",
            aliases: ["NVIDIA A100-SXM4-80GB", "NVIDIA A100-SXM-80GB", "A100 80GB", "A100"],
            compute: [.init("BF16/FP16", 312), .init("TF32", 156), .init("FP32", 19.5)],
            memoryBandwidth: 2039, cacheSize: 40,
            formula: "108 SMs × 1.41 GHz × 2 × (64 FP32, 1024 BF16)", source: sheet),
        DevicePeaks(
            name: "NVIDIA A100 SXM 40 GB",
            aliases: ["NVIDIA A100-SXM4-40GB", "NVIDIA A100-SXM-40GB", "A100 40GB"],
            compute: [.init("BF16/FP16", 312), .init("TF32", 156), .init("FP32", 19.5)],
            memoryBandwidth: 1555, cacheSize: 40,
            formula: "108 SMs × 1.41 GHz × 2 × (64 FP32, 1024 BF16)", source: sheet),
        DevicePeaks(
            name: "NVIDIA H100 SXM",
            aliases: ["NVIDIA H100 80GB HBM3", "NVIDIA H100 SXM5 80GB", "H100 SXM5", "H100"],
            compute: [
                .init("FP8", 1978.9), .init("BF16/FP16", 989.4), .init("TF32", 494.7), .init("FP32", 66.9),
            ],
            memoryBandwidth: 3350, cacheSize: 50,
            formula: "132 SMs × 2 × (128 FP32 × 1.98 GHz, 2048 BF16 × 1.83 GHz)", source: sheet),
        DevicePeaks(
            name: "NVIDIA H100 PCIe", aliases: ["NVIDIA H100 PCIe 80GB", "NVIDIA H100 80GB PCIe"],
            compute: [.init("FP8", 1513), .init("BF16/FP16", 756), .init("TF32", 378), .init("FP32", 51.2)],
            memoryBandwidth: 2000, cacheSize: 50,
            formula: "114 SMs × 2 × (128 FP32 × 1.755 GHz, 2048 BF16 × 1.62 GHz)", source: sheet),
        DevicePeaks(
            name: "NVIDIA H200 SXM", aliases: ["NVIDIA H200", "NVIDIA H200 141GB HBM3e"],
            compute: [
                .init("FP8", 1978.9), .init("BF16/FP16", 989.4), .init("TF32", 494.7), .init("FP32", 66.9),
            ],
            memoryBandwidth: 4800, cacheSize: 50,
            formula: "132 SMs × 2 × (128 FP32 × 1.98 GHz, 2048 BF16 × 1.83 GHz)", source: sheet),
        DevicePeaks(
            name: "NVIDIA L4",
            compute: [.init("FP8", 242), .init("BF16/FP16", 121), .init("TF32", 60.5), .init("FP32", 30.3)],
            memoryBandwidth: 300, cacheSize: 48,
            formula: "58 SMs × 2.04 GHz × 2 × (128 FP32, 512 BF16)", source: sheet),
        DevicePeaks(
            name: "NVIDIA GeForce RTX 4090", aliases: ["RTX 4090"],
            compute: [.init("FP8", 330), .init("BF16/FP16", 165.2), .init("TF32", 82.6), .init("FP32", 82.6)],
            memoryBandwidth: 1008, cacheSize: 72,
            formula: "128 SMs × 2.52 GHz × 2 × (128 FP32, 256 BF16 with FP32 accumulation)", source: sheet),
        DevicePeaks(
            name: "AMD Instinct MI300X", aliases: ["MI300X", "AMD Instinct MI300X OAM", "gfx942 MI300X"],
            compute: [
                .init("FP8", 2614.9), .init("BF16/FP16", 1307.4), .init("TF32", 653.7), .init("FP32", 163.4),
            ],
            memoryBandwidth: 5300, cacheSize: 256,
            formula: "304 CUs × 2.1 GHz × 2 × (128 FP32, 1024 BF16); 256 MiB of Infinity Cache", source: sheet),
    ])

    private static let sheet = "the vendor's data sheet, without sparsity"
}
