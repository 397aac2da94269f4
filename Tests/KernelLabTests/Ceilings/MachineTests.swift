import KernelLab
import TestFixtures
import Testing

@Suite("Machine")
struct MachineTests {
    static let machine = CeilingsTests.machine

    @Test(
        "data are in the nearest level of which they take at most three quarters",
        arguments: [
            (1, 1, MemoryLevel.level1), (36 << 10, 1, .level1), (36 << 10 + 1, 1, .level2), (72 << 10, 2, .level1),
            (768 << 10, 1, .level2), (768 << 10 + 1, 1, .level3), (24 << 20, 1, .level3), (24 << 20 + 1, 1, .memory),
            // Four processors share a level-3 cache: the fifth thread brings another one.
            (24 << 20 + 1, 4, .memory), (48 << 20, 5, .level3), (1 << 40, 8, .memory),
        ])
    func levels(bytes: Int, threads: Int, expected: MemoryLevel) {
        #expect(Self.machine.level(ofWorkingSet: bytes, threads: threads) == expected)
    }

    @Test("samples of a level are well inside the level and well outside the previous level")
    func sampleSizes() {
        let sizes = MemoryLevel.allCases.map { Self.machine.sampleBytes($0, threads: 1) }
        #expect(sizes == [32 << 10, 640 << 10, 10 << 20, 12 << 20])
        #expect(Self.machine.sampleBytes(.level3, threads: 2) == 10 << 20)
        #expect(Self.machine.sampleBytes(.level3, threads: 4) == 5 << 20)
    }

    @Test("a machine that does not say what caches it has is measured in memory alone")
    func withoutCaches() {
        let unknown = Machine(processor: "?", features: "", processors: 1, caches: [], memory: 1 << 30)
        #expect(unknown.levels(threads: 1) == [.memory])
        #expect(unknown.level(ofWorkingSet: 100) == .memory)
    }

    @Test("its identity names what decides speed, with memory in whole GiB")
    func identity() {
        #expect(Self.machine.identity == "Test processor, 8 processors, L1 48 KiB, L2 1 MiB, L3 32 MiB, 24 GiB, AVX2")
        var less = Self.machine
        less.memory -= 200 << 20
        #expect(less.identity == Self.machine.identity)
    }

    @Test("caches are read as Linux lists them; instruction caches and nonsense are passed over")
    func cacheFolder() {
        let folder = TemporaryFolder()
        let lists = [
            ("Data", "1", "48K", "0"), ("Instruction", "1", "32K", "0"), ("Unified", "2", "1024K", "0-1"),
            ("Unified", "3", "32M", "0-3,8-11"), ("Unified", "4", "much", "0"),
        ]
        for (index, (type, level, size, shared)) in lists.enumerated() {
            let place = folder.file("index\(index)")
            TestFolder.make(place)
            File.write(type + "\n", to: place + "/type")
            File.write(level + "\n", to: place + "/level")
            File.write(size + "\n", to: place + "/size")
            File.write(shared + "\n", to: place + "/shared_cpu_list")
        }
        #expect(
            Machine.caches(inFolder: folder.path) == [
                Machine.Cache(level: 1, bytes: 48 << 10, sharedBy: 1),
                Machine.Cache(level: 2, bytes: 1 << 20, sharedBy: 2),
                Machine.Cache(level: 3, bytes: 32 << 20, sharedBy: 8),
            ])
        #expect(Machine.caches(inFolder: folder.file("nothing")).isEmpty)
    }

    @Test(
        "steal is the stolen part of all ticks; a single one is rounding",
        arguments: [
            ("cpu 100 0 0 100 0 0 0 10 5 0", 0.05), ("cpu 100 0 0 100 0 0 0 1 0 0", 0.0), ("", 0.0), ("cpu 1 2", 0.0),
        ])
    func steal(line: String, expected: Double) {
        let before = ProcessorTicks(line: "cpu 0 0 0 0 0 0 0 0 0 0")
        let after = ProcessorTicks(line: line)
        #expect(abs(before.stealShare(until: after) - expected * 200 / 210) < 1e-12)
    }

    @Test("whether there are hardware counters is said in one sentence, and what was counted is not made up")
    func counters() {
        let counters = HardwareCounters()
        #expect(counters.sentence.hasPrefix("hardware counters: "))
        var ran = false
        let count = counters.count { ran = true }
        #expect(ran)
        if !counters.areAvailable { #expect(count == HardwareCounters.Count()) }
    }
}
