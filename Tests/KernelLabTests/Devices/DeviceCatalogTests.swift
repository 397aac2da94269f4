import KernelLab
import System
import TestFixtures
import Testing

@Suite("peaks of devices")
struct DeviceCatalogTests {
    @Test(
        "devices are found by what tools and people call them",
        arguments: [
            ("NVIDIA H100 80GB HBM3", "NVIDIA H100 SXM"), ("h100", "NVIDIA H100 SXM"),
            ("NVIDIA H100 PCIe", "NVIDIA H100 PCIe"), ("NVIDIA A100-SXM4-80GB", "NVIDIA A100 SXM 80 GB"),
            ("A100-SXM4-40GB", "NVIDIA A100 SXM 40 GB"), ("NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 4090"),
            ("AMD Instinct™ MI300X", "AMD Instinct MI300X"), ("NVIDIA H200", "NVIDIA H200 SXM"),
            // A relative with other peaks is not a match.
            ("NVIDIA H100 NVL", nil), ("device 0", nil), ("", nil), ("NVIDIA", nil),
        ] as [(String, String?)])
    func names(name: String, found: String?) {
        #expect(DeviceCatalog.builtIn.peaks(for: name)?.name == found)
    }

    @Test("every device has a name of its own, a source, and roofs that fall") func table() {
        let names = DeviceCatalog.builtIn.devices.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        for device in DeviceCatalog.builtIn.devices {
            #expect(!device.source.isEmpty && !device.formula.isEmpty && device.memoryBandwidth > 0)
            let rates = device.roofline.compute.map(\.rate)
            #expect(rates == rates.sorted(by: >) && !rates.isEmpty)
        }
    }

    private struct Units: Sendable {
        var name: String
        var kind: ArithmeticKind
        var units: Double
        var fused: Double
        var clock: Double
    }

    private static let units: [Units] = [
        Units(name: "H100", kind: .tensorBF16, units: 132, fused: 2048, clock: 1.83e9),
        Units(name: "H100", kind: .f32, units: 132, fused: 128, clock: 1.98e9),
        Units(name: "A100", kind: .tensorBF16, units: 108, fused: 1024, clock: 1.41e9),
        Units(name: "A100", kind: .f32, units: 108, fused: 64, clock: 1.41e9),
        Units(name: "H100 PCIe", kind: .f32, units: 114, fused: 128, clock: 1.755e9),
        Units(name: "L4", kind: .tensorBF16, units: 58, fused: 512, clock: 2.04e9),
        Units(name: "RTX 4090", kind: .f32, units: 128, fused: 128, clock: 2.52e9),
        Units(name: "MI300X", kind: .tensorBF16, units: 304, fused: 1024, clock: 2.1e9),
    ]

    @Test("peaks are units × multiply-adds × 2 × clock") func formulas() throws {
        for device in Self.units {
            let rate = try #require(DeviceCatalog.builtIn.peaks(for: device.name)?.rate(device.kind))
            let expected = device.units * device.fused * 2 * device.clock
            #expect(abs(rate / expected - 1) < 0.005, "\(device.name)")
        }
    }

    @Test("the ridge of an H100 is at 295 operations per byte") func ridge() throws {
        let roof = try #require(DeviceCatalog.builtIn.roofline(for: "H100"))
        let peak = try #require(roof.computeRoof(for: .tensorBF16))
        #expect(peak.name == "BF16/FP16" && roof.memory[0].name == "DRAM")
        #expect(Roofline.ridge(peak: peak.rate, bandwidth: roof.memory[0].bandwidth).rounded() == 295)
        #expect(roof.computeRoof(for: .f64) == nil, "without a figure there is no roof")
    }

    @Test("a core's roofs are its operations a cycle times cores and clock") func processors() throws {
        let core = try #require(DeviceCatalog.processor(named: "znver5"))
        let roof = core.roofline(cores: 2, clock: 4e9, memoryBandwidth: 41e9)
        // 64 × 2 × 4e9; half for f64.
        #expect(roof.computeRoof(for: .f32)?.rate == 512e9 && roof.computeRoof(for: .f64)?.rate == 256e9)
        #expect(roof.computeRoof(for: .bf16)?.rate == 1024e9 && roof.memory[0].bandwidth == 41e9)
    }

    private static let own = """
        [devices."My Card"]
        aliases = ["Vendor My Card 24GB"]
        fp32 = 35.6
        bf16 = 71
        memory = 936
        l2 = 3000

        [devices."NVIDIA H100 SXM"]
        fp32 = 50.0
        memory = 3000
        """

    @Test("the user's own peaks come first") func overriding() throws {
        let catalog = DeviceCatalog.builtIn.overridden(by: try DeviceCatalog(toml: Self.own, path: "peaks.toml"))
        #expect(catalog.peaks(for: "vendor my card 24gb")?.rate(.tensorBF16) == 71e12)
        #expect(catalog.roofline(for: "My Card")?.memory.map(\.name) == ["L2", "DRAM"])
        #expect(catalog.peaks(for: "NVIDIA H100 SXM")?.rate(.f32) == 50e12)
        #expect(catalog.devices.count == DeviceCatalog.builtIn.devices.count + 1)
        #expect(catalog.peaks(for: "My Card")?.source == "the user's peaks.toml")
    }

    @Test(
        "a wrong file is answered with its line",
        arguments: [
            ("[devices.\"A\"]\nfp32 = 1\nmemory = \"fast\"\n", 3, "`memory` of A must be a number above 0"),
            ("[devices.\"A\"]\nfp32 = 1\n", 1, "A needs memory"),
            ("[devices.\"A\"]\nmemory = 1\n", 1, "A needs a rate"),
            ("[devices.\"A\"]\nfp32 = 1\nmemory = 2\nspeed = 3\n", 4, "unknown key `speed`"),
            ("[devices.\"A\"]\nfp32 = -1\nmemory = 2\n", 2, "must be a number above 0"),
            ("\n[device.\"A\"]\n", 2, "unknown key `device`"), ("x = [1\n", 1, "invalid TOML"),
            ("", nil, "missing table"),
        ] as [(String, Int?, String)])
    func wrong(text: String, line: Int?, problem: String) {
        let error = #expect(throws: Problem.self) { try DeviceCatalog(toml: text, path: "p.toml") }
        if let line { #expect(error?.subject.hasSuffix(", line \(line)") ?? false, "\(error?.sentence ?? "")") }
        #expect(error?.sentence.contains(problem) ?? false, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains("TFLOP/s") ?? false)
    }

    @Test("a file is read as its text is") func file() throws {
        let folder = TemporaryFolder()
        File.write(Self.own, to: folder.file("peaks.toml"))
        #expect(try DeviceCatalog(contentsOf: folder.file("peaks.toml")).devices.count == 2)
        let error = #expect(throws: Problem.self) { try DeviceCatalog(contentsOf: folder.file("none")) }
        #expect(error?.sentence.contains("No such file") ?? false)
    }
}
