import KernelLab
import System
import TestFixtures
import Testing

@Suite("PyTorch profiler")
struct KinetoTests {
    @Test("kernels find their operators by id, by call, and by the time around the call") func join() throws {
        let launches = try ProfileFixture.read("kineto-gpu.json").launches
        #expect(
            launches.map { $0.source?.name } == [
                "aten::mm", "aten::mm", "aten::_scaled_dot_product_flash_attention", "aten::add", "aten::bmm", nil,
            ])
        #expect(launches[0].source?.dimensions == "[[64, 4096], [4096, 4096]]")
    }

    @Test("operations and least traffic come from the shapes, and are estimates") func shapes() throws {
        let launches = try ProfileFixture.read("kineto-gpu.json").launches
        // 2 × 64 × 4096 × 4096; 2 bytes × (64 × 4096 + 4096 × 4096 + 64 × 4096).
        #expect(figuresAgree(launches[0].operations(.tensorBF16), .estimate(2_147_483_648)))
        #expect(figuresAgree(launches[0].bytes(.dram), .estimate(34_603_008)))
        #expect(figuresAgree(launches[0].intensity(.dram), .estimate(62.0606)))
        #expect(launches[0].notes.contains { $0.contains("2 m n k = 2 × 64 × 4096 × 4096") })
        // Of two kernels of one operator the longer has the work.
        #expect(launches[1].work == .missing && launches[1].notes.contains { $0.contains("longest kernel") })
        // 2 × 2 × 8 × 128 × 128 × (64 + 64) / 2; 4 tensors of 2 × 8 × 128 × 64 × 2 bytes.
        #expect(figuresAgree(launches[2].operations(.tensorBF16), .estimate(33_554_432)))
        #expect(figuresAgree(launches[2].bytes(.dram), .estimate(1_048_576)))
        // 2 × 4 × 32 × 16 × 64; 4 bytes × 4 × (32 × 64 + 64 × 16 + 32 × 16).
        #expect(figuresAgree(launches[4].operations(.f32), .estimate(262_144)))
        #expect(figuresAgree(launches[4].bytes(.dram), .estimate(57_344)))
        #expect(launches[3].work == .missing && launches[5].work == .missing)
    }

    @Test("launches have their time, shape and device") func launch() throws {
        let profile = try ProfileFixture.read("kineto-gpu.json")
        let launch = profile.launches[2]
        // 1180 - 1050.25 µs.
        #expect(figuresAgree(launch.start, 129.75e-6) && figuresAgree(launch.duration, 20e-6))
        #expect(launch.grid == Extent(128, 2) && launch.block == Extent(128) && launch.registers == 96)
        #expect(launch.occupancy == 0.25 && launch.sharedMemory == 49_152)
        #expect(profile.summary.devices.map(\.name) == ["NVIDIA H100 80GB HBM3"])
        #expect(profile.summary.roofline(ofDevice: 0)?.title == "NVIDIA H100 SXM")
        #expect(profile.summary.notes.contains { $0.contains("1 copies and fills") })
    }

    @Test("without kernels the operators are the launches, each moment once") func processor() throws {
        let profile = try ProfileFixture.read("kineto-cpu.json")
        #expect(
            profile.launches.map(\.name) == ["aten::t", "aten::addmm", "aten::clamp_min", "aten::conv2d", "aten::mm"])
        // 2 × 32 × 256 × 128; 4 bytes × (32 × 128 + 128 × 256 + 32 × 256).
        #expect(figuresAgree(profile.launches[1].operations(.f32), .estimate(2_097_152)))
        #expect(figuresAgree(profile.launches[1].bytes(.dram), .estimate(180_224)))
        // 2 × 8 × 3 × 9 × 16 × 16; 4 bytes × (3 × 32 × 32 + 8 × 3 × 9 + 8 × 16 × 16).
        #expect(figuresAgree(profile.launches[3].operations(.f32), .estimate(110_592)))
        #expect(figuresAgree(profile.launches[3].bytes(.dram), .estimate(21_344)))
        #expect(profile.launches[4].work == .missing)
        #expect(profile.summary.notes.contains { $0.contains("record_shapes=True") })
        #expect(profile.summary.notes.contains { $0.contains("not closed") })
    }

    @Test(
        "damaged traces are answered with a place and a remedy",
        arguments: [
            ("{\"traceEvents\": [{\"ph\": \"X\", \"cat\"", "byte 17: the file ends inside", "Export it again"),
            ("{\"traceEvents\": [{\"ph\": tru}]}", "invalid JSON in an event", "Export the profile again"),
            ("{\"traceEvents\": []}", "the file has no launches", "record_shapes"),
            ("{\"traceEvents\": [] ", "ends before its closing bracket", "Export it again"),
            ("{\"traceEvents\" []}", "expected a colon", "Export the profile again"),
        ])
    func damaged(text: String, problem: String, remedy: String) {
        let folder = TemporaryFolder()
        let error = #expect(throws: Problem.self) { try ProfileFixture.read(text: text, in: folder) }
        #expect(error?.sentence.contains(problem) ?? false, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains(remedy) ?? false, "\(error?.sentence ?? "")")
    }
}

@Suite("Nsight Systems")
struct NsightSystemsTests {
    @Test("kernels come by start, with times and names and without operations") func kernels() throws {
        let profile = try ProfileFixture.read("nsys.sqlite")
        #expect(
            profile.launches.map(\.name) == ["void softmax<float>(float *, int)", "void gemm<half>(half *)", "gemm"])
        #expect(
            figuresAgree(profile.launches[0].duration, 100e-9) && figuresAgree(profile.launches[1].duration, 250e-9))
        #expect(figuresAgree(profile.launches[1].start, 150e-9))
        #expect(profile.launches[2].duration == nil, "an empty interval has no time")
        #expect(profile.launches[1].grid == Extent(64, 16) && profile.launches[1].sharedMemory == 49_152)
        #expect(profile.launches.allSatisfy { $0.work == .missing && $0.point == nil })
        #expect(profile.summary.devices.map(\.name) == ["NVIDIA A100-SXM4-80GB"])
        #expect(profile.summary.notes.contains { $0.contains("does not count operations") })
        #expect(profile.summary.untimedLaunches == 1)
    }

    @Test("another database is answered with a sentence") func foreign() {
        let error = #expect(throws: Problem.self) { try ProfileFixture.read("foreign.sqlite") }
        #expect(error?.sentence.contains("not an Nsight Systems export") ?? false)
        #expect(error?.sentence.contains("nsys export") ?? false)
    }
}

@Suite("rocprof")
struct RocprofTests {
    @Test("a kernel trace has times and shapes") func trace() throws {
        let profile = try ProfileFixture.read("rocprof-trace.csv")
        #expect(figuresAgree(profile.launches[0].duration, 5e-6) && figuresAgree(profile.launches[1].duration, 4e-6))
        #expect(figuresAgree(profile.launches[1].start, 10e-6))
        // 65,536 work-items in groups of 256.
        #expect(profile.launches[1].grid == Extent(256, 2) && profile.launches[1].block == Extent(256))
        #expect(profile.summary.notes.contains { $0.contains("has no counters") })
    }

    @Test(
        "counters give operations and bytes, one row a counter or one column",
        arguments: [
            "rocprof-counters.csv", "rocprof-compute.csv",
        ])
    func counters(file: String) throws {
        let launch = try ProfileFixture.read(file).launches[0]
        // 64 × (1,000 + 2,000 + 500 + 2 × 10,000); 512 × 4,000.
        #expect(figuresAgree(launch.operations(.f32), .exact(1_504_000)))
        #expect(figuresAgree(launch.operations(.tensorF16), .exact(2_048_000)))
        #expect(figuresAgree(launch.work, .atLeast(3_552_000)), "f64 and f16 were not collected")
        // 64 × 20,000 + 32 × 10,000 read; 64 × 6,000 + 32 × 2,000 written; 128 × 50,000.
        #expect(figuresAgree(launch.bytes(.dram), .exact(2_048_000)))
        #expect(figuresAgree(launch.bytes(.l2), .estimate(6_400_000)))
        #expect(figuresAgree(launch.intensity(.dram), .atLeast(1.734375)))
        #expect(figuresAgree(launch.duration, 2e-6) && launch.grid == Extent(256))
    }

    @Test("dispatches of the long table are kept apart") func dispatches() throws {
        let profile = try ProfileFixture.read("rocprof-counters.csv")
        #expect(profile.launches.map(\.externalID) == ["1", "2"])
        #expect(figuresAgree(profile.launches[1].operations(.f32), .exact(3_008_000)))
        #expect(profile.counter("TCC_REQ", of: profile.launches[1]) == 100_000)
    }
}

@Suite("perf stat")
struct PerfStatTests {
    @Test("counters give operations, bytes and clock; what is not supported is missing") func whole() throws {
        let profile = try ProfileFixture.read("perf-stat.csv")
        let launch = profile.launches[0]
        #expect(figuresAgree(launch.duration, 1.005))
        // 1e9 + 8 × 5e8 + 16 × 2.5e8, of which the last was scaled up from half of the time.
        #expect(figuresAgree(launch.operations(.f32), .estimate(9e9)))
        #expect(launch.operations(.f64) == .missing)
        // 64 × 4e7.
        #expect(figuresAgree(launch.bytes(.dram), .estimate(2.56e9)))
        // 8e9 cycles in 2.0005 s of processor time.
        #expect(figuresAgree(profile.summary.devices[0].coreClock, 3_999_000_249))
        #expect(launch.notes.contains { $0.contains("Not counted on this machine: LLC-load-misses") })
        #expect(profile.counter("cpu/event=0x3c,umask=0x0/", of: launch) == 7)
        #expect(profile.summary.title.hasPrefix("perf stat, started on"))
    }

    @Test("intervals are launches") func intervals() throws {
        let launches = try ProfileFixture.read("perf-interval.csv").launches
        #expect(launches.map(\.start) == [0, 0.5] && launches.map(\.duration) == [0.5, 0.75])
        #expect(launches.map { $0.counters.count } == [1, 2])
    }
}

@Suite("foreign files")
struct ForeignFileTests {
    @Test(
        "a file that is not a profile is an error with a remedy",
        arguments: [
            ([], "the file is empty", "Export"),
            ([0x1F, 0x8B, 8, 0], "gzip", "gunzip"),
            ([0x28, 0xB5, 0x2F, 0xFD], "zstd", "zstd --decompress"),
            (Array("NVR\u{1}".utf8), "binary Nsight Compute report", "ncu --import"),
            (Array("hello, world\n".utf8), "unknown profile format", "Nsight Compute, Nsight Systems"),
            (Array("{\"messages\": []}".utf8), "unknown profile format", "perf stat"),
        ] as [([UInt8], String, String)])
    func foreign(bytes: [UInt8], problem: String, remedy: String) {
        let folder = TemporaryFolder()
        let path = folder.unique("foreign")
        File.write(bytes, to: path)
        let error = #expect(throws: Problem.self) { try ProfileReader.read(path) }
        #expect(error?.sentence.contains(problem) ?? false, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains(remedy) ?? false, "\(error?.sentence ?? "")")
    }

    @Test(
        "missing files and folders are answered too",
        arguments: [
            ("/nowhere/profile.csv", "no such file"), ("/tmp", "found a folder"),
        ])
    func missing(path: String, problem: String) {
        let error = #expect(throws: Problem.self) { try ProfileReader.read(path) }
        #expect(error?.sentence.contains(problem) ?? false)
    }

    @Test("each fixture is recognized by its content alone", arguments: ProfileFixture.all)
    func recognized(file: String) throws {
        let head = try #require(File.bytes(ProfileFixture.path(file)))
        let word = try #require(ProfileFormats.recognizes(head: head))
        let expected = [
            "ncu": "nsight-compute", "kin": "kineto", "nsy": "nsight-systems", "roc": "rocprof",
            "per": "perf-stat",
        ]
        #expect(word == expected[String(file.prefix(3))])
    }
}
