import KernelLab
import System
import TestFixtures
import Testing

@Suite("Nsight Compute")
struct NsightComputeTests {
    @Test(
        "a wide table gives operations, bytes and intensities as worked out by hand",
        arguments: [
            "ncu-wide.csv", "ncu-wide-crlf.csv",
        ])
    func wide(file: String) throws {
        let launch = try ProfileFixture.read(file).launches[0]
        #expect(launch.name == "void axpy<float>(int, float, const float *, float *)")
        #expect(launch.block == Extent(256) && launch.grid == Extent(4096))
        #expect(figuresAgree(launch.duration, 1e-3))
        // 1e6 additions + 2e6 products + 2 × 5e8 fused ones.
        #expect(figuresAgree(launch.operations(.f32), .exact(1.003e9)))
        #expect(figuresAgree(launch.work, .exact(1.003e9)))
        #expect(figuresAgree(launch.rate, .exact(1.003e12)))
        // 1,500 + 500 MB; 1e8 sectors × 32; 4,000 MB; 1,000 wavefronts × 128.
        #expect(figuresAgree(launch.bytes(.dram), .exact(2e9)))
        #expect(figuresAgree(launch.bytes(.l2), .exact(3.2e9)))
        #expect(figuresAgree(launch.bytes(.l1), .exact(4e9)))
        #expect(figuresAgree(launch.bytes(.shared), .estimate(128_000)))
        // 1.003e9 over each.
        #expect(figuresAgree(launch.intensity(.dram), .exact(0.5015)))
        #expect(figuresAgree(launch.intensity(.l2), .exact(0.3134375)))
        #expect(figuresAgree(launch.intensity(.l1), .exact(0.25075)))
        #expect(launch.registers == 32)
        // 1.02 Kbyte + 2,048 byte.
        #expect(launch.sharedMemory == 3068)
        #expect(launch.occupancy == 0.625)
    }

    @Test("each tensor operation counts once, however many metrics of the tree have it") func tensorTree() throws {
        let launch = try ProfileFixture.read("ncu-wide.csv").launches[1]
        // The parent alone: its children are the same operations again.
        #expect(figuresAgree(launch.operations(.tensorBF16), .exact(8e10)))
        // fp16: both sparsities of one destination (3e6 + 1e6), and the other destination (6e6).
        #expect(figuresAgree(launch.operations(.tensorF16), .exact(1e7)))
        // The metric of three types together repeats those of two of them.
        #expect(launch.operations(.tensor) == .missing)
        // + 2 × 1e6 of f32, + 2 × 1e5 + 4 × 2.5e5 of f16.
        #expect(figuresAgree(launch.work, .estimate(8e10 + 1e7 + 2e6 + 1.2e6)))
        #expect(launch.dominantKind == .tensorBF16)
        // 64 + 16 MB.
        #expect(figuresAgree(launch.intensity(.dram).value, 80_013_200_000 / 80e6))
    }

    @Test(
        "half-precision instructions count one or two numbers, and a note says which",
        arguments: [
            (HalfLanes.two, 1.2e6, "two values"), (.one, 6e5, "one value"),
        ])
    func halfLanes(lanes: HalfLanes, expected: Double, words: String) throws {
        let launch = try ProfileFixture.read("ncu-wide.csv", halfLanes: lanes).launches[1]
        #expect(figuresAgree(launch.operations(.f16), .estimate(expected)))
        #expect(launch.notes.contains { $0.contains(words) })
    }

    @Test("a copy has no work, but a place under its bandwidth") func copies() throws {
        let profile = try ProfileFixture.read("ncu-wide.csv")
        let launch = profile.launches[2]
        #expect(launch.name == "copy_kernel(\"a,b\")")
        #expect(launch.work == .exact(0) && launch.point == nil)
        #expect(launch.registers == nil && launch.bytes(.l2) == .missing)
        let roof = Roofline(
            title: "", compute: [], memory: [.init(name: "memory", bandwidth: 2e12)], source: "")
        // 16 MB in 10 µs are 1.6 TB/s.
        let standing = try #require(launch.standing(on: roof))
        #expect(standing.limit == .memory("memory") && figuresAgree(standing.share, 0.8))
    }

    @Test("devices have the names and clocks of the file") func devices() throws {
        let summary = try ProfileFixture.read("ncu-wide.csv").summary
        #expect(summary.devices.map(\.name) == ["Invented GPU 80GB", "Other GPU"])
        #expect(summary.devices.map(\.computeCapability) == ["9.0", "8.0"])
        #expect(
            figuresAgree(summary.devices[0].coreClock, 1.5e9) && figuresAgree(summary.devices[0].memoryClock, 2.6e9))
        #expect(summary.devices[0].roof == nil)
    }

    @Test("lists of instances have their total, missing figures none") func counters() throws {
        let profile = try ProfileFixture.read("ncu-wide.csv")
        let values = profile.launches.map { profile.counter("smsp__inst_executed.sum [inst]", of: $0) }
        #expect(values == [24_000, 4_000, nil])
        #expect(profile.counter("lts__t_sector_hit_rate.pct [%]", of: profile.launches[0]) == nil)
    }

    @Test("rates a cycle become totals, and the file's own peaks its roof") func roofline() throws {
        let profile = try ProfileFixture.read("ncu-roofline.csv")
        let launch = profile.launches[0]
        // 50 µs at 1.2 GHz are 60,000 cycles of 100 + 50 + 850 operations.
        #expect(figuresAgree(launch.operations(.f32), .exact(6e7)))
        #expect(figuresAgree(launch.work, .atLeast(6e7)), "f16 and tensor were not collected")
        #expect(launch.uncounted == [.f16, .tensor])
        // 900 GB/s × 50 µs; 1,500 GB/s; 20e9 cycles/s × 128 bytes.
        #expect(figuresAgree(launch.bytes(.dram), .exact(45e6)))
        #expect(figuresAgree(launch.bytes(.l2), .atLeast(75e6)))
        #expect(figuresAgree(launch.bytes(.l1), .estimate(128e6)))
        #expect(figuresAgree(launch.intensity(.dram), .atLeast(6e7 / 45e6)))
        let roof = try #require(profile.summary.roofline(ofDevice: 0))
        // 13,824 × 1.2 GHz; 2 × 3,456 × 1.2 GHz.
        #expect(figuresAgree(roof.computeRoof(for: .f32)?.rate, 16.5888e12))
        #expect(figuresAgree(roof.computeRoof(for: .f64)?.rate, 8.2944e12))
        // 108 × 128 × 1.2 GHz; 5,120 × 1 GHz; 1,000 × 1.5 GHz.
        #expect(roof.memory.map(\.name) == ["L1", "L2", "DRAM"])
        for (found, expected) in zip(roof.memory.map(\.bandwidth), [16.5888e12, 5.12e12, 1.5e12]) {
            #expect(figuresAgree(found, expected))
        }
        // DRAM allows 1.333 × 1.5e12 = 2e12, L2 0.8 × 5.12e12, L1 0.469 × 16.6e12; 1.2e12 are reached.
        let standing = try #require(launch.standing(on: roof))
        #expect(
            standing.limit == .memory("DRAM") && figuresAgree(standing.attainable, 2e12)
                && figuresAgree(standing.share, 0.6))
        #expect(standing.limit.name == "DRAM" && standing.sign.isEmpty && !standing.lacksPeak)
    }

    @Test("older devices count warp instructions, which make an estimate") func volta() throws {
        let launch = try ProfileFixture.read("ncu-volta.csv").launches[0]
        // 1e8 × 512 over 0.5 GB.
        #expect(figuresAgree(launch.operations(.tensor), .estimate(5.12e10)))
        #expect(figuresAgree(launch.intensity(.dram), .estimate(102.4)))
        #expect(launch.notes.contains { $0.contains("512 operations") })
    }

    @Test("a long table is folded into launches") func long() throws {
        let launches = try ProfileFixture.read("ncu-long.csv").launches
        #expect(launches.count == 2 && launches.map(\.grid) == [Extent(100), Extent(200)])
        // 64,000 + 2 × 128,000 over 512 kB.
        #expect(figuresAgree(launches[0].operations(.f32), .exact(320_000)))
        #expect(figuresAgree(launches[0].intensity(.dram), .atLeast(0.625)))
        #expect(figuresAgree(launches[1].duration, 4e-6))
        #expect(launches[1].bytes(.dram) == .missing, "N/A is not zero")
        #expect(launches[1].point == nil)
    }

    @Test("the details page is read by its labels, and rules are passed over") func details() throws {
        let profile = try ProfileFixture.read("ncu-details.csv")
        let launch = profile.launches[0]
        #expect(profile.launches.count == 1 && launch.work == .missing)
        // 400 GB/s × 10 µs: the other Memory Throughput is a share.
        #expect(figuresAgree(launch.bytes(.dram), .exact(4e6)))
        #expect(launch.registers == 40 && launch.sharedMemory == 4100 && launch.occupancy == 0.8)
        #expect(figuresAgree(profile.summary.devices[0].coreClock, 1.1e9))
        #expect(profile.counter("Memory Throughput [%]", of: launch) == 55)
    }

    private static let header =
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Device\",\"gpu__time_duration.sum\"\n\"\",\"\",\"\",\"\",\"us\"\n"

    @Test(
        "damaged tables are answered with a line and a remedy",
        arguments: [
            ("==PROF== Connected\n==PROF== Disconnected\n", "missing table header", "--csv"),
            (
                "\"ID\",\"Process ID\",\"Kernel "
                    + "Name\"\n\"\",\"\",\"\"\n", "the file has no launches", "Profile a program"
            ),
            (
                header + "\"0\",\"1\",\"k\",\"0\",\"1.0\"\n\"1\",\"1\",\"k\",\"0\"\n", "line 4: the row has 4 fields",
                "Export it again"
            ),
            (
                header + "\"0\",\"1\",\"k,\"0\",\"1.0\"\n",
                "line 3: unexpected text after the closing quote", "Export it again"
            ),
            (header + "\"0\",\"1\",\"k", "line 3: unterminated quoted field", "Export it again"),
            (header + "\"0\",\"1\",k\"k,\"0\",\"1.0\"\n", "line 3: unexpected quote in the middle", "Export it again"),
            (header + "\"0\",\"1\",\"k\",\"0\",\"0,53\"\n", "line 3: 0,53", "LC_ALL=C"),
            ("\"ID\",\"ID\",\"Kernel Name\",\"Device\"\n", "line 1: duplicate column ID", "again"),
            (
                "\"Process ID\",\"Kernel Name\",\"Invocations\",\"Metric Name\"\n", "the file is a summary",
                "--print-summary"
            ),
        ])
    func damaged(text: String, problem: String, remedy: String) {
        let folder = TemporaryFolder()
        let error = #expect(throws: Problem.self) { try ProfileFixture.read(text: text, in: folder) }
        #expect(error?.sentence.contains(problem) ?? false, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains(remedy) ?? false, "\(error?.sentence ?? "")")
    }
}
